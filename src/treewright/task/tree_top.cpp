#include "treewright/task/tree_top.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/tree_json.h"

namespace treewright {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kOption = "top";
constexpr const char* kOpen = "...";
constexpr const char* kLeaf = "leaf";
constexpr const char* kExample = R"(write for example {"column": "age", "below": 40, "left": "leaf", "right": "..."})";
constexpr int kMostLevels = 60;  // as max_depth

}  // namespace

class TopReader {
 public:
  TopReader(TreeTop& top, const std::vector<Feature>& features) : top_(top), features_(features), names_(names_of_columns(features)) {}

  // Level by level: so Tree::split numbers the nodes.
  void read(const Json& json) {
    top_.parts_.resize(1);
    places_.push_back({&json, "the root", 0});
    for (std::size_t i = 0; i < places_.size(); ++i) read_place(i);
  }

 private:
  struct Place {
    const Json* json;
    std::string name;
    int depth;
  };

  [[noreturn]] static void refuse(const std::string& place, const std::string& problem, const std::string& fix = kExample) {
    throw option_error(kOption, fmt::format("at {}: {}", place, problem), fix);
  }

  void read_place(std::size_t i) {
    const Place place = places_[i];
    const Json& json = *place.json;
    if (json == kOpen) top_.open_.push_back(NodeId{static_cast<std::int32_t>(i)});
    if (json == kOpen || json == kLeaf) return;
    if (!json.is_object()) refuse(place.name, fmt::format("{} is neither a split nor \"...\" nor \"leaf\"", json.dump()));
    if (json.size() == 1 && json.contains("column")) {
      top_.asked_.emplace_back(NodeId{static_cast<std::int32_t>(i)}, id_of(column(json.at("column"), place.name)));
      return;
    }
    if (place.depth == kMostLevels) refuse(place.name, fmt::format("the splits are deeper than {} levels", kMostLevels), "leave some out");
    check_keys(json, place.name);
    const Feature& feature = column(json.at("column"), place.name);
    TreeTop::Part& part = top_.parts_[i];
    part.split = Split{rule(json, feature, place.name), false};
    if (const auto missing = json.find("missing"); missing != json.end()) {
      if (*missing != "left" && *missing != "right") refuse(place.name, "'missing' is neither \"left\" nor \"right\"");
      part.says_missing = true;
      part.split->missing_left = *missing == "left";
    } else if (feature.has_missing) {
      refuse(place.name, fmt::format("'{}' has missing values, and nothing says where these rows go", feature.name),
             R"(add "missing": "left" or "missing": "right")");
    }
    for (const char* side : {"left", "right"})
      places_.push_back({&json.at(side), fmt::format("{} of {}", side, place.name), place.depth + 1});
    top_.parts_.resize(places_.size());
  }

  static void check_keys(const Json& json, const std::string& place) {
    const std::vector<std::string> keys{"column", "below", "levels", "missing", "left", "right"};
    for (const auto& [key, value] : json.items()) {
      if (std::ranges::find(keys, key) == keys.end())
        refuse(place, fmt::format("there is no key '{}'{}", key, did_you_mean(key, keys)), fmt::format("use {}", fmt::join(keys, ", ")));
    }
    for (const char* key : {"column", "left", "right"}) {
      if (!json.contains(key)) refuse(place, fmt::format("'{}' is missing", key));
    }
  }

  const Feature& column(const Json& json, const std::string& place) const {
    const std::string name = json.is_string() || json.is_object() ? name_from(json) : json.dump();
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end())
      refuse(place, fmt::format("there is no column '{}'{}", name, did_you_mean(name, names_)), "name a column of the data");
    return features_[static_cast<std::size_t>(found - names_.begin())];
  }

  FeatureId id_of(const Feature& feature) const { return FeatureId{static_cast<std::int32_t>(&feature - features_.data())}; }

  SplitRule rule(const Json& json, const Feature& feature, const std::string& place) const {
    const bool below = json.contains("below"), levels = json.contains("levels");
    if (below == levels || below == feature.has_levels())
      refuse(place,
             fmt::format("'{}' is split by {}", feature.name, feature.has_levels() ? "the \"levels\" that go left" : "\"below\", a number"),
             feature.has_levels() ? R"(write for example "levels": ["red", "blue"])" : kExample);
    if (below) return AxisSplit{id_of(feature), threshold(json.at("below"), feature, place)};
    const std::vector<bool> left = chosen(json.at("levels"), feature, place);
    if (feature.kind == ColumnKind::categorical) return CategorySplit{id_of(feature), left};
    const auto first_right = std::ranges::find(left, false);
    if (std::find(first_right, left.end(), true) != left.end())
      refuse(place, fmt::format("the levels of '{}' are ordered, and those that go left are not the first ones", feature.name),
             fmt::format("name the first ones of {}", fmt::join(feature.levels, ", ")));
    const bool none = first_right == left.begin(), all = first_right == left.end();
    if ((none || all) && !feature.has_missing)
      refuse(place, fmt::format("{} of the levels of '{}' go left", none ? "none" : "all", feature.name),
             fmt::format("name the first ones of {}", fmt::join(feature.levels, ", ")));
    // Between the levels and the missing values.
    if (none || all) return AxisSplit{id_of(feature), none ? std::numeric_limits<double>::lowest() : std::numeric_limits<double>::max()};
    return AxisSplit{id_of(feature), static_cast<double>(first_right - left.begin()) - 0.5};
  }

  static double threshold(const Json& json, const Feature& feature, const std::string& place) {
    if (json.is_number() && std::isfinite(json.get<double>())) return json.get<double>();
    if (feature.notation == Notation::date && json.is_string()) {
      if (const auto dates = read_written_dates({json.get<std::string>()}, '\0'); dates && !dates->doubtful) return dates->days.front();
    }
    refuse(place, fmt::format("{} is no {}", json.dump(), feature.notation == Notation::date ? "date such as \"2020-03-01\"" : "number"));
  }

  static std::vector<bool> chosen(const Json& json, const Feature& feature, const std::string& place) {
    std::vector<bool> left(feature.levels.size(), false);
    if (!json.is_array()) refuse(place, "'levels' is no list", R"(write for example "levels": ["red", "blue"])");
    for (const Json& level : json) {
      const std::string name = level.is_string() || level.is_object() ? name_from(level) : level.dump();
      const auto found = std::ranges::find(feature.levels, name);
      if (found == feature.levels.end())
        refuse(place, fmt::format("'{}' has no level '{}'{}", feature.name, name, did_you_mean(name, feature.levels)),
               "name levels of the column");
      left[static_cast<std::size_t>(found - feature.levels.begin())] = true;
    }
    return left;
  }

  TreeTop& top_;
  const std::vector<Feature>& features_;
  std::vector<std::string> names_;
  std::vector<Place> places_;  // numbered as the nodes
};

Json top_json(const std::string& text) {
  std::vector<std::set<std::string>> keys;  // of each object that has begun
  std::string twice;
  const auto look = [&](int, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) twice = value.get<std::string>();
    return true;
  };
  try {
    Json json = Json::parse(text, look);
    if (twice.empty()) return json;
  } catch (const Json::parse_error& error) {
    throw option_error(kOption, fmt::format("is not JSON that names splits (byte {} is out of place)", error.byte), kExample);
  }
  throw option_error(kOption, fmt::format("has the key '{}' twice in one place", twice), kExample);
}

TreeTop::TreeTop(const std::string& json, const std::vector<Feature>& features) {
  try {
    TopReader(*this, features).read(top_json(json));
  } catch (const Json::exception& error) {
    throw option_error(kOption, fmt::format("is not JSON that names splits ({})", error.what()), kExample);
  } catch (const std::out_of_range& error) {
    throw option_error(kOption, error.what(), kExample);
  }
}

Tree TreeTop::tree(const Dataset& data) const {
  Tree tree(data);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].split) tree.split(NodeId{static_cast<std::int32_t>(i)}, *parts_[i].split);
  }
  assert(tree.nodes().size() == parts_.size());
  tree.direct_unseen_missing(data);
  restore(tree);
  tree.tally(data);
  return tree;
}

// Calls `visit` with each part and the node in its place, from the root down. Returns false where the tree has no such node, or `visit`
// does.
template <class Visit>
bool TreeTop::walk(const Tree& tree, Visit visit) const {
  std::vector<NodeId> nodes(parts_.size(), kNoNode);
  nodes.front() = Tree::root();
  for (std::size_t i = 0, next = 1; i < parts_.size(); ++i) {
    const Node& node = tree.node(nodes[i]);
    if (!visit(i, nodes[i])) return false;
    if (!parts_[i].split) continue;
    if (node.is_leaf()) return false;
    nodes[next++] = node.left;
    nodes[next++] = node.right;
  }
  return true;
}

bool TreeTop::begins(const Tree& tree) const {
  return walk(tree, [&](std::size_t i, NodeId id) {
    const Node& node = tree.node(id);
    const Part& part = parts_[i];
    const auto asked = std::ranges::find(asked_, NodeId{static_cast<std::int32_t>(i)}, &std::pair<NodeId, FeatureId>::first);
    if (asked != asked_.end()) return !node.is_leaf() && node.split->feature() == asked->second;
    if (!part.split) return node.is_leaf() || std::ranges::find(open_, NodeId{static_cast<std::int32_t>(i)}) != open_.end();
    return !node.is_leaf() && node.split->rule == part.split->rule &&
           (!part.says_missing || node.split->missing_left == part.split->missing_left);
  });
}

void TreeTop::restore(Tree& tree) const {
  std::vector<Node> nodes = tree.nodes();
  walk(tree, [&](std::size_t i, NodeId id) {
    const Part& part = parts_[i];
    if (!part.split) return true;
    Split& split = *nodes[static_cast<std::size_t>(+id)].split;
    split.rule = part.split->rule;
    if (part.says_missing) split.missing_left = part.split->missing_left;
    return true;
  });
  tree = tree.with_nodes(std::move(nodes));
}

std::vector<FeatureId> TreeTop::columns() const {
  std::vector<FeatureId> columns;
  for (const Part& part : parts_) {
    if (part.split) columns.push_back(*part.split->feature());
  }
  for (const auto& [leaf, column] : asked_) columns.push_back(column);
  return columns;
}

void graft(Tree& tree, NodeId leaf, const Tree& below) {
  std::vector<NodeId> nodes(below.nodes().size(), kNoNode);
  nodes.front() = leaf;
  for (std::size_t i = 0; i < nodes.size(); ++i) {  // children come after their parent
    const Node& node = below.nodes()[i];
    if (node.is_leaf()) continue;
    std::tie(nodes[static_cast<std::size_t>(+node.left)], nodes[static_cast<std::size_t>(+node.right)]) = tree.split(nodes[i], *node.split);
  }
}

Json top_split(const Split& split, const Tree& tree) {
  const Feature& feature = tree.features[static_cast<std::size_t>(+*split.feature())];
  Json json = {{"column", name_json(feature.name)}};
  const auto add_levels = [&](const auto& goes_left) {
    json["levels"] = Json::array();
    for (std::size_t level = 0; level < feature.levels.size(); ++level) {
      if (goes_left(level)) json["levels"].push_back(name_json(feature.levels[level]));
    }
  };
  if (const CategorySplit* set = split.set()) {
    add_levels([&](std::size_t level) { return set->left[level]; });
  } else if (feature.has_levels()) {
    add_levels([&](std::size_t level) { return static_cast<double>(level) < split.axis()->threshold; });
  } else {
    json["below"] = split.axis()->threshold;
  }
  if (feature.has_missing) json["missing"] = split.missing_left ? "left" : "right";
  return json;
}

Json top_from(const Tree& tree, NodeId id) {
  const Node& node = tree.node(id);
  if (node.is_leaf()) return kLeaf;
  Json json = top_split(*node.split, tree);
  json["left"] = top_from(tree, node.left);
  json["right"] = top_from(tree, node.right);
  return json;
}

}  // namespace treewright
