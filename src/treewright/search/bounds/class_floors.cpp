// Bounds on the children of each cut by their classes, before anything is solved.
//
// So many leaves have at most so many labels, and the items of all other labels gain nothing: loss/costs.h, least_cost. Each child is free
// to choose its labels, so the floors of both children add up to a bound on the cut. It holds for trees of any depth with so many leaves,
// whatever the price of a split and the rows of a leaf: no property of a tree is used but its number of leaves. Where the cuts mix many
// classes, as most do, it excludes them without a search. (Depth two has the same bound for two leaves on a side: class_bounds.h.)
//
// Where labels have costs, a row gains under nearly all of them, and the gains of several labels add up to more than any tree has. There
// the bound is the best set of labels, which gives each row its largest gain in the set (loss/label_sets.h). A tree with these leaves has
// its labels in one of the sets, and gives each row the gain of one label of that set. So it gains no more.
//
// A floor says nothing where a child may have as many leaves as there are labels.

#include "treewright/search/bounds/class_floors.h"

#include <algorithm>
#include <cassert>

#include "treewright/search/items/cut_sweep.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

namespace {

constexpr std::size_t kMostSets = 256;
// Numbers for all rows and sets: 32 MB. Beyond, least_cost is asked, as where most rows have one item.
constexpr std::size_t kMostGains = std::size_t{1} << 22;

}  // namespace

ClassFloors::ClassFloors(const Problem& problem, const Subset& subset, std::int64_t left_leaves, std::int64_t right_leaves)
    : problem_(problem), subset_(subset), left_leaves_(left_leaves), right_leaves_(right_leaves) {
  const auto labels = static_cast<std::size_t>(problem.classes);
  const std::size_t rows = ItemRange::all(subset).number_rows(number_);
  if (!most_labels_gain(subset.size, rows, labels)) return;
  const LabelSets left(labels, left_leaves, kMostSets), right(labels, right_leaves, kMostSets);
  if (left.empty() || right.empty() || rows * std::max(left.size(), right.size()) > kMostGains) return;
  left_ = gains(left, rows);
  right_ = left_leaves == right_leaves ? left_ : gains(right, rows);
}

ClassFloors::Gains ClassFloors::gains(const LabelSets& sets, std::size_t rows) const {
  Gains result{sets.size(), std::vector<double>(rows * sets.size()), std::vector<double>(sets.size())};
  std::vector<double> of_label(static_cast<std::size_t>(problem_.classes));
  for (std::uint32_t i = 0; i < subset_.size;) {
    std::fill(of_label.begin(), of_label.end(), 0.0);
    double* of_sets = &result.of_rows[number_[i] * sets.size()];
    do of_label[static_cast<std::size_t>(subset_.label[i])] = subset_.weight[i];
    while (++i < subset_.size && !subset_.starts_rows(i));
    sets.largest_gains(of_label.data(), of_sets);
    for (std::size_t set = 0; set < sets.size(); ++set) result.total[set] += of_sets[set];
  }
  return result;
}

std::vector<ClassFloor> ClassFloors::of(std::size_t ordering) const {
  assert(ordering < problem_.orderings.size() && left_leaves_ >= 1 && right_leaves_ >= 1);
  if (left_.sets > 0) return by_sets(ordering);
  std::vector<ClassFloor> floors;
  const auto add = [&](const Cuts& cuts, std::size_t cut, const std::vector<double>& left, const std::vector<double>& right) {
    const double reach_left = cuts.reach_left(cut);
    floors.push_back({least_cost(reach_left, left, left_leaves_), least_cost(subset_.total_reach - reach_left, right, right_leaves_)});
  };
  sweep_cuts(
      subset_, ordering, subset_.class_weights(problem_.classes), 0, [](std::uint32_t) {}, add);
  return floors;
}

std::vector<ClassFloor> ClassFloors::by_sets(std::size_t ordering) const {
  std::vector<ClassFloor> floors;
  std::vector<double> left(left_.sets, 0.0), right = right_.total;
  const auto move = [&](std::uint32_t item) {
    const std::size_t rows = number_[item];
    if (rows == kAbsent) return;
    for (std::size_t set = 0; set < left.size(); ++set) left[set] += left_.of_rows[rows * left.size() + set];
    for (std::size_t set = 0; set < right.size(); ++set) right[set] -= right_.of_rows[rows * right.size() + set];
  };
  const auto add = [&](const Cuts& cuts, std::size_t cut, const std::vector<double>&, const std::vector<double>&) {
    const double reach_left = cuts.reach_left(cut);
    floors.push_back({reach_left - *std::max_element(left.begin(), left.end()),
                      subset_.total_reach - reach_left - *std::max_element(right.begin(), right.end())});
  };
  sweep_cuts(subset_, ordering, subset_.class_weights(problem_.classes), 0, move, add);
  return floors;
}

}  // namespace treewright::search
