#pragma once

#include <map>
#include <string>

#include "treewright/explain/region.h"
#include "treewright/explain/text.h"

namespace treewright::explain {

/// Short names for hyperplanes whose question is longer than `longest` characters: H1, H2, ... in the order of the nodes.
using PlaneNames = std::map<const Split*, std::string>;
PlaneNames plane_names(const Tree& tree, std::size_t longest);

/// The question of a split; of a hyperplane that has a name: "H1 < 2.5?".
std::string short_question(const Split& split, const Tree& tree, const PlaneNames& names, int digits = kDigits);

/// The region in words, each feature once: "2.45 <= petal_length < 4.75 and color in {red, blue}"; "always" for the root.
std::string in_words(const Region& region, const Tree& tree, const PlaneNames& names = {}, int digits = kDigits);

/// The answer to a question of the form "... < 2.5?": "... >= 2.5" on the right.
std::string side_of(std::string question, bool left);

/// The split's answer as a sentence in raw units: "petal_length < 2.45", "petal_length >= 2.45 or missing", "color is none of {red}".
std::string answer(const Split& split, bool left, const Tree& tree, int digits = kDigits);

}  // namespace treewright::explain
