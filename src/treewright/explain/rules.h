#pragma once

#include <string>

#include "treewright/explain/region.h"
#include "treewright/explain/text.h"

namespace treewright::explain {

/// The region in words, each feature once: "2.45 <= petal_length < 4.75 and color in {red, blue}"; "always" for the root.
std::string in_words(const Region& region, const Tree& tree);

/// The split's answer as a sentence in raw units: "petal_length < 2.45", "petal_length >= 2.45 or missing", "color is none of {red}".
std::string answer(const Split& split, bool left, const Tree& tree, int digits = kDigits);

}  // namespace treewright::explain
