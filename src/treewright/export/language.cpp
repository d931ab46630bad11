// What the languages of programs share: how a split becomes a condition, and the table of the leaves.

#include "treewright/export/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "treewright/base/error.h"
#include "treewright/base/hash.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/text.h"
#include "treewright/export/literal.h"
#include "treewright/probabilities.h"
#include "treewright/tree/levels.h"

namespace treewright::exports {

namespace {

// Children stand behind their parents.
template <class Of>
std::vector<int> from_leaves(const Tree& tree, Of of) {
  std::vector<int> depth(tree.nodes().size());
  for (std::size_t i = depth.size(); i-- > 0;) {
    const Node& node = tree.nodes()[i];
    if (!node.is_leaf()) depth[i] = of(depth[+node.left], depth[+node.right]);
  }
  return depth;
}

}  // namespace

// C promises 127 blocks inside each other, clang has 256, Python 100 levels of indentation.
constexpr int kMostBlocks = 90;

Language::Language(const Tree& of) : tree(of), leaf_text(of.nodes().size()) {
  nest_at_most(kMostBlocks);
  std::size_t leaves = 0;
  for (std::size_t i = 0; i < leaf_text.size(); ++i) {
    if (tree.nodes()[i].is_leaf()) leaf_text[i] = std::to_string(leaves++);
  }
}

std::string Language::number(double value) const {
  return literal(value);
}

std::string Language::below(const std::string& value, double threshold, bool or_missing) const {
  return or_missing ? negated(fmt::format("{} >= {}", value, number(threshold))) : fmt::format("{} < {}", value, number(threshold));
}

std::string Language::below(const AxisSplit& axis, bool or_missing) const {
  return below(numeric(axis.feature), axis.threshold, or_missing);
}

std::string Language::sum(const HyperplaneSplit& plane) const {
  std::string sum;
  for (const auto& one : plane.terms) sum += (sum.empty() ? "" : " + ") + number(one.weight) + " * " + term(one);
  return sum.empty() ? "0.0" : sum;
}

std::string Language::distances(const LogitTable& logits, const std::string& function) const {
  std::string out = "1.0";
  for (const NodeId id : logits.planes) {
    const HyperplaneSplit& plane = *tree.node(id).plane();
    out += fmt::format(", {}(({} - {}) / {})", function, sum(plane), number(plane.threshold), number(tree.probability_model->reach[+id]));
  }
  return out;
}

std::string Language::below(const HyperplaneSplit& plane, bool or_missing) const {
  return below(sum(plane), plane.threshold, or_missing && !plane.terms.empty());
}

std::string Language::negated(const std::string& condition) const {
  return "!(" + condition + ")";
}

std::string Language::condition(const Split& split) const {
  const auto by_set = [&](const CategorySplit& set) {
    std::vector<std::size_t> levels;
    for (std::size_t i = 0; i < set.left.size(); ++i) {
      if (set.left[i] != split.missing_left) levels.push_back(i);
    }
    const std::string listed = one_of(set.feature, levels);
    return split.missing_left ? negated(listed) : listed;
  };
  const auto by_axis = [&](const AxisSplit& axis) {
    const auto set = levels_are_texts() ? level_split(split.rule, tree) : std::nullopt;
    return set ? by_set(*set) : below(axis, split.missing_left);
  };
  return match(
      split.rule, by_axis, [&](const HyperplaneSplit& plane) { return below(plane, split.missing_left); }, by_set);
}

void Language::nest_at_most(int depth, bool right_is_behind) {
  const std::vector<int> nesting =
      from_leaves(tree, [&](int left, int right) { return std::max(left + 1, right_is_behind ? right : right + 1); });
  needs_.clear();
  if (nesting[+Tree::root()] > depth)
    needs_ = from_leaves(tree, [](int left, int right) { return std::max(std::min(left, right) + 1, std::max(left, right)); });
}

std::string Language::condition_inside(const Node& node) const {
  const std::string asked = condition(*node.split);
  return right_inside(node) ? negated(asked) : asked;
}

std::string Language::meant_inside(const Node& node) const {
  const AxisSplit* axis = node.axis();
  if (axis == nullptr || is_end(axis->threshold)) return "";
  const Feature& feature = tree.features[+axis->feature];
  const std::string meant = explain::number_text(axis->threshold, feature);
  if (feature.notation == Notation::date) return (right_inside(node) ? "not before " : "before ") + meant;
  if (feature.notation != Notation::ordered || levels_are_texts()) return "";
  return fmt::format("{} {} {}", feature.name, right_inside(node) ? ">" : "<=", meant);
}

std::vector<FeatureId> Language::categories_used() const {
  std::vector<FeatureId> used;
  for (const FeatureId feature : tree.features_used()) {
    if (tree.features[+feature].has_levels()) used.push_back(feature);
  }
  return used;
}

bool Language::has_other_forms() const {
  const std::vector<FeatureId> used = categories_used();
  return std::any_of(used.begin(), used.end(), [this](FeatureId feature) {
    const Levels levels(tree.features[+feature].levels);
    return levels.has_numbers() || levels.code_of_truth(true) >= 0 || levels.code_of_truth(false) >= 0;
  });
}

LeafTable::LeafTable(const Tree& tree) {
  if (tree.loss) {
    for (const Node& node : tree.nodes()) {
      if (node.is_leaf()) values.push_back(node.estimate.value);
    }
    return;
  }
  const std::vector<double> all = node_probabilities(tree, tree.shrinkage);
  const std::size_t classes = tree.class_names.size();
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    if (!tree.nodes()[i].is_leaf()) continue;
    labels.push_back(tree.nodes()[i].label);
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(i * classes);
    shares.emplace_back(from, from + static_cast<std::ptrdiff_t>(classes));
  }
}

LogitTable::LogitTable(const Tree& tree) {
  if (!tree.probability_model) return;
  const ProbabilityModel& model = *tree.probability_model;
  const std::size_t k = tree.class_names.size(), n = tree.nodes().size();
  const auto of_node = [&](std::size_t i) {
    const auto from = model.logits.begin() + static_cast<std::ptrdiff_t>(i * k);
    return std::vector<double>(from, from + static_cast<std::ptrdiff_t>(k));
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (model.reach[i] > 0) planes.push_back(NodeId{static_cast<std::int32_t>(i)});
  }
  std::vector<std::size_t> parent(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = tree.nodes()[i];
    if (!node.is_leaf()) {
      parent[+node.left] = parent[+node.right] = i;
      continue;
    }
    std::vector<bool> on_path(n, false);
    for (std::size_t at = i; at != 0; at = parent[at]) on_path[parent[at]] = true;
    std::vector<std::vector<double>>& rows = of_leaves.emplace_back(1, of_node(i));
    for (const NodeId plane : planes) rows.push_back(on_path[+plane] ? of_node(+plane) : std::vector<double>(k, 0.0));
  }
}

std::string table_text(const std::vector<double>& row, const char*, const char*) {
  std::vector<std::string> numbers;
  for (const double one : row) numbers.push_back(literal(one));
  return joined(numbers);
}

namespace {

// Words that C++ (a namespace) or JavaScript (an object) keeps for itself.
bool is_reserved(std::string_view name) {
  constexpr std::string_view kWords =
      " Infinity NaN alignas alignof and and_eq arguments asm async auto await bitand bitor bool break case catch char char16_t char32_t "
      "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue debugger decltype "
      "default delete do double dynamic_cast else enum eval explicit export extends extern false finally float for friend function goto if "
      "implements import in inline instanceof int interface let long mutable namespace new noexcept not not_eq null nullptr operator or "
      "or_eq package private protected public register reinterpret_cast requires return short signed sizeof static static_assert "
      "static_cast std struct super switch template this thread_local throw true try typedef typeid typename typeof undefined union "
      "unsigned using var virtual void volatile wchar_t while with xor xor_eq yield ";
  return !name.empty() && kWords.find(fmt::format(" {} ", name)) != std::string_view::npos;
}

}  // namespace

std::string named(std::string program, const std::string& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", kDigits = "0123456789";
  const auto fits = [&](char c) { return kLetters.find(c) != std::string_view::npos || kDigits.find(c) != std::string_view::npos; };
  if (!std::all_of(name.begin(), name.end(), fits) || (!name.empty() && kDigits.find(name.front()) != std::string_view::npos)) {
    throw option_error("name", fmt::format("'{}' is no name in a program", name), "use letters, digits and _, and no digit in front");
  }
  if (is_reserved(name)) throw option_error("name", fmt::format("'{}' is a word of C++ or JavaScript", name), "take another one");
  const std::string given = name.empty() ? "treewright_" + hash_text(hash(program)).substr(0, 8) : name;
  for (std::size_t at = program.find(kName); at != std::string::npos; at = program.find(kName, at)) program.replace(at, 1, given);
  return program;
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : explain::utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
  }
  return out + "\"";
}

}  // namespace treewright::exports
