#pragma once

#include "treewright/methods/oct/checkpoint.h"
#include "treewright/progress.h"
#include "treewright/result.h"
#include "treewright/search/exact.h"
#include "treewright/task/task.h"

namespace treewright::oct {

/// What every tree costs, known without a search: in weight of rows. See proof/certain_bound.h.
double certain_bound(const Task& task);

/// Throws Error if a proof is asked for and its claim would not be that of the run, or its file cannot be written.
void check_proof_is_possible(const Task& task);

/// Whether the whole search is to be laid open in a proof, however long that takes.
bool is_proof_wanted(const Options& options);

/// Writes a proof of the bound and has it checked, as the options `proof` and `verify` say: see verified_bound.cpp. Says in the result what
/// came of it. A bound whose proof is refused is taken back. Neither the tree nor the proof is lost where a file cannot be written.
void show_bound(const Task& task, const search::ExactSearchOptions& how, const search::ExactSearchResult& found, Checkpoint& checkpoint,
                const ProgressListener& report, Result& result);

/// The same of a bound on trees that begin with the splits of the option top.
void show_bound_below_top(const Task& task, Result& result);

}  // namespace treewright::oct
