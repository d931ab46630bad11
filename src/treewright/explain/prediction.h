#pragma once

#include <string>

#include "treewright/tree.h"

namespace treewright::explain {

/// A number of a leaf (a mean, rate or hazard) as it is shown to a person: four significant digits, no less than the whole number, and so
/// many that means differ where they do by a thousandth of the spread of all rows: 1000000000.25 and not 1e+09.
std::string value_text(const Tree& tree, double value);

/// What a node predicts, as it is shown to a person: the name of a class, or a number.
std::string prediction(const Tree& tree, const Node& node);

/// How far the training rows of a node are from its number: "sd 2.1" (standard deviation), or "7 events in 57.3".
std::string spread(const Tree& tree, const Node& node);

/// What the training rows say of a leaf that predicts a number: "mean of 57 training rows in its leaf, sd 2.1".
std::string estimate_words(const Tree& tree, const Node& leaf);

/// What `Result::explained` is called: "R2", or "share of the deviance".
const char* explained_name(Loss loss);

}  // namespace treewright::explain
