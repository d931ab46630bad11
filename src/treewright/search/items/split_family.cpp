// Which sets of levels split a category.
//
// A category of at most 12 levels is split by every set of levels. The orders are the chains of a symmetric chain decomposition of the sets
// (Greene & Kleitman 1976), as few as there can be.
//
// All sets of more levels would be too many. Such a category is split
//   - one level against the rest, if at least a thousandth of the weight of some class is in it, and
//   - for each class by its share: the levels in which at least some share of the weight is of this class, against the others.
// The shares are those of all training rows, in the weights that errors are counted by, so every node has the same splits. Levels of equal
// share stay together, and a level without weight has share 0. So the family follows from the training rows: the order of rows, levels and
// classes does not matter. Shares are compared exactly, as products of whole weights (data/costs/whole_weights.h).
//
// Why shares. Theorem (Fisher 1958; Breiman, Friedman, Olshen & Stone 1984, sec. 4.2.2): let there be two classes and no least number of
// rows in a leaf, and let a leaf of weight T, w of it in class 1, cost f(T, w), where f is concave and f(cT, cw) = c f(T, w): errors, the
// Gini index, entropy. Among all sets of levels one by share splits all rows at the least cost, if any split costs less than none.
// Proof. Let level l have the weights p_l = (T_l, w_l), and all rows p. A set A costs F(p_A) = f(p_A) + f(p - p_A), where p_A is the sum of
// p_l over A. The points p_A lie in the polytope Z = sum_l [0, p_l]. F is concave, so it is least at a vertex of Z. A vertex is the only
// maximum on Z of some linear function a T + b w. So it is the sum of the p_l with a T_l + b w_l > 0, and no p_l but 0 has a T_l + b w_l =
// 0: else the vertex plus or minus p_l would be another maximum. That is the set of levels whose share w_l / T_l is above -a/b, or below
// it; or all levels or none, which cost f(p), what no split costs.
// For errors this only says that each level goes to the side of its majority.
//
// What the theorem does not say. A least number of rows in a leaf may exclude the set, and ties of the shares may matter then. Below the
// root other shares would be best. For the labels a and b of two leaves the best sets are those by w_a / w_b, which with more than two
// classes are not those by w_a / T.
//
// Where the target is a number, levels are ordered by its mean in place of a share, by the same theorem: the loss of a leaf is concave in
// the sums of weights and of weighted targets, up to terms that do not depend on the set.
//
// Why no rare level alone. A column of 20,000 postcodes would have 20,000 such splits, each of them an ordering of all rows; now there are
// at most 1,000 for each class. What they are worth: let a tree with s of these splits cost c. Replace each of them by the subtree of its
// other side, from the root down. That takes splits and depth away and rows from no leaf, and only the rows of the s levels may change
// their label: no row costs more than its weight for it, or, where labels have costs, than it can gain. So some tree without them costs at
// most c + s / 1000 of the weight of all rows.
//
// Why of some class, not of all rows. So the family does not change when the weights of a class are multiplied, as long as they are more
// than 0. A trade-off between two classes solves with many such weights and compares the trees.
//
// Cost: k classes and L levels have at most k (L - 1) splits by share in k orderings; equal ones are merged, with two classes into one. A
// class that is missing in most levels has few, since these levels stay together.

#include "treewright/search/items/split_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "treewright/base/exact_sum.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/costs/whole_weights.h"

namespace treewright::search {

namespace {

// Orders of the levels such that every set that lacks the last level is at the beginning of one of them: a set and its complement are the
// same split. A chain begins with a set in which every member is a matched bracket, and adds the unmatched elements from the left: C(L-1,
// (L-1)/2) chains.
std::vector<LevelOrder> chains(const std::vector<std::int32_t>& levels) {
  std::vector<LevelOrder> result;
  const std::size_t free = levels.size() - 1;
  for (std::uint32_t subset = 0; subset < (1u << free); ++subset) {
    std::vector<std::size_t> open;
    bool bottom = true;
    for (std::size_t i = 0; i < free && bottom; ++i) {
      if ((subset >> i & 1) == 0) {
        open.push_back(i);
      } else if (open.empty()) {
        bottom = false;
      } else {
        open.pop_back();
      }
    }
    if (!bottom) continue;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < free; ++i) {
      if (subset >> i & 1) order.push_back(i);
    }
    order.insert(order.end(), open.begin(), open.end());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
    }
    LevelOrder& chain = result.emplace_back();
    for (const std::size_t i : order) chain.push_back({levels[i]});
  }
  return result;
}

// Of a class in the weight of a level, both in whole units below 2^51.
struct Share {
  std::uint64_t of_class = 0, of_all = 0;

  bool operator<(const Share& other) const {
    __extension__ using Product = unsigned __int128;
    const auto all = [](const Share& share) { return std::max<Product>(share.of_all, 1); };
    return of_class * all(other) < other.of_class * all(*this);
  }
};

// Sums of rows whose target is a number. The order of the rows does not matter, as nothing is rounded but the sums, each once.
struct ExactSums {
  ExactSum exposure, amount;

  double mean() const {
    const double of_all = exposure.down();
    return of_all > 0 ? amount.down() / of_all : 0;
  }
};

// What rows add to such sums. Numbers are taken from the least one on, or a large offset would cost digits.
class ExactRows {
 public:
  explicit ExactRows(const Dataset& data) : data_(data), of_events_(data.response->loss != Loss::squared) {
    for (std::size_t row = 0; row < data.rows(); ++row) {
      exposure_.push_back(product(data.weight(row), data.response->at_risk(row)));
      if (exposure_[row] > 0) least_ = std::min(least_, data.response->values[row]);
    }
  }

  double exposure(std::size_t row) const { return exposure_[row]; }
  void add(std::size_t row, ExactSums& sums) const {
    if (exposure_[row] == 0) return;
    const double weight = data_.weight(row), value = data_.response->values[row];
    sums.exposure.add(exposure_[row]);
    if (of_events_) {
      sums.amount.add(product(weight, value));
    } else {
      sums.amount.add(weight, value);
      sums.amount.add(weight, -least_);
    }
  }

 private:
  static constexpr double kLargest = std::numeric_limits<double>::max();

  static double product(double a, double b) { return std::min(a * b, kLargest); }

  const Dataset& data_;
  const bool of_events_;
  double least_ = kLargest;
  std::vector<double> exposure_;  // Shape (rows).
};

}  // namespace

// Where the target is a number, the levels in groups of equal mean, or rate, ascending. Means have last digits that depend on the target's
// unit, so those that differ by no more are equal. A proof says that its trees are split so, and its checker computes the same means to the
// last digit (proof/level_means.cpp).
SplitFamily::Wide::Wide(const Column& column, const Dataset& data) {
  constexpr double kLastDigits = 0x1p-40;  // of the largest mean
  const ExactRows exact(data);
  ExactSums all;
  ExactSum none;                                                         // of the exposure of all, below 0
  std::vector<std::vector<std::size_t>> rows(column.levels.size() + 1);  // missing comes first
  for (std::size_t row = 0; row < data.rows(); ++row) {
    rows[static_cast<std::size_t>(column.codes[row] + 1)].push_back(row);
    exact.add(row, all);
    none.add(-exact.exposure(row));
  }
  const double mean_of_all = all.mean();
  std::vector<std::pair<double, std::int32_t>> by_mean;
  for (std::size_t level = 0; level < rows.size(); ++level) {
    stop_point();
    ExactSums sums;
    ExactSum beyond_rare = none;
    for (const std::size_t row : rows[level]) {
      exact.add(row, sums);
      beyond_rare.add(exact.exposure(row), static_cast<double>(kRareLevel));
    }
    const bool weighs = sums.exposure.down() > 0;
    alone.push_back(weighs && beyond_rare.down() >= 0);
    if (!rows[level].empty()) by_mean.emplace_back(weighs ? sums.mean() : mean_of_all, static_cast<std::int32_t>(level) - 1);
  }
  std::ranges::sort(by_mean);
  LevelOrder order;
  for (std::size_t i = 0; i < by_mean.size(); ++i) {
    if (i == 0 || by_mean[i].first - by_mean[i - 1].first > kLastDigits * by_mean.back().first) order.emplace_back();
    order.back().push_back(by_mean[i].second);
  }
  for (std::vector<std::int32_t>& group : order) std::ranges::sort(group);
  if (order.size() > 1) by_share.push_back(std::move(order));
}

SplitFamily::Wide::Wide(const Column& column, const Dataset& data, const WholeWeights& weights) {
  const std::size_t levels = column.levels.size(), classes = data.classes();
  std::vector<std::uint64_t> of_class((levels + 1) * classes, 0), of_all(levels + 1, 0);  // missing comes first
  std::vector<bool> present(levels + 1, false);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto level = static_cast<std::size_t>(column.codes[row] + 1);
    const auto weight = static_cast<std::uint64_t>(weights.of(row));
    of_class[level * classes + static_cast<std::size_t>(data.labels[row])] += weight;
    of_all[level] += weight;
    present[level] = true;
  }
  alone.assign(levels + 1, false);
  for (std::size_t k = 0; k < classes; ++k) {
    std::uint64_t total = 0;
    for (std::size_t level = 0; level <= levels; ++level) total += of_class[level * classes + k];
    for (std::size_t level = 0; level <= levels; ++level) {
      const std::uint64_t here = of_class[level * classes + k];
      if (here > 0 && here * kRareLevel >= total) alone[level] = true;
    }
  }
  // For each class the levels in groups of equal share, ascending, without orders that equal an earlier one or its reverse.
  for (std::size_t k = 0; k < classes; ++k) {
    stop_point();
    std::map<Share, std::vector<std::int32_t>> groups;
    for (std::size_t level = 0; level <= levels; ++level) {
      if (present[level]) groups[{of_class[level * classes + k], of_all[level]}].push_back(static_cast<std::int32_t>(level) - 1);
    }
    LevelOrder order;
    for (auto& [share, group] : groups) order.push_back(std::move(group));
    const LevelOrder reverse(order.rbegin(), order.rend());
    const auto is_known = [&](const LevelOrder& known) { return known == order || known == reverse; };
    if (order.size() > 1 && std::none_of(by_share.begin(), by_share.end(), is_known)) by_share.push_back(std::move(order));
  }
}

SplitFamily::SplitFamily(const Dataset& data) {
  if (std::ranges::none_of(data.columns, is_wide_category)) return;
  WholeWeights weights;
  for (std::size_t f = 0; f < data.features(); ++f) {
    if (!is_wide_category(data.columns[f])) continue;
    if (data.response) {
      wide_.emplace(f, Wide(data.columns[f], data));
      continue;
    }
    if (wide_.empty()) weights = whole_weights(data);
    wide_.emplace(f, Wide(data.columns[f], data, weights));
  }
}

std::vector<LevelOrder> SplitFamily::orders(std::size_t feature, const std::vector<std::int32_t>& present) const {
  if (present.size() <= 1) return {};
  const auto wide = wide_.find(feature);
  if (wide == wide_.end()) return chains(present);
  const std::set<std::int32_t> is_present(present.begin(), present.end());
  std::vector<LevelOrder> orders;
  for (const std::int32_t level : present) {
    if (wide->second.is_alone(level)) orders.push_back({{level}});
  }
  for (const LevelOrder& of_all : wide->second.by_share) {
    LevelOrder order;
    for (const std::vector<std::int32_t>& group : of_all) {
      std::vector<std::int32_t> here;
      std::copy_if(group.begin(), group.end(), std::back_inserter(here), [&](std::int32_t level) { return is_present.contains(level); });
      if (!here.empty()) order.push_back(std::move(here));
    }
    if (order.size() > 1) orders.push_back(std::move(order));
  }
  return orders;
}

const std::vector<bool>* SplitFamily::alone(std::size_t feature) const {
  const auto wide = wide_.find(feature);
  return wide == wide_.end() ? nullptr : &wide->second.alone;
}

std::string restriction_of_family(const Dataset& data) {
  if (std::ranges::none_of(data.columns, is_wide_category)) return "";
  return fmt::format("columns of more than {} categories split one frequent category from the rest or by the {} each category",
                     kMaxSubsetLevels, data.response ? "mean target of" : "share of a class in");
}

bool SplitFamily::holds(const Tree& tree, const Dataset& data) const {
  std::vector<std::set<std::int32_t>> left(tree.nodes().size()), right(tree.nodes().size());  // levels that part at each node
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (NodeId at = Tree::root(); !tree.node(at).is_leaf();) {
      const Split& split = *tree.node(at).split;
      const bool goes_left = treewright::goes_left(split, data, row);
      if (const CategorySplit* set = split.set()) {
        (goes_left ? left : right)[+at].insert(data.columns[+set->feature].codes[row]);
      }
      at = goes_left ? tree.node(at).left : tree.node(at).right;
    }
  }
  // Whether all levels of `first` come before those of `second`.
  const auto parts = [](const LevelOrder& order, const std::set<std::int32_t>& first, const std::set<std::int32_t>& second) {
    bool begun = false;
    for (const std::vector<std::int32_t>& group : order) {
      const auto meets = [&](const auto& set) {
        return std::any_of(group.begin(), group.end(), [&](std::int32_t level) { return set.contains(level); });
      };
      begun |= meets(second);
      if (begun && meets(first)) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (node.plane() != nullptr) return false;
    const CategorySplit* set = node.set();
    if (set == nullptr || left[i].empty() || right[i].empty()) continue;
    const auto wide = wide_.find(static_cast<std::size_t>(+set->feature));
    if (wide == wide_.end()) continue;
    const auto is_alone = [&](const std::set<std::int32_t>& side) { return side.size() == 1 && wide->second.is_alone(*side.begin()); };
    if (is_alone(left[i]) || is_alone(right[i])) continue;
    if (std::none_of(wide->second.by_share.begin(), wide->second.by_share.end(),
                     [&](const LevelOrder& order) { return parts(order, left[i], right[i]) || parts(order, right[i], left[i]); }))
      return false;
  }
  return true;
}

}  // namespace treewright::search
