#pragma once

#include <string>
#include <vector>

#include "treewright/explain/markup.h"
#include "treewright/tree.h"

namespace treewright::explain {

/// Significant digits of a threshold that is shown to a person, unless rows need more to be told apart: see `digits_needed`.
inline constexpr int kDigits = 6;

/// What a term of a hyperplane is called: the feature, or "color[red]" for a level of one, "place(dose)" of ordered levels.
std::string term_name(const HyperplaneSplit::Term& term, const Tree& tree);

/// A threshold, or another number, in the units of a feature: a date, a duration, the last of the ordered levels below it, or as many
/// digits as the feature's decimals say. Where they are not known, or `digits` is not kDigits: with so many significant digits, and no less
/// than the whole number.
std::string number_text(double value, const Feature& feature, int digits = kDigits);

/// Between a feature and the text of its threshold: the last level on the left belongs to the left.
inline const char* below_sign(const Feature& feature) {
  return feature.notation == Notation::ordered ? "<=" : "<";
}

/// A set of levels: "{blue, red}"; a level that would be read as two is quoted.
std::string level_set(const std::vector<bool>& chosen, const Feature& feature);

/// The split as a question in raw units: "petal_length < 2.45?", "dose <= low?", "color in {blue, red}?", "0.5*a - 2*b < 1?".
/// `digits`: significant digits of thresholds; weights of hyperplanes have two less.
std::string question(const Split& split, const Tree& tree, int digits = kDigits);

/// The same, but a long sum is cut after its first terms, and the others are counted. The tree file and the report show all of them.
std::string shortened_question(const Split& split, const Tree& tree, int digits = kDigits);

}  // namespace treewright::explain
