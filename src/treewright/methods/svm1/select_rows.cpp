// Fewer rows to train on: the data selection of Zhu et al. 2020 (Z20, section 3 and supplement B).
//
// A heuristic tree divides the rows into clusters N: the rows of one class in one leaf. A row is extreme if it lies outside the convex hull
// of the other rows of its cluster, that is, if it is not a weighted average of them. If a new tree puts the extreme rows of a cluster into
// one leaf, the rows inside the hull follow. So training does not need these. Algorithm 1, for each cluster (d: number of columns; beta1:
// hull_share; beta2: support_share; eps': hull_eps):
//
//   divide N into I_N   rows inside the hull of others, or within eps' of it
//             and J_N   rows that support a row of I_N: they have a weight of at least 1 / (d + 1) in its weighted average (at least
//                       one row has, because d + 1 rows are enough for an average)
//             and K_N   the rest: extreme rows that support little or nothing;
//   if |I_N| >= (1 - beta1) |N|      select J_N and K_N, all extreme rows: they are few
//   else if |J_N| > beta2 |N|        select J_N
//   else                             select J_N, and the rows of K_N nearest to the hyperplanes on the path to the leaf: beta2 |N| rows
//
// With many columns nearly every row is extreme, and the last case applies. It keeps rows near the old hyperplanes, as a support vector
// machine does. beta2 |N| is rounded up, so no class loses its last row.
//
// Algorithm 3 divides other clusters in the same way: the correctly classified rows of a leaf. There J holds the rows that support any row.
// The paper trains on all of K. Here beta2 limits K as in Algorithm 1, because K may be nearly everything.

#include "treewright/methods/svm1/select_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "treewright/methods/svm1/objective.h"
#include "treewright/reduce/balanced.h"

namespace treewright::svm1 {

namespace {

using Kind = SelectedRow::Kind;

class Selection {
 public:
  Selection(const Dataset& data, const Tree& tree, std::span<const Axis> axes, const SelectOptions& options, ThreadPool& pool,
            Deadline& deadline)
      : data_(data), tree_(tree), axes_(axes), options_(options), pool_(pool), deadline_(deadline), points_(points_of(data, axes)) {}

  std::vector<SelectedRow> by_class() {
    std::map<std::pair<NodeId, std::int32_t>, std::vector<std::uint32_t>> clusters;
    each_row([&](std::uint32_t row, NodeId leaf) { clusters[{leaf, data_.labels[row]}].push_back(row); });
    for (const auto& [key, rows] : clusters) select(rows, key.first, 1.0 / static_cast<double>(points_.axes + 1), options_.balanced);
    return sorted();
  }

  std::vector<SelectedRow> by_correctness() {
    std::map<NodeId, std::vector<std::uint32_t>> clusters;
    each_row([&](std::uint32_t row, NodeId leaf) {
      if (tree_.node(leaf).label == data_.labels[row]) {
        clusters[leaf].push_back(row);
      } else {
        selected_.push_back({row, leaf, Kind::wrong});
      }
    });
    for (const auto& [leaf, rows] : clusters) select(rows, leaf, 1e-9, options_.balanced);
    return sorted();
  }

 private:
  template <class Visit>
  void each_row(const Visit& visit) {
    for (std::uint32_t row = 0; row < data_.rows(); ++row) {
      if (data_.weight(row) > 0) visit(row, tree_.route(data_, row));
    }
  }

  // `least`: smallest weight of a supporting row (J).
  void select(const std::vector<std::uint32_t>& rows, NodeId leaf, double least, bool balanced) {
    if (balanced) {
      for (const std::uint32_t row : reduce::balanced_rows(points_, rows, options_.solver, pool_, deadline_))
        selected_.push_back({row, leaf, Kind::support});
      return;
    }
    const reduce::HullRows hull = reduce::divide_by_hull(points_, rows, options_.eps, pool_, deadline_);
    std::vector<std::uint32_t> support, others = hull.untested;
    for (std::size_t i = 0; i < hull.extreme.size(); ++i) (hull.largest[i] >= least ? support : others).push_back(hull.extreme[i]);
    const auto n = static_cast<double>(rows.size());
    const auto room = static_cast<std::size_t>(std::ceil(options_.beta2 * n));
    if (!hull.untested.empty() || static_cast<double>(hull.inside.size()) < (1 - options_.beta1) * n) {
      keep_nearest(others, leaf, room > support.size() ? room - support.size() : 0);
      if (others.empty() && support.empty()) others = {rows.front()};
    }
    for (const std::uint32_t row : support) selected_.push_back({row, leaf, Kind::support});
    for (const std::uint32_t row : others) selected_.push_back({row, leaf, Kind::other});
  }

  void keep_nearest(std::vector<std::uint32_t>& rows, NodeId leaf, std::size_t count) const {
    std::vector<std::pair<const Split*, double>> planes;  // hyperplanes on the path to the leaf, and |h|_2
    for (NodeId at = Tree::root(), next = at; !tree_.node(at).is_leaf(); at = next) {
      const Node& node = tree_.node(at);
      next = contains(node.left, leaf) ? node.left : node.right;
      if (node.set() != nullptr) continue;
      double squares = 0;
      for (const double h : in_scaled_units(node.split->rule, axes_).h) squares += h * h;
      if (squares > 0) planes.emplace_back(&*node.split, std::sqrt(squares));
    }
    std::vector<std::pair<double, std::uint32_t>> order;
    for (const std::uint32_t row : rows) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const auto& [split, length] : planes) nearest = std::min(nearest, std::abs(svm1_distance(*split, data_, row, axes_)) / length);
      order.emplace_back(nearest, row);
    }
    std::sort(order.begin(), order.end());
    rows.clear();
    for (std::size_t i = 0; i < std::min(count, order.size()); ++i) rows.push_back(order[i].second);
  }

  bool contains(NodeId id, NodeId leaf) const {
    if (id == leaf) return true;
    const Node& node = tree_.node(id);
    return !node.is_leaf() && (contains(node.left, leaf) || contains(node.right, leaf));
  }

  std::vector<SelectedRow> sorted() {
    std::sort(selected_.begin(), selected_.end(), [](const SelectedRow& a, const SelectedRow& b) { return a.row < b.row; });
    return std::move(selected_);
  }

  const Dataset& data_;
  const Tree& tree_;
  std::span<const Axis> axes_;
  const SelectOptions& options_;
  ThreadPool& pool_;
  Deadline& deadline_;
  PointMatrix points_;
  std::vector<SelectedRow> selected_;
};

}  // namespace

PointMatrix points_of(const Dataset& data, std::span<const Axis> axes) {
  std::vector<Axis> all(axes.begin(), axes.end());
  for (std::size_t f = 0; f < data.features(); ++f) {
    for (std::size_t level = 0; level < data.columns[f].levels.size(); ++level) {
      all.push_back({FeatureId{static_cast<std::int32_t>(f)}, static_cast<std::int32_t>(level)});
    }
  }
  return coordinates(data, all);
}

std::vector<SelectedRow> select_rows(const Dataset& data, const Tree& tree, std::span<const Axis> axes, const SelectOptions& options,
                                     ThreadPool& pool, Deadline& deadline) {
  return Selection(data, tree, axes, options, pool, deadline).by_class();
}

std::vector<SelectedRow> rows_of_round(const Dataset& data, const Tree& tree, std::span<const Axis> axes, const SelectOptions& options,
                                       ThreadPool& pool, Deadline& deadline) {
  return Selection(data, tree, axes, options, pool, deadline).by_correctness();
}

}  // namespace treewright::svm1
