// Local search on the true objective, errors + price of terms (Dunn 2018, ch. 2).
//
// Idea. Nodes are visited in random order. At a node, all of these changes are tried while the rest of the tree stays as it is. The best
// one is made if it lowers the objective, so the search ends:
//   - a new split that keeps both subtrees: every threshold of every column, every set of levels of a small category (of a large one, sets
//     that are a beginning of some order of the levels), and, with hyperplanes, a change of one coefficient;
//   - the node is replaced by its left or right subtree, or by a leaf;
//   - a leaf above the depth limit is split: the same scan with two new leaves;
//   - the subtree is replaced by the optimal one of at most two levels, if there is a solver for it. Dunn's search does not have this
//     change. It changes two or three splits at once, where changes of one split find nothing (XOR is the smallest case).
//
// Scan. Thresholds and coefficients are scanned by moving rows one by one between the two leaves that they can reach
// (subtree_rerouting.cpp). Coefficient j of a hyperplane: row i changes sides where w_j = u_i = w_j - (w.x_i - b) / x_ij. The u_i are
// sorted and scanned in the same way (Murthy, Kasif & Salzberg 1994). w_j = 0 is also tried, because it saves the price of a term. A scan
// of the threshold follows each accepted change. A hyperplane that asks about as many columns as it may gets a new one in the place of
// each of them in turn. Objectives are counted in raw units with the arithmetic of Tree::route.
//
// Cost: O(n p) for all thresholds at one level of the tree, after one sort at the start; O(n log n) for one coefficient.

#include "treewright/grow/local_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"
#include "treewright/data/ranked_rows.h"
#include "treewright/grow/pair_sweep.h"
#include "treewright/grow/subtree_rerouting.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::grow {

namespace {

constexpr std::size_t kAllSubsets = 6;  // levels, "missing" among them, whose sets are all tried

std::int64_t splits_of(const EditableTree& draft) {
  return draft.is_leaf() ? 0 : 1 + splits_of(*draft.left) + splits_of(*draft.right);
}

// Price of the terms below and at the root of the draft.
double price_of(const EditableTree& draft, double term_price) {
  return draft.is_leaf() ? 0 : term_price * terms_of(*draft.split) + price_of(*draft.left, term_price) + price_of(*draft.right, term_price);
}

// Errors, and whether every leaf has enough rows; a draft that is a leaf always has.
struct Tally {
  double errors = 0;
  bool feasible = true;
};

Tally tally(const EditableTree& draft, const Dataset& data, std::span<const std::uint32_t> rows, std::int64_t min_rows, bool root = true) {
  if (draft.is_leaf()) {
    std::vector<double> weight(data.classes(), 0.0);
    double total = 0;
    for (const std::uint32_t row : rows) {
      weight[data.labels[row]] += data.weight(row);
      total += data.weight(row);
    }
    return {total - *std::max_element(weight.begin(), weight.end()), root || counted_rows(data, rows) >= min_rows};
  }
  const auto [l, r] = divide(*draft.split, data, rows);
  const Tally left = tally(*draft.left, data, l, min_rows, false), right = tally(*draft.right, data, r, min_rows, false);
  return {left.errors + right.errors, left.feasible && right.feasible};
}

class Descent {
 public:
  Descent(const Dataset& data, const ScaledPoints& points, const LocalSearchOptions& options, Random& random, Deadline& deadline)
      : data_(data), points_(points), options_(options), random_(random), deadline_(deadline), position_(data.rows()) {
    const RowList rows = weighty_rows(data);
    for (const std::uint32_t row : rows) rounding_ += 1e-13 * data.weight(row);
    for (const Column& column : data.columns) {
      stop_point();
      order_.emplace_back();
      present_.push_back(0);
      for (const RankedRow& entry : sorted_rows(column, rows)) {
        order_.back().push_back(entry.row);
        present_.back() += entry.rank != kMissingRank;
      }
    }
  }

  void run(EditableTree& root) {
    const RowList rows = weighty_rows(data_);
    for (bool gained = true; gained;) {
      gained = false;
      std::vector<std::pair<EditableTree*, std::vector<EditableTree*>>> nodes;  // with their ancestors, root first
      collect(root, {}, nodes);
      random_.shuffle(nodes);
      for (const auto& [node, path] : nodes) {
        if (deadline_.poll(1)) return;
        RowList here = rows;
        for (std::size_t i = 0; i < path.size(); ++i) {
          auto parts = divide(*path[i]->split, data_, here);
          const EditableTree* next = i + 1 < path.size() ? path[i + 1] : node;
          here = next == path[i]->left.get() ? std::move(parts.first) : std::move(parts.second);
        }
        const std::int64_t free_splits =
            options_.max_splits < 0 ? std::numeric_limits<std::int64_t>::max() : options_.max_splits - splits_of(root) + splits_of(*node);
        if (improve(*node, here, static_cast<int>(path.size()), free_splits, path.empty())) {
          gained = true;
          break;  // nodes may be gone
        }
      }
    }
  }

 private:
  static void collect(EditableTree& node, std::vector<EditableTree*> path,
                      std::vector<std::pair<EditableTree*, std::vector<EditableTree*>>>& nodes) {
    nodes.emplace_back(&node, path);
    if (node.is_leaf()) return;
    path.push_back(&node);
    collect(*node.left, path, nodes);
    collect(*node.right, path, nodes);
  }

  // By more than sums of all weights can be off: with weights of 1e8 and 0.1, rounding alone would lower the objective again and again.
  bool lower(double cost) const { return cost < best_ - std::max(1e-9 * std::max(1.0, std::abs(best_)), rounding_); }

  bool improve(EditableTree& node, const RowList& rows, int depth, std::int64_t free_splits, bool is_root) {
    if (rows.empty()) return false;
    const double price = options_.term_price;
    best_ = tally(node, data_, rows, 0).errors + price_of(node, price);
    const double before = best_;
    if (before <= 0) return false;
    std::optional<EditableTree> replacement;
    best_split_.reset();

    const auto offer = [&](const EditableTree& candidate) {
      const Tally seen = tally(candidate, data_, rows, options_.min_rows, is_root);
      const double cost = seen.errors + price_of(candidate, price);
      if (!seen.feasible || !lower(cost)) return;
      best_ = cost;
      best_split_.reset();
      replacement = candidate.copy();
    };
    if (!node.is_leaf()) {
      scan(*node.left, *node.right, rows, price_of(*node.left, price) + price_of(*node.right, price), &*node.split);
      offer(*node.left);
      offer(*node.right);
      offer(EditableTree());
    } else if (depth < options_.max_depth && free_splits >= 1) {
      scan(EditableTree(), EditableTree(), rows, 0, nullptr);
    }
    if (options_.solve_small && depth < options_.max_depth && free_splits >= 1) {
      if (auto small = options_.solve_small(rows, std::min(2, options_.max_depth - depth), std::min<std::int64_t>(free_splits, 3), best_)) {
        offer(*small);
      }
    }
    if (best_split_) {
      // The scan moves weights from side to side one by one, and of very unequal ones the light get lost: without a recount the search
      // would go in circles.
      EditableTree candidate = node.is_leaf() ? EditableTree::fork(std::move(*best_split_)) : node.copy();
      if (!node.is_leaf()) candidate.split = std::move(best_split_);
      best_ = before;
      if (!lower(tally(candidate, data_, rows, 0).errors + price_of(candidate, price))) return false;
      node = std::move(candidate);
      return true;
    }
    if (!replacement) return false;
    node = std::move(*replacement);
    return true;
  }

  // The best split above two given subtrees, whose terms cost `below`; left in best_split_ if it lowers best_.
  void scan(const EditableTree& left, const EditableTree& right, const RowList& rows, double below, const Split* now) {
    const SubtreeRerouting rerouting(left, right, data_, rows);
    LeafCounts counts(data_, rerouting.leaves, options_.min_rows);
    std::fill(position_.begin(), position_.end(), kAbsent);
    for (std::uint32_t i = 0; i < rows.size(); ++i) position_[rows[i]] = i;
    for (std::size_t f = 0; f < data_.features(); ++f) {
      stop_point();
      if (data_.columns[f].kind == ColumnKind::numeric) {
        scan_thresholds(f, rerouting, counts, below + options_.term_price);
      } else {
        scan_sets(f, rerouting, counts, below + options_.term_price);
      }
    }
    if (!options_.hyperplanes) return;
    if (now != nullptr) scan_plane(*now, rerouting, counts, below);
    if (best_split_ || options_.max_columns < 2 || options_.max_columns >= data_.features()) return;
    if (std::optional<PairLine> line = sweep_pairs(data_, points_, rerouting)) {
      change_plane(std::move(line->weights), line->offset, rerouting, counts, below);
    }
  }

  void accept(double errors, double extra, Split split) {
    best_ = errors + extra;
    best_split_ = std::move(split);
  }

  void scan_thresholds(std::size_t f, const SubtreeRerouting& rerouting, LeafCounts& counts, double extra) {
    const std::vector<double>& values = data_.columns[f].values;
    std::vector<std::uint32_t> order;
    std::vector<double> key(rerouting.rows.size());
    for (std::size_t i = 0; i < present_[f]; ++i) {
      const std::uint32_t at = position_[order_[f][i]];
      if (at == kAbsent) continue;
      order.push_back(at);
      key[at] = values[order_[f][i]];
    }
    if (order.empty()) return;
    const bool misses = order.size() < rerouting.rows.size();
    const FeatureId feature{static_cast<std::int32_t>(f)};
    for (const bool missing_left : {false, true}) {
      if (missing_left && !misses) break;
      std::vector<std::uint8_t> left(rerouting.rows.size(), missing_left);
      for (const std::uint32_t at : order) left[at] = 0;
      const BestCut cut = best_cut(rerouting, order, key, left, counts, best_ - extra - rounding_, false, 0);
      if (cut.found) accept(cut.errors, extra, {AxisSplit{feature, midpoint(cut.below, cut.above)}, missing_left});
    }
    if (!misses) return;
    std::vector<std::uint8_t> has_value(rerouting.rows.size(), 0);
    for (const std::uint32_t at : order) has_value[at] = 1;
    rerouting.fill(counts, has_value);
    if (counts.feasible() && lower(counts.errors() + extra)) {
      accept(counts.errors(), extra, {AxisSplit{feature, std::numeric_limits<double>::max()}, false});
    }
  }

  void scan_sets(std::size_t f, const SubtreeRerouting& rerouting, LeafCounts& counts, double extra) {
    const Column& column = data_.columns[f];
    const auto missing = static_cast<std::uint32_t>(column.levels.size());
    std::vector<std::uint32_t> level(rerouting.rows.size()), present;
    std::vector<double> weight((missing + 1) * data_.classes(), 0.0);
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::int32_t code = column.codes[rerouting.rows[i]];
      level[i] = code < 0 ? missing : static_cast<std::uint32_t>(code);
      weight[level[i] * data_.classes() + data_.labels[rerouting.rows[i]]] += data_.weight(rerouting.rows[i]);
      present.push_back(level[i]);
    }
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    if (present.size() < 2) return;

    std::vector<std::uint8_t> left(level.size());
    std::vector<bool> in_set(missing + 1);
    const auto accept_set = [&](double errors) {
      accept(errors, extra, {CategorySplit{FeatureId{static_cast<std::int32_t>(f)}, {in_set.begin(), in_set.end() - 1}}, in_set[missing]});
    };
    if (present.size() <= kAllSubsets) {
      for (unsigned set = 1; set + 1 < 1u << present.size(); ++set) {
        for (std::size_t i = 0; i < present.size(); ++i) in_set[present[i]] = (set >> i & 1) != 0;
        for (std::size_t i = 0; i < level.size(); ++i) left[i] = in_set[level[i]];
        rerouting.fill(counts, left);
        if (counts.feasible() && lower(counts.errors() + extra)) accept_set(counts.errors());
      }
      return;
    }
    // By the share of each class: for two classes and two new leaves one of these sets is optimal (Breiman et al. 1984, theorem 4.5).
    std::vector<double> key(level.size()), share(missing + 1), place(missing + 1);
    std::vector<std::uint32_t> order(level.size());
    for (std::size_t c = 0; c < data_.classes(); ++c) {
      stop_point();
      for (const std::uint32_t l : present) {
        const double* const w = weight.data() + l * data_.classes();
        const double total = std::accumulate(w, w + data_.classes(), 0.0);
        share[l] = total > 0 ? w[c] / total : 0.0;
      }
      std::stable_sort(present.begin(), present.end(), [&](std::uint32_t a, std::uint32_t b) { return share[a] < share[b]; });
      for (std::size_t i = 0; i < present.size(); ++i) place[present[i]] = static_cast<double>(i);
      for (std::size_t i = 0; i < level.size(); ++i) key[i] = place[level[i]];
      std::iota(order.begin(), order.end(), std::uint32_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
      for (const bool first_left : {true, false}) {
        std::fill(left.begin(), left.end(), !first_left);
        const BestCut cut = best_cut(rerouting, order, key, left, counts, best_ - extra - rounding_, false, 0);
        if (!cut.found) continue;
        std::fill(in_set.begin(), in_set.end(), !first_left);
        for (std::size_t i = 0; static_cast<double>(i) <= cut.below; ++i) in_set[present[i]] = first_left;
        accept_set(cut.errors);
      }
    }
  }

  // One coefficient after the other, each at its best value with the others fixed, until a round over them gains nothing.
  void scan_plane(const Split& now, const SubtreeRerouting& rerouting, LeafCounts& counts, double below) {
    std::vector<double> weights;
    double offset = 0;
    const auto from_axis = [&](const AxisSplit& axis) {
      weights.assign(points_.axes.size(), 0.0);
      for (std::size_t a = 0; a < weights.size(); ++a) {
        const Axis& from = points_.axes[a];
        if (from.feature != axis.feature || from.level >= 0) continue;
        weights[a] = 1;
        offset = (axis.threshold - from.center) / from.scale;
      }
      if (!(std::abs(offset) < 1e6)) weights.clear();  // "has a value?"
    };
    const auto from_plane = [&](const HyperplaneSplit& plane) {
      ScaledPlane scaled = in_scaled_units(plane, points_.axes);
      weights = std::move(scaled.h);
      offset = scaled.g;
    };
    match(now.rule, from_axis, from_plane, [](const CategorySplit&) {});
    change_plane(std::move(weights), offset, rerouting, counts, below);
  }

  void change_plane(std::vector<double> weights, double offset, const SubtreeRerouting& rerouting, LeafCounts& counts, double below) {
    if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; })) return;
    std::vector<std::size_t> axes(weights.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    random_.shuffle(axes);
    product_.assign(rerouting.rows.size(), 0.0);
    for (std::size_t i = 0; i < product_.size(); ++i) {
      const std::span<const double> x = points_.row(rerouting.rows[i]);
      for (std::size_t k = 0; k < weights.size(); ++k) product_[i] += weights[k] * x[k];
    }
    const bool limited = options_.max_columns < data_.features();
    for (bool gained = true; gained && !deadline_.poll();) {
      gained = false;
      for (const std::size_t a : axes) {
        const std::vector<FeatureId> others = limited ? other_columns(weights, points_.axes[a].feature) : std::vector<FeatureId>();
        if (others.size() < options_.max_columns) {
          gained |= change_coefficient(a, weights, offset, rerouting, counts, below);
        } else {
          gained |= change_column(a, others, weights, offset, rerouting, counts, below);
        }
      }
    }
  }

  // The columns with a weight, but for this one.
  std::vector<FeatureId> other_columns(const std::vector<double>& weights, FeatureId but) const {
    std::vector<FeatureId> columns;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const FeatureId feature = points_.axes[k].feature;
      if (weights[k] != 0 && feature != but && (columns.empty() || columns.back() != feature)) columns.push_back(feature);
    }
    return columns;
  }

  // Where the hyperplane asks about as many columns as it may: the axis takes the place of one of them.
  bool change_column(std::size_t a, const std::vector<FeatureId>& columns, std::vector<double>& weights, double& offset,
                     const SubtreeRerouting& rerouting, LeafCounts& counts, double below) {
    bool gained = false;
    for (std::size_t c = 0; c < columns.size() && columns.size() > 1 && !gained; ++c) {
      const std::vector<double> kept_weights = weights, kept_product = product_;
      const double kept_offset = offset;
      for (std::size_t k = 0; k < weights.size(); ++k) {
        if (weights[k] == 0 || points_.axes[k].feature != columns[c]) continue;
        for (std::size_t i = 0; i < product_.size(); ++i) product_[i] -= weights[k] * points_.row(rerouting.rows[i])[k];
        weights[k] = 0;
      }
      gained = change_coefficient(a, weights, offset, rerouting, counts, below);
      if (gained) break;
      weights = kept_weights;
      product_ = kept_product;
      offset = kept_offset;
    }
    return gained;
  }

  bool change_coefficient(std::size_t a, std::vector<double>& weights, double& offset, const SubtreeRerouting& rerouting,
                          LeafCounts& counts, double below) {
    stop_point();
    const std::size_t rows = rerouting.rows.size();
    double others = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) others += k != a && weights[k] != 0;
    const double with = below + options_.term_price * (others + 1), without = below + options_.term_price * others;

    const double old = weights[a];
    std::vector<double> key(rows);
    std::vector<std::uint8_t> left(rows);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < rows; ++i) {
      const double x = points_.row(rerouting.rows[i])[a], rest = product_[i] - old * x - offset;
      // Left iff rest + w x < 0. For w far below zero a row with x > 0 is left, and passes to the right at -rest / x.
      left[i] = x > 0 || (x == 0 && rest < 0);
      if (x == 0) continue;
      key[i] = -rest / x;
      order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t p, std::uint32_t q) { return key[p] < key[q]; });
    bool gained = false;
    const BestCut cut = best_cut(rerouting, order, key, left, counts, best_ - with - rounding_, false, 0);
    const auto try_value = [&](double value, double extra) {
      const double kept = weights[a];
      weights[a] = value;
      if (!settle(weights, offset, rerouting, counts, extra)) {
        weights[a] = kept;
        return;
      }
      for (std::size_t i = 0; i < rows; ++i) product_[i] += (value - kept) * points_.row(rerouting.rows[i])[a];
      gained = true;
    };
    if (cut.found) try_value(midpoint(cut.below, cut.above), with);
    if (others > 0 && weights[a] != 0) try_value(0, without);
    return gained;
  }

  // The best threshold of the hyperplane with these weights, in raw units; kept if it lowers best_.
  bool settle(std::vector<double>& weights, double& offset, const SubtreeRerouting& rerouting, LeafCounts& counts, double extra) {
    HyperplaneSplit plane = in_raw_units({weights, offset}, points_.axes);
    if (plane.terms.empty()) return false;
    const std::vector<double> sums = plane_sums(plane, data_, rerouting.rows);
    const BestCut cut = best_threshold(rerouting, sums, counts, best_ - extra - rounding_, false, plane.threshold);
    if (!cut.found) return false;
    const double threshold = midpoint(cut.below, cut.above);
    offset += threshold - plane.threshold;
    plane.threshold = threshold;
    accept(cut.errors, extra, {std::move(plane), false});
    return true;
  }

  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  const Dataset& data_;
  const ScaledPoints& points_;
  const LocalSearchOptions& options_;
  Random& random_;
  Deadline& deadline_;
  std::vector<RowList> order_;        // rows by value, the missing ones at the end; per column
  std::vector<std::size_t> present_;  // rows that have a value; per column
  std::vector<std::uint32_t> position_;
  std::vector<double> product_;  // weights . x of each row of the node, while its hyperplane is worked on
  double rounding_ = 0;          // of a sum of weights
  double best_ = 0;              // objective of the node's subtree that a change has to lower
  std::optional<Split> best_split_;
};

// Takes back a split that does not pay, leaves out terms as long as that costs nothing, and centers what is left.
void polish_node(EditableTree& node, const Dataset& data, std::span<const std::uint32_t> rows, const LocalSearchOptions& options) {
  if (node.is_leaf()) return;
  const auto [l, r] = divide(*node.split, data, rows);
  polish_node(*node.left, data, l, options);
  polish_node(*node.right, data, r, options);
  const double leaf = tally(EditableTree(), data, rows, 0).errors;
  const double whole = tally(node, data, rows, 0).errors + price_of(node, options.term_price);
  if (whole >= leaf - 1e-9 * std::max(1.0, leaf)) {
    node = EditableTree();
    return;
  }
  HyperplaneSplit* plane = node.split->plane();
  if (plane == nullptr) return;
  const SubtreeRerouting rerouting(*node.left, *node.right, data, rows);
  LeafCounts counts(data, rerouting.leaves, options.min_rows);
  rerouting.fill(counts, sides(*node.split, data, rows));
  double errors = counts.errors();
  const auto recut = [&](HyperplaneSplit candidate, double allowed) {
    const std::vector<double> sums = plane_sums(candidate, data, rows);
    const BestCut cut = best_threshold(rerouting, sums, counts, allowed, true, candidate.threshold);
    if (!cut.found) return false;
    candidate.threshold = midpoint(cut.below, cut.above);
    errors = cut.errors;
    *plane = std::move(candidate);
    return true;
  };
  // Terms stand by weight: what is least is last.
  while (plane->terms.size() > 1) {
    stop_point();
    HyperplaneSplit fewer = *plane;
    const auto& last = fewer.terms.back();
    fewer.threshold -= last.weight * last.if_missing.value_or(0);
    fewer.terms.pop_back();
    if (!recut(std::move(fewer), errors + options.term_price)) break;
  }
}

}  // namespace

double draft_cost(const EditableTree& draft, const Dataset& data, std::span<const std::uint32_t> rows, double term_price) {
  return tally(draft, data, rows, 0).errors + price_of(draft, term_price);
}

void descend(EditableTree& draft, const Dataset& data, const ScaledPoints& points, const LocalSearchOptions& options, Random& random,
             Deadline& deadline) {
  Descent(data, points, options, random, deadline).run(draft);
}

void polish(EditableTree& draft, const Dataset& data, const LocalSearchOptions& options) {
  polish_node(draft, data, weighty_rows(data), options);
}

}  // namespace treewright::grow
