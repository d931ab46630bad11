#include "treewright/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>

#include "treewright/data/read/parse_number.h"
#include "treewright/error.h"
#include "treewright/tree/levels.h"
#include "treewright/tree/split_columns.h"

namespace treewright {

std::optional<FeatureId> Split::feature() const {
  using Asked = std::optional<FeatureId>;
  return match(
      rule, [](const AxisSplit& axis) -> Asked { return axis.feature; }, [](const HyperplaneSplit&) -> Asked { return std::nullopt; },
      [](const CategorySplit& set) -> Asked { return set.feature; });
}

Tree::Tree(const Dataset& data) : class_names(data.class_names), target_name(data.target_name), nodes_(1) {
  if (data.response) loss = data.response->loss;
  for (const Column& column : data.columns)
    features.push_back({column.name, column.kind, column.levels, column.has_missing(), column.notation, -1, column.unit, column.zoned});
  nodes_[0].class_weight.assign(class_names.size(), 0.0);
}

double Node::weight() const {
  return std::accumulate(class_weight.begin(), class_weight.end(), estimate.weight);
}

std::pair<NodeId, NodeId> Tree::split(NodeId leaf, Split split) {
  assert(node(leaf).is_leaf());
  probability_model.reset();
  const NodeId left{static_cast<std::int32_t>(nodes_.size())}, right{+left + 1};
  Node child;
  child.class_weight.assign(class_names.size(), 0.0);
  child.label = nodes_[+leaf].label;
  child.estimate.value = nodes_[+leaf].estimate.value;
  nodes_.push_back(child);
  nodes_.push_back(child);
  Node& parent = nodes_[+leaf];
  parent.split = std::move(split);
  parent.left = left;
  parent.right = right;
  return {left, right};
}

void Tree::collapse(NodeId id) {
  assert(+id >= 0 && static_cast<std::size_t>(+id) < nodes_.size());
  nodes_[+id].split.reset();
  nodes_[+id].left = nodes_[+id].right = kNoNode;
  drop_unreached();
}

// Keeps the nodes that the root still reaches, in their order, so that children stay behind their parents.
void Tree::drop_unreached() {
  const std::size_t before = nodes_.size();
  std::vector<NodeId> renamed(nodes_.size(), kNoNode);
  std::vector<Node> kept;
  std::vector<bool> reached(nodes_.size(), false);
  reached[0] = true;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!reached[i]) continue;
    renamed[i] = NodeId{static_cast<std::int32_t>(kept.size())};
    kept.push_back(nodes_[i]);
    if (nodes_[i].is_leaf()) continue;
    assert(static_cast<std::size_t>(std::min(+nodes_[i].left, +nodes_[i].right)) > i);
    reached[+nodes_[i].left] = reached[+nodes_[i].right] = true;
  }
  for (Node& node : kept) {
    if (node.is_leaf()) continue;
    node.left = renamed[+node.left];
    node.right = renamed[+node.right];
  }
  nodes_ = std::move(kept);
  if (nodes_.size() < before) probability_model.reset();
}

void Tree::simplify(double split_price, bool keep_root) {
  // Children lie behind their parents: from the back, a node is seen after everything below it. No node is
  // dropped before all are seen, because that would rename the ones whose costs are known.
  std::vector<double> cost(nodes_.size());
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    assert(node.class_weight.size() == class_names.size() && (loss || static_cast<std::size_t>(node.label) < class_names.size()));
    double leaf = loss ? node.estimate.loss : -node.class_weight[node.label];
    for (const double w : node.class_weight) leaf += w;
    cost[i] = node.is_leaf() ? leaf : split_price + cost[+node.left] + cost[+node.right];
    if (node.is_leaf() || cost[i] < leaf || (keep_root && i == 0)) continue;
    cost[i] = leaf;
    node.split.reset();
    node.left = node.right = kNoNode;
  }
  drop_unreached();
}

std::size_t Tree::leaves() const {
  return static_cast<std::size_t>(std::count_if(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.is_leaf(); }));
}

std::vector<int> Tree::depths() const {
  std::vector<int> depth(nodes_.size(), 0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].is_leaf()) depth[+nodes_[i].left] = depth[+nodes_[i].right] = depth[i] + 1;
  }
  return depth;
}

std::size_t Tree::terms() const {
  std::size_t total = 0;
  for (const Node& node : nodes_) {
    if (!node.is_leaf()) total += node.plane() != nullptr ? node.plane()->terms.size() : 1;
  }
  return total;
}

int Tree::depth() const {
  const std::vector<int> depth = depths();
  return *std::max_element(depth.begin(), depth.end());
}

std::vector<FeatureId> Tree::features_used() const {
  std::set<FeatureId> used;
  for (const Node& node : nodes_) {
    if (node.is_leaf()) continue;
    const std::vector<FeatureId> columns = columns_of(node.split->rule);
    used.insert(columns.begin(), columns.end());
  }
  return {used.begin(), used.end()};
}

namespace {

void check_split(const Split& split, const std::vector<Feature>& features, const std::string& where) {
  const auto need = [&](FeatureId feature, ColumnKind kind) {
    if (+feature < 0 || static_cast<std::size_t>(+feature) >= features.size()) {
      throw Error(where, fmt::format("uses feature {} of {}", +feature, features.size()), "the file is damaged; train the tree again");
    }
    if (features[+feature].kind != kind) {
      throw Error(where, fmt::format("its kind of split does not fit feature '{}'", features[+feature].name),
                  "the file is damaged; train the tree again");
    }
  };
  const auto need_finite = [&](double number) {
    if (!std::isfinite(number)) throw Error(where, "holds a number that is not finite", "the file is damaged; train the tree again");
  };
  const auto check_axis = [&](const AxisSplit& axis) {
    need(axis.feature, ColumnKind::numeric);
    need_finite(axis.threshold);
    const Feature& feature = features[+axis.feature];
    const bool asks_for_value = std::abs(axis.threshold) == std::numeric_limits<double>::max();
    if (feature.notation == Notation::ordered && !asks_for_value &&
        !(axis.threshold > 0 && axis.threshold <= static_cast<double>(feature.levels.size()) - 1)) {
      throw Error(where, fmt::format("its threshold lies between no two levels of feature '{}'", feature.name),
                  "the file is damaged; train the tree again");
    }
  };
  const auto check_plane = [&](const HyperplaneSplit& plane) {
    for (const auto& term : plane.terms) {
      need(term.feature, term.level < 0 ? ColumnKind::numeric : ColumnKind::categorical);
      if (term.level >= 0 && static_cast<std::size_t>(term.level) >= features[+term.feature].levels.size()) {
        throw Error(where,
                    fmt::format("uses level {} of feature '{}', which has {}", term.level, features[+term.feature].name,
                                features[+term.feature].levels.size()),
                    "the file is damaged; train the tree again");
      }
      need_finite(term.weight);
      need_finite(term.if_missing.value_or(0));
    }
    need_finite(plane.threshold);
  };
  const auto check_set = [&](const CategorySplit& set) {
    need(set.feature, ColumnKind::categorical);
    if (set.left.size() != features[+set.feature].levels.size()) {
      throw Error(where, "its set of levels does not fit the feature's levels", "the file is damaged; train the tree again");
    }
  };
  match(split.rule, check_axis, check_plane, check_set);
}

void check_survival(const std::vector<SurvivalStep>& curve, const std::string& where, const char* fix) {
  SurvivalStep before{-1, 1};
  for (const SurvivalStep& step : curve) {
    if (!(step.time > before.time && step.share <= before.share && step.share >= 0 && std::isfinite(step.time)))
      throw Error(where, "its survival curve does not fall as time passes", fix);
    before = step;
  }
}

}  // namespace

Tree Tree::from_nodes(std::vector<Feature> features, std::vector<std::string> class_names, std::string target_name, std::vector<Node> nodes,
                      std::optional<Loss> loss) {
  const char* fix = "the file is damaged; train the tree again";
  if (nodes.empty()) throw Error("tree", "has no nodes", fix);
  if (class_names.empty() == !loss) throw Error("tree", loss ? "has classes and predicts numbers" : "has no classes", fix);
  std::vector<int> parents(nodes.size(), 0);
  const auto count = static_cast<std::int32_t>(nodes.size());
  for (std::int32_t i = 0; i < count; ++i) {
    const Node& node = nodes[i];
    const std::string where = fmt::format("tree node {}", i);
    if (!node.label_cost.empty() && node.label_cost.size() != class_names.size())
      throw Error(where, "its costs do not fit the labels", "give one cost for each class");
    if (node.class_weight.size() != class_names.size()) throw Error(where, "its class weights do not fit the classes", fix);
    if (!loss && (node.label < 0 || static_cast<std::size_t>(node.label) >= class_names.size())) {
      throw Error(where, fmt::format("its label {} is not a class", node.label), fix);
    }
    const Estimate& estimate = node.estimate;
    for (const double number : {estimate.value, estimate.weight, estimate.exposure, estimate.loss}) {
      if (!std::isfinite(number)) throw Error(where, "holds a number that is not finite", fix);
    }
    check_survival(estimate.survival, where, fix);
    if (node.is_leaf()) {
      if (node.left != kNoNode || node.right != kNoNode) throw Error(where, "is a leaf with children", fix);
      continue;
    }
    check_split(*node.split, features, where);
    for (const NodeId child : {node.left, node.right}) {
      // Children behind their parents, each with one parent: this alone makes the nodes a tree.
      if (+child <= i || +child >= count) throw Error(where, fmt::format("its child {} is out of order", +child), fix);
      if (++parents[+child] > 1) throw Error(where, fmt::format("its child {} has another parent", +child), fix);
    }
  }
  for (std::int32_t i = 1; i < count; ++i) {
    if (parents[i] == 0) throw Error(fmt::format("tree node {}", i), "has no parent", fix);
  }
  Tree tree;
  tree.features = std::move(features);
  tree.class_names = std::move(class_names);
  tree.loss = loss;
  tree.target_name = std::move(target_name);
  tree.nodes_ = std::move(nodes);
  return tree;
}

namespace {

// For each name of `from`, its position in `to`, or -1.
std::vector<std::int32_t> positions(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::unordered_map<std::string, std::int32_t> index;
  for (std::size_t i = 0; i < to.size(); ++i) index.emplace(to[i], static_cast<std::int32_t>(i));
  std::vector<std::int32_t> result;
  for (const std::string& name : from) {
    const auto found = index.find(name);
    result.push_back(found == index.end() ? -1 : found->second);
  }
  return result;
}

// A column such as the tree has, without values.
Column like(const Feature& feature) {
  Column column;
  column.name = feature.name;
  column.kind = feature.kind;
  column.levels = feature.levels;
  column.notation = feature.notation;
  column.zoned = feature.zoned;
  return column;
}

Column without_values(const Feature& feature, std::size_t rows) {
  Column column = like(feature);
  if (feature.kind == ColumnKind::numeric) {
    column.values.assign(rows, std::nan(""));
  } else {
    column.codes.assign(rows, -1);
  }
  return column;
}

// What makes a column one of text: its first value that is no number, or else its first value; null where it has none.
const std::string* text_of(const Column& column) {
  const std::string* first = nullptr;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::int32_t code = column.code(row);
    if (code < 0) continue;
    const std::string& value = column.levels[static_cast<std::size_t>(code)];
    double number = 0;
    if (parse_number(value, number) == NumberText::no_number) return &value;
    if (first == nullptr) first = &value;
  }
  return first;
}

const char* contents(Notation notation) {
  return notation == Notation::date ? "dates" : notation == Notation::days ? "durations" : "numbers";
}

const char* how_to_give(Notation notation) {
  return notation == Notation::date   ? "give dates such as 2020-03-01, in a DataFrame as dates: pd.to_datetime"
         : notation == Notation::days ? "give durations: timedelta in Python, difftime in R"
                                      : "give numbers";
}

// The cells as levels of the tree: texts are found by name, numbers by their values.
void find_levels(const Column& column, Column& wanted) {
  const Levels levels(wanted.levels);
  std::vector<std::int32_t> own;
  if (column.has_levels()) {
    for (const std::string& level : column.levels) own.push_back(levels.code(level));
  }
  for (std::size_t row = 0; row < column.size(); ++row) {
    const std::int32_t code = column.missing(row) ? -1 : column.has_levels() ? own[column.code(row)] : levels.code(column.values[row]);
    if (wanted.kind == ColumnKind::categorical) {
      wanted.codes.push_back(code);
    } else {
      wanted.values.push_back(code < 0 ? std::nan("") : code);
    }
  }
}

bool is_empty(const Column& column) {
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.missing(row)) return false;
  }
  return true;
}

// Whether the values are of the kind that the tree knows; numbers may be levels.
bool fits(const Column& column, const Feature& wanted) {
  if (wanted.has_levels() || is_empty(column)) return true;
  return !column.has_levels() && column.notation == wanted.notation && column.zoned == wanted.zoned;
}

[[noreturn]] void refuse_kind(const Column& column, const Feature& wanted) {
  const std::string where = fmt::format("column '{}'", column.name);
  if (column.has_levels()) {
    throw Error(where, fmt::format("holds text ('{}'), but the tree was trained on {}", *text_of(column), contents(wanted.notation)),
                wanted.notation != Notation::plain
                    ? how_to_give(wanted.notation)
                    : "give numbers, name the cells that stand for missing values, or train on this column as text");
  }
  if (column.notation != wanted.notation) {
    throw Error(where, fmt::format("holds {}, but the tree was trained on {}", contents(column.notation), contents(wanted.notation)),
                how_to_give(wanted.notation));
  }
  if (column.zoned)
    throw Error(where, "holds times with a zone, but the tree was trained on times without one",
                "write the times as in training; in a DataFrame .dt.tz_convert(zone).dt.tz_localize(None)");
  throw Error(
      where, "holds times without a zone, but the tree was trained on times with one, which it compares in UTC",
      "write the zone behind each time: 2024-03-30 20:00+01:00; in a DataFrame .dt.tz_localize(zone), in R as.POSIXct(..., tz = zone)");
}

// A column as the tree knows it, also where the reader took it for another kind and nothing is lost.
Column as_feature(const Column& column, const Feature& wanted) {
  if (!fits(column, wanted)) refuse_kind(column, wanted);
  if (is_empty(column)) return without_values(wanted, column.size());
  if (column.kind == wanted.kind && column.notation == wanted.notation && column.levels == wanted.levels) return column;
  Column converted = like(wanted);
  find_levels(column, converted);
  return converted;
}

}  // namespace

Dataset align(const Dataset& data, const Tree& tree) {
  data.validate();
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  Dataset aligned;
  aligned.class_names = tree.class_names;
  if ((data.response || data.labeled()) && data.response.has_value() != tree.loss.has_value()) {
    throw Error(fmt::format("target '{}'", data.target_name),
                tree.loss ? "has classes, and the tree predicts numbers" : "has numbers, and the tree predicts classes",
                "give the target that the tree was trained on, or none");
  }
  aligned.response = data.response;
  aligned.target_name = data.target_name;
  aligned.weights = data.weights;
  if (data.class_names == tree.class_names) aligned.row_costs = data.row_costs;
  aligned.reading = data.reading;
  const std::vector<FeatureId> used = tree.features_used();
  for (std::size_t f = 0; f < tree.features.size(); ++f) {
    const Feature& feature = tree.features[f];
    const auto found = std::find(names.begin(), names.end(), feature.name);
    const bool is_used = std::binary_search(used.begin(), used.end(), FeatureId{static_cast<std::int32_t>(f)});
    // What no split asks need not be there, or fit.
    if (!is_used && (found == names.end() || !fits(data.columns[static_cast<std::size_t>(found - names.begin())], feature))) {
      aligned.columns.push_back(without_values(feature, data.rows()));
      continue;
    }
    if (found == names.end()) {
      throw Error("data", fmt::format("the tree's column '{}' is missing", feature.name),
                  fmt::format("the columns are {}", fmt::join(names, ", ")));
    }
    aligned.columns.push_back(as_feature(data.columns[found - names.begin()], feature));
  }
  const std::vector<std::int32_t> label = positions(data.class_names, tree.class_names);
  for (std::size_t row = 0; row < data.labels.size(); ++row) {
    const std::int32_t code = label[data.labels[row]];
    if (code < 0) {
      throw Error(fmt::format("target '{}', row {}", data.target_name, row),
                  fmt::format("'{}' is not a class of the tree", data.class_names[data.labels[row]]),
                  fmt::format("the tree's classes are {}", fmt::join(tree.class_names, ", ")));
    }
    aligned.labels.push_back(code);
  }
  assert(aligned.columns.size() == tree.features.size());
  return aligned;
}

void trim(Tree& tree, int max_depth, std::int64_t max_splits) {
  assert(max_depth >= 0);
  // Nodes at the limit lie behind all nodes above them, and collapsing one only removes nodes behind it.
  std::vector<int> depth = tree.depths();
  for (std::size_t i = 0; i < depth.size(); ++i) {
    if (depth[i] < max_depth || tree.nodes()[i].is_leaf()) continue;
    tree.collapse(NodeId{static_cast<std::int32_t>(i)});
    depth = tree.depths();
  }
  const auto errors = [](const Node& node) {
    double total = 0;
    for (const double w : node.class_weight) total += w;
    return node.class_weight.empty() ? node.estimate.loss : total - node.class_weight[node.label];
  };
  while (max_splits >= 0 && tree.splits() > static_cast<std::size_t>(max_splits)) {
    NodeId cheapest = kNoNode;
    double least = 0;
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
      const Node& node = tree.nodes()[i];
      if (node.is_leaf() || !tree.node(node.left).is_leaf() || !tree.node(node.right).is_leaf()) continue;
      const double loss = errors(node) - errors(tree.node(node.left)) - errors(tree.node(node.right));
      if (cheapest == kNoNode || loss < least) {
        cheapest = NodeId{static_cast<std::int32_t>(i)};
        least = loss;
      }
    }
    assert(cheapest != kNoNode);
    tree.collapse(cheapest);
  }
}

}  // namespace treewright
