#pragma once

#include <optional>
#include <string>

#include "treewright/result.h"

namespace treewright::explain {

/// Whether the result speaks of other trees. A method that can prove a bound and was stopped early has that of 0: no objective is negative.
bool bounded(const Result& result);

/// How many errors a better tree within the limits can save at most. Nothing where the bound does not tell: splits have a price, rows have
/// weights, or the objective counts more than errors.
std::optional<double> errors_to_save(const Result& result);

/// What the objective counts, in units of its scale: "errors", each of them 1, or "cost".
std::string counted(const Result& result);

/// How the run ended, and whether a checker has gone through the proof, or why not: "optimal (verified)".
std::string status(const Result& result);

/// Whether the objective is errors or costs and nothing else.
bool counts_alone(const Objective& objective);

/// What these are called: "errors", "errors by weight", "cost".
const char* loss_name(const Result& result);

/// What is proved of other trees in words, for people who know no optimization: "No tree with at most 2 questions on a path, each about one
/// column, makes fewer than 15 errors on these 398 rows". Without a full stop.
std::string headline(const Result& result);

/// The classes of the training rows that no leaf predicts, and whether the limits leave too few leaves for them; "" = there is none.
std::string never_predicted(const Result& result);

/// How many leaves of a tree of several hold one or two rows, which say little about others; "" = none.
std::string leaves_of_few_rows(const Tree& tree);

/// Whether the bound says too little to be told: that nearly all errors might be saved.
bool is_useless(double saved, double errors);

/// A gap as a percentage. What rounding leaves is 0.
std::string gap_text(double gap, int digits = 4);

/// The same of a result. Where the comparison was stopped that chose its options, a gap of 0 is about these options alone, and it says so.
std::string gap_text(const Result& result);

/// What was proved, in the words of the headline where they say it, or "none: " and why nothing was.
std::string proof(const Result& result);

}  // namespace treewright::explain
