// A tree as JSON: its columns, its nodes and its names (docs/tree-schema.md).

#include "treewright/tree/tree_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "treewright/base/json_integer.h"
#include "treewright/data/losses.h"
#include "treewright/tree/decimals.h"

namespace treewright {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kComparator = "left iff value < threshold";
// Of trees in files, which strangers may have written: much deeper ones would overflow the stack, much larger ones fill the memory.
constexpr int kDeepest = 1000;
constexpr std::size_t kMostNodes = 4'000'000;

Json split_json(const Split& split) {
  const auto of_axis = [](const AxisSplit& axis) -> Json {
    return {{"kind", "axis"}, {"feature", +axis.feature}, {"threshold", axis.threshold}};
  };
  const auto of_plane = [](const HyperplaneSplit& plane) -> Json {
    Json terms = Json::array();
    for (const auto& term : plane.terms) {
      Json& to = terms.emplace_back(Json{{"feature", +term.feature}, {"weight", term.weight}});
      if (term.level >= 0) to["level"] = term.level;
      if (term.if_missing) to["if_missing"] = *term.if_missing;
    }
    return {{"kind", "hyperplane"}, {"terms", terms}, {"threshold", plane.threshold}};
  };
  const auto of_set = [](const CategorySplit& set) -> Json {
    Json levels = Json::array();
    for (std::size_t i = 0; i < set.left.size(); ++i) {
      if (set.left[i]) levels.push_back(i);
    }
    return {{"kind", "categories"}, {"feature", +set.feature}, {"left_levels", levels}};
  };
  Json json = match(split.rule, of_axis, of_plane, of_set);
  json["missing_left"] = split.missing_left;
  return json;
}

Split split_from(const Json& json, const std::vector<Feature>& features) {
  Split split;
  split.missing_left = json.at("missing_left").get<bool>();
  const auto kind = json.at("kind").get<std::string>();
  const auto feature = [](const Json& from) { return FeatureId{integer<std::int32_t>(from.at("feature"))}; };
  if (kind == "axis") {
    split.rule = AxisSplit{feature(json), json.at("threshold").get<double>()};
  } else if (kind == "hyperplane") {
    HyperplaneSplit plane;
    for (const Json& from : json.at("terms")) {
      HyperplaneSplit::Term& term = plane.terms.emplace_back();
      term.feature = feature(from);
      term.weight = from.at("weight").get<double>();
      if (from.contains("level")) term.level = integer<std::int32_t>(from.at("level"));
      if (from.contains("if_missing")) term.if_missing = from.at("if_missing").get<double>();
    }
    plane.threshold = json.at("threshold").get<double>();
    split.rule = std::move(plane);
  } else if (kind == "categories") {
    CategorySplit set{feature(json), {}};
    // Out-of-range features are reported by Tree::from_nodes; here they must only not be followed.
    if (+set.feature >= 0 && static_cast<std::size_t>(+set.feature) < features.size()) {
      set.left.assign(features[+set.feature].levels.size(), false);
    }
    for (const Json& level : json.at("left_levels")) {
      const auto at = static_cast<std::size_t>(integer(level));
      if (at >= set.left.size()) throw std::out_of_range("a split names a level that its column has not");
      set.left[at] = true;
    }
    split.rule = std::move(set);
  } else {
    throw std::out_of_range("unknown kind of split '" + kind + "'");
  }
  return split;
}

}  // namespace

Json name_json(const std::string& name) {
  Json json = name;
  try {
    json.dump();
  } catch (const Json::type_error&) {
    json = {{"bytes", std::vector<unsigned char>(name.begin(), name.end())}};
  }
  return json;
}

Json names_json(const std::vector<std::string>& names) {
  Json json = Json::array();
  for (const std::string& name : names) json.push_back(name_json(name));
  return json;
}

namespace {

void add_prediction(const Node& node, bool is_number, Json& json) {
  if (is_number) {
    const Estimate& estimate = node.estimate;
    json["value"] = estimate.value;
    json["rows"] = node.rows;
    json["weight"] = estimate.weight;
    if (estimate.exposure != estimate.weight) json["exposure"] = estimate.exposure;
    json["loss"] = estimate.loss;
    for (const SurvivalStep& step : estimate.survival) json["survival"].push_back({step.time, step.share});
    return;
  }
  json["label"] = node.label;
  json["rows"] = node.rows;
  json["class_weight"] = node.class_weight;
  if (!node.label_cost.empty()) json["label_cost"] = node.label_cost;
}

void read_prediction(const Json& from, bool is_number, Node& node) {
  node.rows = integer(from.at("rows"));
  if (is_number) {
    const double weight = from.at("weight").get<double>();
    node.estimate = {from.at("value").get<double>(), weight, from.value("exposure", weight), from.at("loss").get<double>()};
    for (const Json& step : from.value("survival", Json::array()))
      node.estimate.survival.push_back({step.at(0).get<double>(), step.at(1).get<double>()});
    return;
  }
  node.label = integer<std::int32_t>(from.at("label"));
  node.class_weight = from.at("class_weight").get<std::vector<double>>();
  node.label_cost = from.value("label_cost", std::vector<double>());
}

}  // namespace

namespace {

// The tables of a model by node: a leaf has logits, a hyperplane a reach as well, another split neither.
void add_model(const ProbabilityModel& model, std::size_t node, std::size_t classes, Json& json) {
  if (json.contains("split") && model.reach[node] == 0) return;
  const auto from = model.logits.begin() + static_cast<std::ptrdiff_t>(node * classes);
  json["logits"] = std::vector<double>(from, from + static_cast<std::ptrdiff_t>(classes));
  if (model.reach[node] > 0) json["reach"] = model.reach[node];
}

std::optional<ProbabilityModel> model_from(const Json& nodes, const Tree& tree) {
  const std::size_t classes = tree.class_names.size();
  ProbabilityModel model;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json& from = nodes[i];
    const bool is_leaf = tree.nodes()[i].is_leaf();
    if (!from.contains("logits") && is_leaf) return std::nullopt;
    const double reach = is_leaf ? 0 : from.value("reach", 0.0);
    std::vector<double> logits = is_leaf || reach > 0 ? from.at("logits").get<std::vector<double>>() : std::vector<double>(classes, 0.0);
    const auto is_finite = [](double logit) { return std::isfinite(logit); };
    if (logits.size() != classes || !std::all_of(logits.begin(), logits.end(), is_finite) || !(reach >= 0 && std::isfinite(reach)) ||
        (reach > 0 && tree.nodes()[i].plane() == nullptr))
      throw std::out_of_range(fmt::format("node {} has logits or a reach that are no numbers, or not one for each class", i));
    model.logits.insert(model.logits.end(), logits.begin(), logits.end());
    model.reach.push_back(reach);
  }
  return model;
}

}  // namespace

Json tree_json(const Tree& tree) {
  Json features = Json::array();
  for (const Feature& feature : tree.features) {
    const char* const kind = feature.kind == ColumnKind::categorical ? "categorical"
                             : feature.notation == Notation::ordered ? "ordered"
                                                                     : "numeric";
    Json json = {{"name", name_json(feature.name)}, {"kind", kind}};
    if (feature.has_levels()) json["levels"] = names_json(feature.levels);
    json["has_missing"] = feature.has_missing;
    if (feature.notation == Notation::date) json["date"] = true;
    if (feature.notation == Notation::days) json["days"] = true;
    if (feature.zoned) json["zoned"] = true;
    if (!feature.unit.empty()) json["unit"] = name_json(feature.unit);
    if (feature.decimals >= 0) json["decimals"] = feature.decimals;
    features.push_back(json);
  }
  Json nodes = Json::array();
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    Json json;
    if (node.split) json = {{"split", split_json(*node.split)}, {"left", +node.left}, {"right", +node.right}};
    add_prediction(node, tree.loss.has_value(), json);
    if (tree.probability_model) add_model(*tree.probability_model, i, tree.class_names.size(), json);
    nodes.push_back(json);
  }
  Json json = {{"comparator", kComparator}, {"target", name_json(tree.target_name)}};
  if (tree.loss) {
    json["loss"] = name_of(*tree.loss);
  } else {
    json["classes"] = names_json(tree.class_names);
  }
  json["features"] = features;
  if (!tree.loss) json["shrinkage"] = std::min(tree.shrinkage, std::numeric_limits<double>::max());
  json["nodes"] = nodes;
  return json;
}

std::string name_from(const Json& json) {
  std::string name;
  if (json.is_object()) {
    for (const Json& byte : json.at("bytes")) name += static_cast<char>(integer<std::uint8_t>(byte));
  } else {
    name = json.get<std::string>();
  }
  // Programs and pictures would end there.
  if (name.find('\0') != std::string::npos) throw std::out_of_range("a name holds a NUL character");
  return name;
}

std::vector<std::string> names_from(const Json& json) {
  if (!json.is_array()) throw std::out_of_range("a list of names is missing");
  std::vector<std::string> names;
  for (const Json& name : json) names.push_back(name_from(name));
  return names;
}

Tree tree_from(const Json& json) {
  if (json.at("comparator").get<std::string>() != kComparator) throw std::out_of_range("the tree compares in another way");
  std::vector<Feature> features;
  for (const Json& from : json.at("features")) {
    Feature& feature = features.emplace_back();
    feature.name = name_from(from.at("name"));
    const auto kind = from.at("kind").get<std::string>();
    if (kind != "numeric" && kind != "categorical" && kind != "ordered") throw std::out_of_range("unknown kind of feature '" + kind + "'");
    if (kind == "categorical") feature.kind = ColumnKind::categorical;
    feature.notation = kind == "ordered"           ? Notation::ordered
                       : from.value("date", false) ? Notation::date
                       : from.value("days", false) ? Notation::days
                                                   : Notation::plain;
    feature.has_missing = from.at("has_missing").get<bool>();
    feature.zoned = from.value("zoned", false);
    if (from.contains("unit")) feature.unit = name_from(from.at("unit"));
    if (from.contains("decimals")) feature.decimals = std::clamp(integer<std::int32_t>(from.at("decimals")), -1, kMostDecimals);
    if (feature.has_levels()) feature.levels = names_from(from.at("levels"));
  }
  std::optional<Loss> loss;
  if (json.contains("loss")) {
    loss = loss_named(json.at("loss").get<std::string>());
    if (!loss) throw std::out_of_range("unknown loss " + json.at("loss").dump());
  }
  std::vector<Node> nodes;
  if (json.at("nodes").size() > kMostNodes) throw std::out_of_range(fmt::format("it has more than {} nodes", kMostNodes));
  for (const Json& from : json.at("nodes")) {
    Node& node = nodes.emplace_back();
    if (from.contains("split")) {
      node.split = split_from(from.at("split"), features);
      node.left = NodeId{integer<std::int32_t>(from.at("left"))};
      node.right = NodeId{integer<std::int32_t>(from.at("right"))};
    }
    read_prediction(from, loss.has_value(), node);
  }
  std::vector<std::string> classes = loss ? std::vector<std::string>() : names_from(json.at("classes"));
  Tree tree = Tree::from_nodes(std::move(features), std::move(classes), name_from(json.at("target")), std::move(nodes), loss);
  tree.shrinkage = json.value("shrinkage", 0.0);
  if (!(tree.shrinkage >= 0)) throw std::out_of_range(fmt::format("its shrinkage is {}", tree.shrinkage));
  if (!loss) tree.probability_model = model_from(json.at("nodes"), tree);
  if (tree.depth() > kDeepest) throw std::out_of_range(fmt::format("it has {} levels of splits, more than {}", tree.depth(), kDeepest));
  return tree;
}

}  // namespace treewright
