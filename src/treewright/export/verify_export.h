#pragma once

#include <functional>

#include "treewright/tree.h"

namespace treewright::exports {

/// The effect of writing a number to a file and reading it back.
using RoundTrip = std::function<double(double)>;

/// The tree as a reader of the file sees it: with every threshold and weight as read back.
Tree as_read(const Tree& tree, const RoundTrip& threshold, const RoundTrip& weight);

/// The number with this many significant digits, as `{:.{}g}` writes it.
double rounded(double value, int digits);

/// The fewest digits, at least kDigits, with which every row of `data` keeps its leaf when thresholds are written with that many
/// digits and weights with two less.
int digits_needed(const Tree& tree, const Dataset& data);

/// Checks that every row of `data` reaches the same leaf in the tree as its file is read, and that no sum of a hyperplane is so
/// near its threshold that another order of the additions could decide otherwise. Throws Error naming `what` and the row.
void verify_export(const Tree& tree, const Tree& read, const Dataset& data, const std::string& what);

}  // namespace treewright::exports
