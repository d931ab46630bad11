// SVM1-ODT as a mixed-integer program: Zhu et al. 2020 (Z20), model (1), its cuts, and the categories of its supplement.
//
// Complete tree, inner nodes b, leaves l, classes 1..Y; columns scaled to [0, 1]; M = 1 with eps for the paper's eps / M (Theorem 2).
//
//   minimize  sum_i weight_i c_i + sum_{i,b} price_i m_ib + alpha2 sum_b |h_b|_1                                                      (1a)
//   (y_i - Y) c_i <= y_i - yhat_i <= (y_i - 1) c_i                       c_i = 1: row i is misclassified                             (1b)
//   yhat_i = sum_l w_il,  w_il = u_l e_il                                u_l in [1, Y]: the label of leaf l (Theorem 1)
//   (1c)-(1e) g_b - h_b . x_i = p+_ib - p-_ib
//   (1f) p+_ib <= 1 - e_il,  p-_ib + m_ib >= eps e_il                         b has leaf l on its right
//   (1g), (1h) p-_ib <= 1 - e_il,  p+_ib + m_ib >= eps e_il                         b has leaf l on its left
//   (1i), (1j) sum_l e_il = 1
//   (1k)
//
// |h| is the sum of h+ and h-. `price` is alpha1 times the row's weight; in a round of Algorithm 3 the weights change and the prices stay.
// Rule side_rows: the constraints (1g)-(1j), (8c) and (8d) are summed over the leaves below a side. The sum of e is at most 1, so this is
// the same for integer points, and tighter.
//
// Categories (8). h_bj = 1: node b splits by column j. At most one column does (8a), and then there are no weights on numbers, which the
// paper bounds by 1 for it (8e). s_bjv: level v goes left (8b)-(8d). Then (1h) and (1j) demand nothing. Missing values are one more level.
// Rule wide_weights: without (8e). No bound on weights is large enough: of two columns that are nearly equal, hyperplanes at most 1 from
// every row have weights of any size. And none is needed: at a node that splits by a category, h = 0 and g = 0 keep (1c)-(1g) whatever
// the sides, and cost nothing, so weights there are never of use.
//
// The cuts are in cuts.cpp.
//
// Weakness of the model. Rows on a hyperplane choose their side, and with h = 0, g = 0 all rows do. `decode` moves a threshold between its
// two sides if it can, and the caller evaluates the routed tree. A tree whose hyperplanes are at most 1 from every row is a point of the
// model, so the bound holds for these trees.

#include "treewright/methods/svm1/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/methods/svm1/objective.h"

namespace treewright::svm1 {

Svm1Formulation::Svm1Formulation(const Svm1Problem& problem, const formulate::Strengthening& rules)
    : problem_(problem), rules_(rules), shape_{problem.max_depth}, rows_(grow::weighty_rows(problem.data)) {
  for (std::size_t f = 0; f < problem.data.features(); ++f) {
    if (problem.data.columns[f].kind == ColumnKind::categorical) categories_.push_back(f);
  }
  expect_size(size(), problem.max_depth, static_cast<double>(rows_.size()));
  model_.name = "svm1";
  add_variables();
  add_labels();
  add_planes();
  add_categories();
  add_cuts();
}

mip::ModelSize Svm1Formulation::size() const {
  const double depth = shape_.depth, leaves = std::ldexp(1.0, shape_.depth), axes = static_cast<double>(problem_.axes.size());
  const auto rows = static_cast<double>(rows_.size()), sets = static_cast<double>(categories_.size());
  double levels_of_all = 0;
  for (std::size_t c = 0; c < categories_.size(); ++c) levels_of_all += static_cast<double>(levels(c));
  // Constraints that tie a row to the sides of a node, of each kind.
  const double sides = rules_.side_rows ? 2 * leaves : leaves * depth;
  mip::ModelSize size{rows * (5 * leaves + 2) + leaves * (2 * axes + sets + levels_of_all + 2), rows * (5 * leaves + 2 * sides + 4), 0};
  size.terms = rows * (leaves * (10 + 2 * axes + 3) + 2 * leaves * depth + 4 * sides + 8 + 2 * sides * sets);
  // Categories.
  const double bounds = rules_.wide_weights ? 0 : 2 * axes;
  size = size + mip::ModelSize{0, leaves * (levels_of_all + bounds + 1), leaves * (2 * levels_of_all + bounds * (2 + sets) + sets)};
  if (sets > 0) size = size + mip::ModelSize{0, rows * sides, rows * (2 * sides * sets + leaves * depth)};
  return size + cut_size();
}

std::size_t Svm1Formulation::levels(std::size_t category) const {
  const Column& column = problem_.data.columns[categories_[category]];
  return column.levels.size() + (column.has_missing() ? 1 : 0);
}

double Svm1Formulation::u(std::size_t row, std::size_t axis) const {
  return coordinate(problem_.axes[axis], problem_.data, row);
}

bool Svm1Formulation::is_left(int leaf, int node) const {
  return leaf >= shape_.first_leaf(2 * node) && leaf < shape_.last_leaf(2 * node);
}

bool Svm1Formulation::is_right(int leaf, int node) const {
  return leaf >= shape_.first_leaf(2 * node + 1) && leaf < shape_.last_leaf(2 * node + 1);
}

std::vector<std::int32_t> Svm1Formulation::level_of(std::size_t category) const {
  const Column& column = problem_.data.columns[categories_[category]];
  std::vector<std::int32_t> levels;
  for (const std::uint32_t row : rows_) {
    levels.push_back(column.codes[row] < 0 ? static_cast<std::int32_t>(column.levels.size()) : column.codes[row]);
  }
  return levels;
}

void Svm1Formulation::add_variables() {
  const auto classes = static_cast<double>(problem_.data.classes());
  const int nodes = shape_.inner_end(), leaves = shape_.leaf_end();
  g_.resize(nodes);
  plus_.resize(nodes);
  minus_.resize(nodes);
  by_.resize(nodes);
  set_.resize(nodes);
  label_.resize(leaves);
  for (int b = 1; b < nodes; ++b) {
    g_[b] = model_.add(fmt::format("g_{}", b), -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
    for (std::size_t j = 0; j < problem_.axes.size(); ++j) {
      plus_[b].push_back(model_.add(fmt::format("hp_{}_{}", b, j), 0, mip::MipModel::kInfinity, problem_.alpha2));
      minus_[b].push_back(model_.add(fmt::format("hm_{}_{}", b, j), 0, mip::MipModel::kInfinity, problem_.alpha2));
    }
    for (std::size_t c = 0; c < categories_.size(); ++c) {
      by_[b].push_back(model_.add_binary(fmt::format("by_{}_{}", b, c), problem_.alpha2));
      std::vector<int>& variables = set_[b].emplace_back();
      for (std::size_t v = 0; v < levels(c); ++v) {
        variables.push_back(model_.add_binary(fmt::format("s_{}_{}_{}", b, c, v)));
      }
    }
  }
  for (int l = nodes; l < leaves; ++l) label_[l] = model_.add(fmt::format("u_{}", l), 1, classes, 0, !rules_.real_labels);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    wrong_.push_back(model_.add_binary(fmt::format("c_{}", i), problem_.data.weight(rows_[i])));
    label_of_.push_back(model_.add(fmt::format("yhat_{}", i), 1, classes));
    auto& in = in_.emplace_back(leaves);
    auto& product = product_.emplace_back(leaves);
    for (int l = nodes; l < leaves; ++l) {
      in[l] = model_.add_binary(fmt::format("in_{}_{}", i, l));
      product[l] = model_.add(fmt::format("w_{}_{}", i, l), 0, classes);
    }
    auto& slack = slack_.emplace_back(nodes);
    auto& above = above_.emplace_back(nodes);
    auto& below = below_.emplace_back(nodes);
    for (int b = 1; b < nodes; ++b) {
      slack[b] = model_.add(fmt::format("m_{}_{}", i, b), 0, rules_.upper_bounds ? problem_.eps : mip::MipModel::kInfinity,
                            problem_.slack_price[rows_[i]]);
      above[b] = model_.add(fmt::format("pp_{}_{}", i, b), 0, 1);
      below[b] = model_.add(fmt::format("pm_{}_{}", i, b), 0, 1);
    }
  }
}

void Svm1Formulation::add_labels() {
  const auto classes = static_cast<double>(problem_.data.classes());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double y = problem_.data.labels[rows_[i]] + 1;
    model_.at_least(fmt::format("too_high_{}", i), {{label_of_[i], -1}, {wrong_[i], classes - y}}, -y);
    model_.at_most(fmt::format("too_low_{}", i), {{label_of_[i], -1}, {wrong_[i], 1 - y}}, -y);
    Terms sum{{label_of_[i], -1}}, one;
    for (int l = shape_.inner_end(); l < shape_.leaf_end(); ++l) {
      const int in = in_[i][l], product = product_[i][l];
      sum.push_back({product, 1});
      one.push_back({in, 1});
      model_.at_least(fmt::format("product_low_{}_{}", i, l), {{product, 1}, {in, -1}}, 0);
      model_.at_least(fmt::format("product_below_{}_{}", i, l), {{label_[l], 1}, {product, -1}, {in, 1}}, 1);
      model_.at_most(fmt::format("product_above_{}_{}", i, l), {{in, classes}, {label_[l], 1}, {product, -1}}, classes);
      model_.at_most(fmt::format("product_high_{}_{}", i, l), {{product, 1}, {in, -classes}}, 0);
    }
    model_.equal(fmt::format("label_{}", i), std::move(sum), 0);
    model_.equal(fmt::format("one_leaf_{}", i), std::move(one), 1);
  }
}

void Svm1Formulation::add_planes() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (int b = 1; b < shape_.inner_end(); ++b) {
      Terms plane{{g_[b], 1}, {above_[i][b], -1}, {below_[i][b], 1}};
      for (std::size_t j = 0; j < problem_.axes.size(); ++j) {
        plane.push_back({plus_[b][j], -u(rows_[i], j)});
        plane.push_back({minus_[b][j], u(rows_[i], j)});
      }
      model_.equal(fmt::format("plane_{}_{}", i, b), std::move(plane), 0);
      for (const bool left : {true, false}) {
        for_sides(i, b, left, [&](const std::string& name, const std::vector<int>& leaves) {
          // A left row has p- = 0 and p+ + m >= eps; a right row the reverse.
          Terms zero{{left ? below_[i][b] : above_[i][b], 1}}, room{{left ? above_[i][b] : below_[i][b], 1}, {slack_[i][b], 1}};
          for (const int in : leaves) {
            zero.push_back({in, 1});
            room.push_back({in, -problem_.eps});
          }
          for (const int by : by_[b]) room.push_back({by, problem_.eps});
          const char* side = left ? "left" : "right";
          model_.at_most(fmt::format("{}_{}", side, name), std::move(zero), 1);
          model_.at_least(fmt::format("{}_room_{}", side, name), std::move(room), 0);
        });
      }
    }
  }
}

void Svm1Formulation::for_sides(std::size_t row, int node, bool left,
                                const std::function<void(const std::string& name, const std::vector<int>& in)>& add) {
  std::vector<int> in;
  for (int l = shape_.inner_end(); l < shape_.leaf_end(); ++l) {
    if (!(left ? is_left(l, node) : is_right(l, node))) continue;
    in.push_back(in_[row][l]);
    if (!rules_.side_rows) add(fmt::format("{}_{}_{}", row, node, l), {in.back()});
  }
  if (rules_.side_rows) add(fmt::format("{}_{}", row, node), in);
}

void Svm1Formulation::add_categories() {
  if (categories_.empty()) return;
  for (int b = 1; b < shape_.inner_end(); ++b) {
    Terms one;
    for (std::size_t c = 0; c < categories_.size(); ++c) {
      one.push_back({by_[b][c], 1});
      for (std::size_t v = 0; v < set_[b][c].size(); ++v) {
        model_.at_most(fmt::format("set_{}_{}_{}", b, c, v), {{set_[b][c][v], 1}, {by_[b][c], -1}}, 0);
      }
    }
    for (std::size_t j = 0; j < problem_.axes.size() && !rules_.wide_weights; ++j) {
      Terms up{{plus_[b][j], 1}, {minus_[b][j], -1}}, down{{plus_[b][j], -1}, {minus_[b][j], 1}};
      for (const int by : by_[b]) {
        up.push_back({by, 1});
        down.push_back({by, 1});
      }
      model_.at_most(fmt::format("weight_or_set_{}_{}", b, j), std::move(up), 1);
      model_.at_most(fmt::format("minus_weight_or_set_{}_{}", b, j), std::move(down), 1);
    }
    model_.at_most(fmt::format("one_category_{}", b), std::move(one), 1);
  }
  std::vector<std::vector<std::int32_t>> level;
  for (std::size_t c = 0; c < categories_.size(); ++c) level.push_back(level_of(c));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (int b = 1; b < shape_.inner_end(); ++b) {
      Terms set, by;
      for (std::size_t c = 0; c < categories_.size(); ++c) {
        set.push_back({set_[b][c][static_cast<std::size_t>(level[c][i])], 1});
        by.push_back({by_[b][c], 1});
      }
      for (const bool left : {true, false}) {
        for_sides(i, b, left, [&](const std::string& name, const std::vector<int>& leaves) {
          Terms terms = set;
          for (const mip::MipModel::Term& term : by) terms.push_back({term.variable, left ? -1.0 : 1.0});
          for (const int in : leaves) terms.push_back({in, left ? -1.0 : 1.0});
          if (left) {
            model_.at_least("set_left_" + name, std::move(terms), -1);
          } else {
            model_.at_most("set_right_" + name, std::move(terms), 2);
          }
        });
      }
    }
  }
}

// Enters the split of node t, and the rows' distances from it; whether the model has it.
bool Svm1Formulation::encode_split(const Split& split, int t, std::vector<double>& values, std::vector<double>& distance) const {
  if (const CategorySplit* set = split.set()) {
    const auto at = std::find(categories_.begin(), categories_.end(), static_cast<std::size_t>(+set->feature));
    const auto c = static_cast<std::size_t>(at - categories_.begin());
    values[by_[t][c]] = 1;
    values[g_[t]] = 0;
    for (std::size_t v = 0; v < set->left.size(); ++v) values[set_[t][c][v]] = set->left[v];
    if (set_[t][c].size() > set->left.size()) values[set_[t][c].back()] = split.missing_left;
    std::fill(distance.begin(), distance.end(), 0.0);
  } else {
    if (const HyperplaneSplit* plane = split.plane()) {
      for (const auto& term : plane->terms) {
        if (term.level >= 0) return false;
      }
    }
    const ScaledPlane plane = in_scaled_units(split.rule, problem_.axes);
    values[g_[t]] = plane.g;
    for (std::size_t j = 0; j < plane.h.size(); ++j) {
      values[plus_[t][j]] = std::max(0.0, plane.h[j]);
      values[minus_[t][j]] = std::max(0.0, -plane.h[j]);
      if (!categories_.empty() && !rules_.wide_weights && std::abs(plane.h[j]) > 1) return false;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      distance[i] = -plane.g;
      for (std::size_t j = 0; j < plane.h.size(); ++j) distance[i] += plane.h[j] * u(rows_[i], j);
      if (std::abs(distance[i]) > 1 + 1e-9) return false;
    }
  }
  return true;
}

std::optional<std::vector<double>> Svm1Formulation::encode(const Tree& tree) const {
  std::vector<double> values(model_.variables.size(), 0.0);
  std::vector<std::vector<double>> distance(shape_.inner_end(), std::vector<double>(rows_.size(), -1.0));
  std::vector<bool> by_set(shape_.inner_end(), false);
  for (int l = shape_.inner_end(); l < shape_.leaf_end(); ++l) values[label_[l]] = 1;
  // A node without a split sends all rows left: h = 0, g = 1.
  for (int b = 1; b < shape_.inner_end(); ++b) values[g_[b]] = 1;
  std::vector<int> leaf(rows_.size());
  const auto put = [&](auto&& self, NodeId id, int t, const std::vector<std::size_t>& here) -> bool {
    const Node& node = tree.node(id);
    if (node.is_leaf()) {
      const int l = shape_.first_leaf(t);
      for (const std::size_t i : here) leaf[i] = l;
      values[label_[l]] = node.label + 1;
      return true;
    }
    if (t >= shape_.inner_end()) return false;
    by_set[t] = node.set() != nullptr;
    if (!encode_split(*node.split, t, values, distance[t])) return false;
    std::vector<std::size_t> left, right;
    for (const std::size_t i : here) {
      const bool goes = goes_left(*node.split, problem_.data, rows_[i]);
      if (!by_set[t] && (goes ? distance[t][i] > 1e-9 : distance[t][i] < -1e-9)) return false;
      (goes ? left : right).push_back(i);
    }
    return self(self, node.left, 2 * t, left) && self(self, node.right, 2 * t + 1, right);
  };
  std::vector<std::size_t> all(rows_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (!put(put, Tree::root(), 1, all)) return {};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const int l = leaf[i];
    values[in_[i][l]] = 1;
    values[product_[i][l]] = values[label_of_[i]] = values[label_[l]];
    values[wrong_[i]] = values[label_[l]] != problem_.data.labels[rows_[i]] + 1;
    for (int b = 1; b < shape_.inner_end(); ++b) {
      const double d = std::clamp(distance[b][i], -1.0, 1.0);
      values[above_[i][b]] = std::max(0.0, -d);
      values[below_[i][b]] = std::max(0.0, d);
      if (by_set[b] || !(is_left(l, b) || is_right(l, b))) continue;
      values[slack_[i][b]] = std::max(0.0, problem_.eps - std::abs(d));
    }
  }
  return values;
}

Tree Svm1Formulation::decode(std::span<const double> values) const {
  std::vector<int> leaf(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    leaf[i] = shape_.inner_end();
    for (int l = shape_.inner_end(); l < shape_.leaf_end(); ++l) {
      if (values[in_[i][l]] > values[in_[i][leaf[i]]]) leaf[i] = l;
    }
  }
  const auto split_of = [&](int t) -> std::optional<Split> {
    for (std::size_t c = 0; c < by_[t].size(); ++c) {
      if (values[by_[t][c]] < 0.5) continue;
      CategorySplit set{FeatureId{static_cast<std::int32_t>(categories_[c])}, {}};
      const std::size_t named = problem_.data.columns[categories_[c]].levels.size();
      for (std::size_t v = 0; v < named; ++v) set.left.push_back(values[set_[t][c][v]] > 0.5);
      return Split{std::move(set), set_[t][c].size() > named && values[set_[t][c].back()] > 0.5};
    }
    ScaledPlane plane{std::vector<double>(problem_.axes.size()), values[g_[t]]};
    for (std::size_t j = 0; j < plane.h.size(); ++j) {
      plane.h[j] = values[plus_[t][j]] - values[minus_[t][j]];
      if (std::abs(plane.h[j]) < 1e-9) plane.h[j] = 0;
    }
    double last_left = -std::numeric_limits<double>::infinity(), first_right = -last_left;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double d = -plane.g;
      for (std::size_t j = 0; j < plane.h.size(); ++j) d += plane.h[j] * u(rows_[i], j);
      if (is_left(leaf[i], t)) last_left = std::max(last_left, d);
      if (is_right(leaf[i], t)) first_right = std::min(first_right, d);
    }
    // Rounding, or rows on a hyperplane that chose their side.
    if (last_left < first_right && (last_left >= 0 || first_right < 0)) plane.g += (last_left + first_right) / 2;
    HyperplaneSplit raw = in_raw_units(plane, problem_.axes);
    if (raw.terms.empty()) return {};
    return Split{std::move(raw), false};
  };
  const auto build = [&](auto&& self, int t) -> grow::EditableTree {
    if (t >= shape_.inner_end()) return {};
    std::optional<Split> split = split_of(t);
    // Without weights g alone decides the side of all rows.
    if (!split) return self(self, values[g_[t]] > 0 ? 2 * t : 2 * t + 1);
    grow::EditableTree draft = grow::EditableTree::fork(std::move(*split));
    *draft.left = self(self, 2 * t);
    *draft.right = self(self, 2 * t + 1);
    return draft;
  };
  const auto prune = [&](auto&& self, grow::EditableTree draft, const grow::RowList& here) -> grow::EditableTree {
    if (draft.is_leaf()) return draft;
    const auto [left, right] = grow::divide(*draft.split, problem_.data, here);
    if (left.empty()) return self(self, std::move(*draft.right), here);
    if (right.empty()) return self(self, std::move(*draft.left), here);
    *draft.left = self(self, std::move(*draft.left), left);
    *draft.right = self(self, std::move(*draft.right), right);
    return draft;
  };
  return prune(prune, build(build, 1), rows_).to_tree(problem_.data);
}

}  // namespace treewright::svm1
