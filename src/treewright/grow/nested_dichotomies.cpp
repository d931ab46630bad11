// A tree with one leaf for each class: nested dichotomies (Frank & Kramer 2004), a support vector machine (SVM) in each node.
//
// Idea. The root divides the classes into two groups, each child divides its group, and so on until each class is alone. A greedy tree does
// not plan ahead like this. It splits off one class after another where that is purest, and a tree of limited depth then has no leaf left
// for the last classes. Here both groups have room: with d levels below a node, a group has at most 2^d classes. And a node looks at the
// rows of its own classes alone, so that the few rows of other classes that went astray above it do not decide what it separates.
//
// Which division. Hyperplanes are fitted to many divisions (class_groups.cpp), and to the division that the SVM of two single classes makes
// of all others (Leathart, Pfahringer & Frank 2016). After a fit, each class joins the side that holds most of it. The division of least
// Gini impurity wins. It is chosen on a sample of the rows, and fitted again on all of them.
//
// With more than 2^max_depth classes, the lightest have no leaf.

#include "treewright/grow/nested_dichotomies.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "treewright/grow/class_groups.h"
#include "treewright/grow/impurity.h"

namespace treewright::grow {

namespace {

constexpr int kDirections = 3;
// The rows on which divisions are compared, and the pairs of classes that are tried.
constexpr std::size_t kSample = 1500, kPairs = 20;
constexpr int kAttempts = 3;

class Dichotomies {
 public:
  Dichotomies(const Dataset& data, const ScaledPoints& points, double cost, std::size_t max_columns)
      : data_(data), points_(points), cost_(cost), max_columns_(max_columns), axes_(points.axes.size()) {
    std::iota(axes_.begin(), axes_.end(), std::size_t{0});
  }

  // `classes`: those of the node, at most 2^levels. `reached`: the rows that reach it.
  EditableTree grow(const std::vector<std::size_t>& classes, const RowList& reached, int levels) {
    std::vector<bool> own(data_.classes(), false);
    for (const std::size_t c : classes) own[c] = true;
    RowList rows;
    for (const std::uint32_t row : reached) {
      if (own[data_.labels[row]]) rows.push_back(row);
    }
    const std::vector<std::size_t> present = present_in(rows);
    if (present.size() < 2) return {};
    const std::size_t room = std::size_t{1} << (levels - 1);
    std::optional<Division> best;
    const RowList sample = sample_of(rows);
    const double scale = static_cast<double>(rows.size()) / static_cast<double>(sample.size());
    for (const ClassGroup& group : candidates(present, sample, scale)) try_division(sample, group, cost_ * scale, present, room, best);
    if (!best) return {};
    const ClassGroup group = best->right;
    if (sample.size() < rows.size()) {
      best.reset();
      try_division(rows, group, cost_, present, room, best);
      if (!best) return {};
    }
    EditableTree node = EditableTree::fork({std::move(best->plane), false});
    const auto [left, right] = divide(*node.split, data_, reached);
    std::vector<std::size_t> left_classes, right_classes;
    for (const std::size_t c : present) (best->right[c] ? right_classes : left_classes).push_back(c);
    *node.left = grow(left_classes, left, levels - 1);
    *node.right = grow(right_classes, right, levels - 1);
    return node;
  }

  std::vector<std::size_t> present_in(const RowList& rows) const {
    std::vector<bool> seen(data_.classes(), false);
    for (const std::uint32_t row : rows) seen[data_.labels[row]] = true;
    std::vector<std::size_t> classes;
    for (std::size_t c = 0; c < seen.size(); ++c) {
      if (seen[c]) classes.push_back(c);
    }
    return classes;
  }

 private:
  struct Division {
    HyperplaneSplit plane;
    ClassGroup right;
    double impurity = std::numeric_limits<double>::infinity();
  };

  // Every k-th row, and the first row of each class.
  RowList sample_of(const RowList& rows) const {
    if (rows.size() <= kSample) return rows;
    const std::size_t step = (rows.size() + kSample - 1) / kSample;
    std::vector<bool> seen(data_.classes(), false);
    RowList sample;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % step == 0 || !seen[data_.labels[rows[i]]]) sample.push_back(rows[i]);
      seen[data_.labels[rows[i]]] = true;
    }
    return sample;
  }

  std::vector<ClassGroup> candidates(const std::vector<std::size_t>& classes, const RowList& rows, double scale) const {
    std::vector<ClassGroup> groups = class_groups(data_, points_, rows, classes, kDirections);
    if (classes.size() <= kAllGroups) return groups;
    const std::size_t pairs = classes.size() * (classes.size() - 1) / 2;
    const std::size_t step = (pairs + kPairs - 1) / kPairs;
    std::size_t number = 0;
    for (std::size_t a = 0; a < classes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (number++ % step == 0) groups.push_back(divided_by(classes[a], classes[b], rows, scale));
      }
    }
    return groups;
  }

  // How the hyperplane between two classes divides all of them.
  ClassGroup divided_by(std::size_t a, std::size_t b, const RowList& rows, double scale) const {
    RowList two;
    for (const std::uint32_t row : rows) {
      const auto c = static_cast<std::size_t>(data_.labels[row]);
      if (c == a || c == b) two.push_back(row);
    }
    ClassGroup right(data_.classes(), false);
    right[a] = true;
    fit_groups(data_, points_, axes_, two, right, cost_ * scale, max_columns_, 1,
               [&](const HyperplaneSplit& plane, const std::vector<double>&, const ClassGroup&) {
                 const std::vector<double> balance = class_balance(data_, rows, plane_sums(plane, data_, rows), plane.threshold);
                 for (std::size_t c = 0; c < right.size(); ++c) right[c] = balance[c] > 0;
                 return false;
               });
    return right;
  }

  static bool fits(const ClassGroup& right, const std::vector<std::size_t>& classes, std::size_t room) {
    const auto many = static_cast<std::size_t>(std::count_if(classes.begin(), classes.end(), [&](std::size_t c) { return right[c]; }));
    return many > 0 && many < classes.size() && many <= room && classes.size() - many <= room;
  }

  // Replaces `best` by a hyperplane for this division if its impurity is smaller.
  void try_division(const RowList& rows, const ClassGroup& group, double cost, const std::vector<std::size_t>& classes, std::size_t room,
                    std::optional<Division>& best) const {
    if (!fits(group, classes, room)) return;
    fit_groups(data_, points_, axes_, rows, group, cost, max_columns_, kAttempts,
               [&](HyperplaneSplit plane, const std::vector<double>& sums, const ClassGroup& right) {
                 if (!fits(right, classes, room)) return false;
                 std::vector<double> left_weight(data_.classes(), 0.0), right_weight(data_.classes(), 0.0);
                 for (std::size_t i = 0; i < rows.size(); ++i)
                   (sums[i] < plane.threshold ? left_weight : right_weight)[data_.labels[rows[i]]] += data_.weight(rows[i]);
                 const auto impure = [](const std::vector<double>& weight) {
                   return std::accumulate(weight.begin(), weight.end(), 0.0) * impurity(Criterion::gini, weight);
                 };
                 const double sum = impure(left_weight) + impure(right_weight);
                 if (!best || sum < best->impurity) best = Division{std::move(plane), right, sum};
                 return true;
               });
  }

  const Dataset& data_;
  const ScaledPoints& points_;
  double cost_;
  std::size_t max_columns_;
  std::vector<std::size_t> axes_;
};

}  // namespace

EditableTree grow_nested_dichotomies(const Dataset& data, const ScaledPoints& points, int max_depth, double cost, std::size_t max_columns) {
  Dichotomies tree(data, points, cost, max_columns);
  const RowList rows = weighty_rows(data);
  std::vector<double> weight(data.classes(), 0.0);
  for (const std::uint32_t row : rows) weight[data.labels[row]] += data.weight(row);
  std::vector<std::size_t> classes = tree.present_in(rows);
  std::stable_sort(classes.begin(), classes.end(), [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
  if (max_depth < 60 && classes.size() > std::size_t{1} << max_depth) classes.resize(std::size_t{1} << max_depth);
  return max_depth > 0 ? tree.grow(classes, rows, std::min(max_depth, 60)) : EditableTree();
}

}  // namespace treewright::grow
