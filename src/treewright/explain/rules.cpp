#include "treewright/explain/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "treewright/explain/markup.h"

namespace treewright::explain {

namespace {

// The threshold that every value lies below: the split asks whether there is one.
bool beyond_all(double value) {
  return std::abs(value) == std::numeric_limits<double>::max();
}

std::string limit_text(const FeatureLimit& limit, const Feature& feature, int digits) {
  const std::string name = printable(feature.called());
  const std::string or_missing = limit.missing && feature.has_missing ? " or missing" : "";
  if (feature.kind == ColumnKind::categorical) {
    const std::string text = fmt::format("{} in {}", name, level_set(limit.levels, feature));
    return text + or_missing;
  }
  if (limit.low >= limit.high || limit.high == std::numeric_limits<double>::lowest() || limit.low == std::numeric_limits<double>::max()) {
    return name + " is missing";
  }
  const bool low = std::isfinite(limit.low) && !beyond_all(limit.low), high = std::isfinite(limit.high) && !beyond_all(limit.high);
  if (!low && !high) return name + " has a value";
  const auto number = [&](double value) { return number_text(value, feature, digits); };
  const bool ordered = feature.notation == Notation::ordered;  // the text of a threshold is the last level below it
  const char *const below = below_sign(feature), *const from = ordered ? "<" : "<=", *const at_least = ordered ? ">" : ">=";
  return (low && high ? fmt::format("{} {} {} {} {}", number(limit.low), from, name, below, number(limit.high))
          : low       ? fmt::format("{} {} {}", name, at_least, number(limit.low))
                      : fmt::format("{} {} {}", name, below, number(limit.high))) +
         or_missing;
}

}  // namespace

std::string side_of(std::string question, bool left) {
  question.pop_back();  // the question mark
  if (!left) question.replace(question.rfind(" < "), 3, " >= ");
  return question;
}

PlaneNames plane_names(const Tree& tree, std::size_t longest) {
  PlaneNames names;
  std::vector<const HyperplaneSplit*> different;
  for (const Node& node : tree.nodes()) {
    const HyperplaneSplit* const plane = node.plane();
    if (plane == nullptr || characters(question(*node.split, tree)) <= longest) continue;
    const auto known = std::ranges::find_if(different, [&](const HyperplaneSplit* one) { return one->terms == plane->terms; });
    const auto number = known - different.begin() + 1;
    if (known == different.end()) different.push_back(plane);
    names.emplace(&*node.split, fmt::format("H{}", number));
  }
  return names;
}

std::string short_question(const Split& split, const Tree& tree, const PlaneNames& names, int digits) {
  const auto name = names.find(&split);
  if (name == names.end()) return question(split, tree, digits);
  return fmt::format("{} < {:.{}g}?", name->second, split.plane()->threshold, digits);
}

std::string in_words(const Region& region, const Tree& tree, const PlaneNames& names, int digits) {
  std::string text;
  const auto add = [&](const std::string& condition) { text += (text.empty() ? "" : " and ") + condition; };
  for (std::size_t f = 0; f < region.limits.size(); ++f) {
    if (region.limits[f].asked) add(limit_text(region.limits[f], tree.features[f], digits));
  }
  for (const HalfSpace& plane : region.planes) add(side_of(short_question(*plane.split, tree, names, digits), plane.left));
  return text.empty() ? "always" : text;
}

double mean_cost(const Node& node, std::size_t label) {
  const double weight = std::accumulate(node.class_weight.begin(), node.class_weight.end(), 0.0);
  return weight > 0 ? node.label_cost[label] / weight : 0;
}

std::string for_each_row(double mean_cost) {
  return fmt::format("{} {} a row", mean_cost < 0 ? "gains" : "costs", plain(std::abs(mean_cost), 3));
}

std::string leaf_words(const Tree& tree, const Node& leaf, std::optional<double> probability) {
  const double weight = std::accumulate(leaf.class_weight.begin(), leaf.class_weight.end(), 0.0), rows = static_cast<double>(leaf.rows);
  if (!(weight > 0)) return "no training row is in its leaf";
  const double own = leaf.class_weight[static_cast<std::size_t>(leaf.label)];
  const bool weighted = std::abs(weight - rows) > 1e-9 * rows, by_cost = !leaf.label_cost.empty();
  const std::string of = fmt::format("{} training row{} in its leaf", leaf.rows, leaf.rows == 1 ? "" : "s");
  std::string out = by_cost ? "cheapest for " : "";
  out += weighted ? fmt::format("{} of the weight of the {}", percent(own / weight), of)
                  : fmt::format("{} of {} ({})", plain(own), of, percent(own / weight));
  if (by_cost) return out + ", where it " + for_each_row(mean_cost(leaf, static_cast<std::size_t>(leaf.label)));
  if (!tree.probability_model && tree.shrinkage == 0) return out;
  if (!probability) return out + "; the probability depends on the distance to the hyperplanes";
  int digits = 3;
  while (digits < 9 && *probability < 1 && fmt::format("{:.{}f}", *probability, digits).front() == '1') ++digits;
  return out + fmt::format("; probability {:.{}f} ({})", *probability, digits,
                           tree.probability_model ? "by its distance to the hyperplanes" : "drawn towards the nodes above");
}

std::string answer(const Split& split, bool left, const Tree& tree, int digits) {
  const auto limited = [&](FeatureId column, const auto& narrow) {
    const Feature& feature = tree.features[+column];
    FeatureLimit limit;
    limit.levels.assign(feature.levels.size(), true);
    limit.missing = split.missing_left == left;
    narrow(limit);
    return limit_text(limit, feature, digits);
  };
  const auto by_axis = [&](const AxisSplit& axis) {
    return limited(axis.feature, [&](FeatureLimit& limit) { (left ? limit.high : limit.low) = axis.threshold; });
  };
  const auto by_set = [&](const CategorySplit& set) {
    return limited(set.feature, [&](FeatureLimit& limit) {
      for (std::size_t i = 0; i < limit.levels.size(); ++i) limit.levels[i] = set.left[i] == left;
    });
  };
  return match(
      split.rule, by_axis, [&](const HyperplaneSplit&) { return side_of(question(split, tree, digits), left); }, by_set);
}

}  // namespace treewright::explain
