#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// The names of a tree's columns.
std::vector<std::string> names_of_columns(const std::vector<Feature>& features);

/// Throws Error where the tree predicts numbers, or nothing was assigned to it: it has no class to predict.
void need_classes(const Tree& tree);

/// Throws Error where the rows have numbers to predict.
void need_classes(const Dataset& data);

/// Throws Error where the tree predicts classes.
void need_numbers(const Tree& tree);

/// Throws Error where nothing was assigned to the tree.
void need_trained(const Tree& tree);

/// Throws Error unless the tree may route the rows as they are: every column that it asks stands at its place, with its name, kind and
/// levels, and has a value or a level of its own for each row. `align` makes such rows of others.
void need_aligned(const Tree& tree, const Dataset& data);

/// The same of all columns of the tree, also those that it does not ask.
void need_all_aligned(const Tree& tree, const Dataset& data);

/// As need_aligned, of one row, which must be among the rows.
void need_aligned(const Tree& tree, const Dataset& data, std::size_t row);

/// Throws Error unless each row has a label that is a class, and a weight or none has one.
void need_labels(const Dataset& data);

/// The same, and the classes must be those of the tree.
void need_labels(const Tree& tree, const Dataset& data);

/// Throws Error unless each row has a number that loses what the tree's do.
void need_response(const Tree& tree, const Dataset& data);

/// Throws Error unless each row has what the tree predicts: a label, or a number.
void need_target(const Tree& tree, const Dataset& data);

}  // namespace treewright
