// The optimal hyperplane tree as a mixed-integer program: Bertsimas & Dunn 2017 (BD17), model (28), and its greedy start (sec. 4.2).
//
// As in oct.cpp, but a_t is real: node t sends row i left iff a_t . x_i < b_t. On features scaled to [0, 1]:
//
//   minimize  sum L_t + price * sum of s_jt                        s_jt: feature j is used in split t
//   sum_j |a_jt| <= d_t,  -s_jt <= a_jt <= s_jt,  s_jt <= d_t <= sum_j s_jt,  -d_t <= b_t <= d_t
//   a_m x_i + mu <= b_m + (2 + mu)(1 - z_it)                       left of m
//   a_m x_i >= b_m - 2 (1 - z_it)                                  right of m
//
// mu (0.005) limits the model: a hyperplane with a smaller distance than mu between its sides, after scaling, is not in it. So a bound of
// this model covers only hyperplanes with at least that distance. A node with d_t = 0 has a = 0 and b = 0. Then the left constraint reads
// mu <= 0, so here, unlike in (24), all rows go right as they should.
//
// Categories are one 0/1 axis for each level, and the mean replaces missing values, as in the hyperplanes of a tree (tree.h). After
// solving, weights with s = 0 are dropped, and the threshold is moved halfway between the nearest rows of both sides, in raw units.
//
// Starts. A tree of another method nearly always has rows nearer than mu to some hyperplane. Its threshold moves to the nearest place
// where mu is free, and the few rows between change sides. A split without such a place is left out. So the solver begins with some errors
// more, but with nearly this tree.
//
// Strengthenings: side_rows, tight_m (a x lies in [-X, X], X the row's largest coordinate), used_sides, sibling_labels, merge_rows. The
// bound of the linear relaxation is still 0, so a solver proves little of more than some tens of rows, as BD17 also say. The bound comes
// from some of the rows (some_rows.cpp).

#include "treewright/methods/oct_mip/oct_h.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "treewright/data/midpoint.h"
#include "treewright/grow/cart.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright::oct_mip {

namespace {

// Distances that equal mu but for rounding are mu.
constexpr double kRounding = 1e-9;

}  // namespace

OctHFormulation::OctHFormulation(const Dataset& data, const formulate::FormulationOptions& options, double mu)
    : OctHFormulation(data, options, mu, data) {}

OctHFormulation::OctHFormulation(const Dataset& data, const formulate::FormulationOptions& options, double mu, const Dataset& whole)
    : formulate::Skeleton(data, options), mu_(mu) {
  const auto add = [&](FeatureId feature, std::int32_t level) {
    const HyperplaneSplit::Term term{feature, 1, level, {}};
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, count = 0;
    for (std::size_t row = 0; row < whole.rows(); ++row) {
      const double x = term_value(term, whole, row);
      if (std::isnan(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
      sum += x;
      ++count;
    }
    if (!(high > low) || !std::isfinite(high - low)) return;
    Axis axis{feature, level, low, high - low, std::clamp(sum / count, low, high), {}};
    for (const formulate::RowCell& cell : cells_.cells) {
      const double x = term_value(term, data, cell.first_row);
      axis.x.push_back(((std::isnan(x) ? axis.mean : x) - low) / axis.range);
    }
    axes_.push_back(std::move(axis));
  };
  for (std::size_t f = 0; f < data.features(); ++f) {
    const FeatureId feature{static_cast<std::int32_t>(f)};
    const Column& column = data.columns[f];
    const auto levels = static_cast<std::int32_t>(column.levels.size());
    if (column.kind == ColumnKind::numeric) add(feature, -1);
    for (std::int32_t level = levels == 2 ? 1 : 0; level < levels; ++level) add(feature, level);
  }
  const double leaves = std::ldexp(1.0, options.max_depth), axes = static_cast<double>(axes_.size());
  expect_size(size(axes + 1) + mip::ModelSize{leaves * (3 * axes + 1), leaves * (5 * axes + 4), leaves * (12 * axes + 8)},
              options.max_depth, static_cast<double>(cells_.size()));
  model_.name = "oct_h";
  if (options.rules.objective_step) {
    model_.step = formulate::objective_step(data, options.price, (shape_.inner_end() - 1) * static_cast<std::int64_t>(axes_.size()));
  }
  add_splits(0);
  add_leaves(true, options.rules.leaf_splits);
  add_planes();
  add_losses();
}

void OctHFormulation::add_planes() {
  const int nodes = shape_.inner_end();
  b_.resize(nodes);
  a_.resize(nodes);
  size_.resize(nodes);
  s_.resize(nodes);
  for (int t = 1; t < nodes; ++t) {
    b_[t] = model_.add(fmt::format("b_{}", t), -1, 1);
    model_.at_most(fmt::format("threshold_{}", t), {{b_[t], 1}, {d_[t], -1}}, 0);
    model_.at_least(fmt::format("threshold_low_{}", t), {{b_[t], 1}, {d_[t], 1}}, 0);
    Terms length{{d_[t], -1}}, used{{d_[t], -1}};
    for (std::size_t j = 0; j < axes_.size(); ++j) {
      a_[t].push_back(model_.add(fmt::format("a_{}_{}", j, t), -1, 1));
      size_[t].push_back(model_.add(fmt::format("size_{}_{}", j, t), 0, 1));
      s_[t].push_back(model_.add_binary(fmt::format("s_{}_{}", j, t), options_.price));
      const int a = a_[t][j], size = size_[t][j], s = s_[t][j];
      model_.at_least(fmt::format("size_up_{}_{}", j, t), {{size, 1}, {a, -1}}, 0);
      model_.at_least(fmt::format("size_down_{}_{}", j, t), {{size, 1}, {a, 1}}, 0);
      model_.at_most(fmt::format("used_up_{}_{}", j, t), {{a, 1}, {s, -1}}, 0);
      model_.at_least(fmt::format("used_down_{}_{}", j, t), {{a, 1}, {s, 1}}, 0);
      model_.at_most(fmt::format("feature_of_split_{}_{}", j, t), {{s, 1}, {d_[t], -1}}, 0);
      length.push_back({size, 1});
      used.push_back({s, 1});
    }
    model_.at_most(fmt::format("length_{}", t), std::move(length), 0);
    model_.at_least(fmt::format("some_feature_{}", t), std::move(used), 0);

    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Terms plane{{b_[t], -1}};
      double reach = 0;
      for (std::size_t j = 0; j < axes_.size(); ++j) {
        plane.push_back({a_[t][j], axes_[j].x[i]});
        reach = std::max(reach, axes_[j].x[i]);
      }
      const double big = options_.rules.tight_m ? 1 + reach : 2;
      const auto left = [&](const std::string& name, const Terms& here) {
        Terms terms = plane;
        for (const mip::MipModel::Term& z : here) terms.push_back({z.variable, big + mu_});
        model_.at_most("left_" + name, std::move(terms), big);
      };
      const auto right = [&](const std::string& name, const Terms& here) {
        Terms terms = plane;
        for (const mip::MipModel::Term& z : here) terms.push_back({z.variable, -big});
        model_.at_least("right_" + name, std::move(terms), -big);
      };
      const Terms on_left = below(2 * t, i, 1), on_right = below(2 * t + 1, i, 1);
      const std::string name = fmt::format("{}_{}", i, t);
      if (options_.rules.side_rows) {
        left(name, on_left);
        right(name, on_right);
        continue;
      }
      for (const mip::MipModel::Term& z : on_left) left(fmt::format("{}_{}", name, model_.variables[z.variable].name), {z});
      for (const mip::MipModel::Term& z : on_right) right(fmt::format("{}_{}", name, model_.variables[z.variable].name), {z});
    }
  }
}

std::vector<double> OctHFormulation::weights_of(const SplitRule& rule) const {
  std::vector<double> weights(axes_.size(), 0.0);
  bool known = true;
  const auto set = [&](FeatureId feature, std::int32_t level, double weight) {
    for (std::size_t j = 0; j < axes_.size(); ++j) {
      if (axes_[j].feature != feature || axes_[j].level != level) continue;
      weights[j] = weight * axes_[j].range;
      return true;
    }
    return false;
  };
  const auto of_plane = [&](const HyperplaneSplit& plane) {
    for (const auto& term : plane.terms) known = set(term.feature, term.level, term.weight) && known;
  };
  const auto of_levels = [&](const CategorySplit& levels) {
    if (levels.left.size() == 2) {
      known = set(levels.feature, 1, levels.left[1] ? -1 : 1);
    } else {
      // Levels that no row has get no axis.
      for (std::size_t v = 0; v < levels.left.size(); ++v) {
        if (levels.left[v]) set(levels.feature, static_cast<std::int32_t>(v), -1);
      }
    }
  };
  match(
      rule, [&](const AxisSplit& axis) { known = set(axis.feature, -1, 1); }, of_plane, of_levels);
  double length = 0;
  for (const double w : weights) length += std::abs(w);
  if (!known || length == 0) return {};
  for (double& w : weights) w /= length;
  return weights;
}

double OctHFormulation::project(const std::vector<double>& weights, std::size_t cell) const {
  double sum = 0;
  for (std::size_t j = 0; j < axes_.size(); ++j) sum += weights[j] * axes_[j].x[cell];
  return sum;
}

template <class Predicate>
std::optional<OctHFormulation::Sides> OctHFormulation::sides_of(const std::vector<double>& weights, const std::vector<std::size_t>& here,
                                                                Predicate goes_left) const {
  struct Place {
    double at;
    bool right;
    std::size_t cell;
  };
  std::vector<Place> places;
  double changed = 0;  // weight on other sides than the tree's, with the threshold below place k
  std::int64_t rows = 0, below = 0;
  for (const std::size_t c : here) {
    places.push_back({project(weights, c), !goes_left(c), c});
    rows += cells_.cells[c].rows;
    if (!places.back().right) changed += cells_.cells[c].weight;
  }
  std::ranges::sort(places, {}, [](const Place& place) { return std::tuple(place.at, place.right, place.cell); });
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t k = 1; k < places.size(); ++k) {
    const formulate::RowCell& passed = cells_.cells[places[k - 1].cell];
    changed += places[k - 1].right ? passed.weight : -passed.weight;
    below += passed.rows;
    if (places[k].at - places[k - 1].at < mu_ - kRounding || std::min(below, rows - below) < options_.min_rows || changed >= least)
      continue;
    least = changed;
    best = k;
  }
  if (best == 0) return {};
  Sides sides;
  for (std::size_t k = 0; k < places.size(); ++k) (k < best ? sides.left : sides.right).push_back(places[k].cell);
  sides.threshold = places[best].at;
  return sides;
}

HyperplaneSplit OctHFormulation::plane_of(std::span<const double> weights, double threshold, const std::vector<std::size_t>& left,
                                          const std::vector<std::size_t>& right) const {
  HyperplaneSplit plane;
  double offset = threshold;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    if (std::abs(weights[j]) < 1e-9) continue;
    const Axis& axis = axes_[j];
    plane.terms.push_back({axis.feature, weights[j] / axis.range, axis.level, axis.mean});
    offset += weights[j] / axis.range * axis.low;
  }
  const auto heavier = [&](const auto& x, const auto& y) { return std::abs(x.weight) > std::abs(y.weight); };
  std::stable_sort(plane.terms.begin(), plane.terms.end(), heavier);
  // The raw sums of the rows, exactly as routing computes them.
  const auto raw = [&](std::size_t c) {
    double sum = 0;
    for (const auto& term : plane.terms) sum += term.weight * term_value(term, *cells_.data, cells_.cells[c].first_row);
    return sum;
  };
  double below_it = -std::numeric_limits<double>::infinity(), above_it = -below_it;
  for (const std::size_t c : left) below_it = std::max(below_it, raw(c));
  for (const std::size_t c : right) above_it = std::min(above_it, raw(c));
  plane.threshold = below_it < above_it ? midpoint(below_it, above_it) : offset;
  return plane;
}

std::optional<Tree> OctHFormulation::with_room(const Tree& original) const {
  Tree tree(*cells_.data);
  const auto build = [&](auto&& self, NodeId from, NodeId to, const std::vector<std::size_t>& here) -> bool {
    const Node& node = original.node(from);
    if (node.is_leaf()) return true;
    const auto on_left = [&](std::size_t c) { return goes_left(*node.split, *cells_.data, cells_.cells[c].first_row); };
    const auto lefts = static_cast<std::size_t>(std::ranges::count_if(here, on_left));
    if (lefts == 0 || lefts == here.size()) return self(self, lefts == 0 ? node.right : node.left, to, here);
    const std::vector<double> weights = weights_of(node.split->rule);
    if (weights.empty()) return false;
    const std::optional<Sides> sides = sides_of(weights, here, on_left);
    if (!sides) return true;
    const auto [l, r] = tree.split(to, {plane_of(weights, sides->threshold, sides->left, sides->right), false});
    return self(self, node.left, l, sides->left) && self(self, node.right, r, sides->right);
  };
  if (!build(build, Tree::root(), Tree::root(), cells_.all())) return {};
  tree.tally(*cells_.data);
  tree.simplify();
  return tree;
}

std::optional<std::vector<double>> OctHFormulation::encode(const Tree& original) const {
  Tree simple = original;
  simple.tally(*cells_.data);
  simple.simplify();
  const std::optional<Tree> with_room = this->with_room(simple);
  if (!with_room) return {};
  const Tree& tree = *with_room;
  std::vector<double> values(model_.variables.size(), 0.0);
  std::vector<bool> splits(shape_.inner_end(), false);
  std::vector<int> leaf(cells_.size()), label(shape_.leaf_end(), -1);
  const std::vector<int> only = formulate::only_labels(tree);
  const auto put = [&](auto&& self, NodeId id, int t, const std::vector<std::size_t>& here) -> bool {
    const Node& node = tree.node(id);
    if (only[+id] >= 0) {
      const int last = shape_.last_leaf(t) - 1;
      for (const std::size_t c : here) leaf[c] = last;
      label[last] = only[+id];
      return true;
    }
    std::vector<std::size_t> left, right;
    for (const std::size_t c : here) (goes_left(*node.split, *cells_.data, cells_.cells[c].first_row) ? left : right).push_back(c);
    if (left.empty() || right.empty()) return self(self, left.empty() ? node.right : node.left, t, here);
    const std::vector<double> weights = weights_of(node.split->rule);
    if (t >= shape_.inner_end() || weights.empty()) return false;
    double nearest = 1;
    for (const std::size_t c : right) nearest = std::min(nearest, project(weights, c));
    splits[t] = true;
    values[b_[t]] = nearest;
    for (std::size_t j = 0; j < axes_.size(); ++j) {
      values[a_[t][j]] = weights[j];
      values[size_[t][j]] = std::abs(weights[j]);
      values[s_[t][j]] = weights[j] != 0;
    }
    return self(self, node.left, 2 * t, left) && self(self, node.right, 2 * t + 1, right);
  };
  if (!put(put, Tree::root(), 1, cells_.all())) return {};
  encode_leaves(splits, leaf, label, values);
  return values;
}

Tree OctHFormulation::decode(std::span<const double> values) const {
  const std::vector<int> leaf = leaves_of(values);
  Tree tree(*cells_.data);
  const auto build = [&](auto&& self, NodeId id, int t, const std::vector<std::size_t>& here) -> void {
    if (t >= shape_.inner_end()) return;
    const int first = shape_.first_leaf(2 * t), last = shape_.last_leaf(2 * t);
    std::vector<std::size_t> left, right;
    for (const std::size_t c : here) (leaf[c] >= first && leaf[c] < last ? left : right).push_back(c);
    if (left.empty() || right.empty()) return self(self, id, left.empty() ? 2 * t + 1 : 2 * t, here);
    std::vector<double> weights(axes_.size(), 0.0);
    for (std::size_t j = 0; j < axes_.size(); ++j) {
      if (values[s_[t][j]] >= 0.5) weights[j] = values[a_[t][j]];
    }
    const HyperplaneSplit plane = plane_of(weights, values[b_[t]], left, right);
    if (plane.terms.empty()) return self(self, id, 2 * t + 1, here);
    const auto [l, r] = tree.split(id, {plane, false});
    self(self, l, 2 * t, left);
    self(self, r, 2 * t + 1, right);
  };
  build(build, Tree::root(), 1, cells_.all());
  tree.tally(*cells_.data);
  tree.simplify();
  return tree;
}

Tree greedy_oct_h(const Dataset& data, const formulate::FormulationOptions& options, double mu, const mip::MipOptions& solver,
                  Deadline& deadline) {
  Tree tree(data);
  const double seconds = std::min(kStartSeconds, kStartShare * deadline.remaining());
  const double share = seconds / std::max(1.0, std::ldexp(1.0, options.max_depth) - 1);
  std::int64_t left_over = options.max_splits < 0 ? std::numeric_limits<std::int64_t>::max() : options.max_splits;
  const auto grow = [&](auto&& self, NodeId id, int depth, const std::vector<std::int32_t>& rows) -> void {
    const Dataset part = data.subset(rows);
    Tree stump(part);
    stump.tally(part);
    if (depth == options.max_depth || left_over == 0 || deadline.poll() || count_errors(stump, part) == 0) return;
    formulate::FormulationOptions one = options;
    one.max_depth = 1;
    one.max_splits = -1;
    const OctHFormulation formulation(part, one, mu);
    grow::CartOptions cart;
    cart.max_depth = 1;
    cart.min_leaf_rows = options.min_rows;
    stump = grow::grow_cart(part, cart);
    const std::vector<double> start = formulation.cheapest_point(std::array{&std::as_const(stump)});
    Deadline node = deadline.within(std::min(share, deadline.remaining()));
    const mip::MipSolution found = mip::solve(formulation.model(), start, solver, node);
    if (found.values.empty()) return;
    const Tree split = formulation.decode(found.values);
    if (split.splits() == 0) return;
    --left_over;
    const auto [l, r] = tree.split(id, *split.node(Tree::root()).split);
    std::vector<std::int32_t> left, right;
    for (const std::int32_t row : rows) (goes_left(*split.node(Tree::root()).split, data, row) ? left : right).push_back(row);
    self(self, l, depth + 1, left);
    self(self, r, depth + 1, right);
  };
  std::vector<std::int32_t> all(data.rows());
  for (std::size_t row = 0; row < all.size(); ++row) all[row] = static_cast<std::int32_t>(row);
  grow(grow, Tree::root(), 0, all);
  tree.tally(data);
  tree.simplify();
  return tree;
}

}  // namespace treewright::oct_mip
