#pragma once

#include <map>
#include <optional>
#include <string>

#include "treewright/explain/region.h"
#include "treewright/explain/text.h"

namespace treewright::explain {

/// Short names for hyperplanes whose question is longer than `longest` characters: H1, H2, ... in the order of the nodes.
/// Equal sums of columns have one name.
using PlaneNames = std::map<const Split*, std::string>;
PlaneNames plane_names(const Tree& tree, std::size_t longest);

/// The question of a split; of a hyperplane that has a name: "H1 < 2.5?".
std::string short_question(const Split& split, const Tree& tree, const PlaneNames& names, int digits = kDigits);

/// The region in words, each feature once: "2.45 <= petal_length < 4.75 and color in {red, blue}"; "always" for the root.
std::string in_words(const Region& region, const Tree& tree, const PlaneNames& names = {}, int digits = kDigits);

/// The answer to a question of the form "... < 2.5?": "... >= 2.5" on the right.
std::string side_of(std::string question, bool left);

/// What the training rows say of a leaf: "120 of 122 training rows in its leaf (98.4 %); probability 0.970 (drawn towards the nodes
/// above)"; where labels have costs by row "cheapest for 72 of 88 training rows in its leaf (81.8 %), where it gains 1.68 a row".
/// `probability`: of its label; nothing where it differs by row and no row is meant.
std::string leaf_words(const Tree& tree, const Node& leaf, std::optional<double> probability);

/// What a label costs a row of the node on average, where labels have costs by row.
double mean_cost(const Node& node, std::size_t label);

/// "gains 1.68 a row", "costs 0.2 a row": negative costs are gains.
std::string for_each_row(double mean_cost);

/// The split's answer as a sentence in raw units: "petal_length < 2.45", "petal_length >= 2.45 or missing", "color is none of {red}".
std::string answer(const Split& split, bool left, const Tree& tree, int digits = kDigits);

}  // namespace treewright::explain
