#pragma once

#include <string>

#include "treewright/data.h"
#include "treewright/result.h"

namespace treewright::explain {

/// "6 of 150 (accuracy 0.9600)", with a remark where rows have weights.
std::string errors_of(const Result& result);

/// "R2        0.8123 on the training rows (root mean squared error 2.31)\n", of a tree that predicts numbers.
std::string loss_line(const Result& result);

/// What is claimed of the tree, a line for each fact: status, objective, bound, gap, cost, errors, splits, columns, proof, seconds. With
/// the training rows (nullptr = not at hand) also how many of weighted rows are wrong, or get their cheapest label.
std::string facts(const Result& result, const Dataset* train);

/// What a reader should know besides, a line "note ..." each: classes that are never predicted, and leaves of few rows.
std::string fact_notes(const Result& result);

}  // namespace treewright::explain
