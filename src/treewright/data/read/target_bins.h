#pragma once

#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// The class names as numbers, however they are written; `data.reading.decimal` decides what may be read in two ways. Throws Error on one
/// that is no number, with this remedy. Shape (classes).
std::vector<double> numbers_of_classes(const Dataset& data, const std::string& where, char decimal, const char* remedy);

/// Says how numbers of the target such as this one were read.
void note_reading_of_target(Dataset& data, const std::string& cell);

/// Groups the numbers of the target into classes, as `options.bins` or `options.edges` ask; nothing where neither does or no row has a
/// label. Throws Error on labels that are no numbers.
void group_target(Dataset& data, const std::string& origin, const ReadOptions& options);

/// Throws Error where the target is a quantity (is_quantity) and nobody said what to do with its numbers.
void refuse_quantity(const Dataset& data, const std::string& origin, const ReadOptions& options);

/// Merges classes as `options.against_rest` asks. Rows to train on must have that class; others need not.
void take_against_rest(Dataset& data, const ReadOptions& options);

}  // namespace treewright
