// A bound is shown before it is stated: a proof of it is written (search/prove/prove.cpp) and checked on the raw rows (proof/check.cpp), in
// memory or with the file that the user asks for. A mistake of the search, whatever it is, then ends as a proof that cannot be written or
// is refused, and not as a wrong "optimal".
//
// Unless the user says otherwise this is done where it costs little, so that no small problem is called optimal without it. Little is an
// amount of work, not of time: what a result says must not depend on how busy the machine is. Both the proof and the check go through the
// items of a part in every ordering, again and again, and may visit two million of them: some hundredths of a second.

#include "treewright/methods/oct/verified_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "treewright/base/error.h"
#include "treewright/base/file.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/system.h"
#include "treewright/base/time_left.h"
#include "treewright/base/version.h"
#include "treewright/data/costs/costs.h"
#include "treewright/proof/certain_bound.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"
#include "treewright/proof/proved_bound.h"
#include "treewright/search/bounds/rules.h"
#include "treewright/search/prove/prove.h"
#include "treewright/search/prove/prove_below_top.h"
#include "treewright/task/cost_objective.h"

namespace treewright::oct {

namespace {

// Visits of an item in an ordering that writing a proof may take unasked, and checking it once more.
constexpr std::int64_t kUnaskedVisits = 2'000'000;
// The least that is done in them is to sort the items by each column and to compare all stumps with one another a few times.
constexpr std::int64_t kLeastLooks = 4;

bool is_tried_unasked(const Task& task) {
  const auto look = static_cast<std::int64_t>(task.data.rows() * task.data.columns.size());
  return task.options.verify == "auto" && !task.asked.first() && kLeastLooks * look <= kUnaskedVisits;
}

Deadline deadline_for(const Task& task, bool asked) {
  return task.deadline.task(asked ? std::numeric_limits<std::int64_t>::max() : kUnaskedVisits);
}

// What the proof shows, unless the check was stopped. Throws Error if the checker refuses it.
std::optional<proof::Verified> checked(const Task& task, const proof::Proof& proof) {
  Deadline deadline = deadline_for(task, task.options.verify == "yes");
  try {
    return proof::verify(proof, task.raw(), "the proof", &deadline);
  } catch (const Stopped&) {
    return {};
  }
}

// Whether the proof shows all that is claimed, as `check --proof` will ask: of an optimal tree that none is better, else the bound. It may
// fall short by digits where weights are of many magnitudes. The allowance for these counts once: an optimal tree is not compared by its
// own bound, which may be below its cost by as much.
bool shows(const Task& task, const proof::Proof& proof, const proof::Verified& verified, const Result& result) {
  const Dataset& raw = task.raw();
  // Training speaks of gains, and the proof of costs. The bound will be as far below the cost as it is below the errors on gains.
  const ObjectivePtr objective =
      raw.has_costs() ? std::make_shared<CostObjective>(CostObjective::from(task.options, raw, raw.costs)) : task.objective;
  const proof::ProvedBound shown = proof::proved_bound(verified, *objective, raw, proof.depth);
  const double scale = objective->error_scale(), splits = static_cast<double>(result.tree.splits());
  const double cost = objective->of(result.tree, raw) * scale, open = (task.objective->of(result.tree, task.data) - result.bound) * scale;
  const double of_tree = cost + shown.dearer * splits;
  const double claimed = result.status == Status::optimal ? of_tree : std::min(cost - std::max(0.0, open), of_tree);
  return proof::is_proved(shown, claimed, *objective, raw);
}

// What is certain without a search stays.
void take_back(const Task& task, const Error& error, Result& result) {
  result.bound = certain_bound(task) / task.objective->error_scale();
  result.status = Status::heuristic;
  const std::string cause =
      task.options.on_existing == "resume"
          ? "This is a defect of the checkpoint, if somebody else wrote it, or of treewright: begin anew without it, and "
            "if that fails too, please report it with the data"
          : "This is a defect of treewright: please report it with the data";
  result.proved = fmt::format("nothing: the search called this tree optimal, but the proof of it fails ({}: {}). {}", error.where(),
                              error.problem(), cause);
}

// `make` writes the proof; empty where there is nothing to prove yet. `wanted`: it was asked for.
void show(const Task& task, bool wanted, const std::function<std::optional<proof::Proof>(Deadline&)>& make, Result& result) {
  const Options& options = task.options;
  std::optional<proof::Proof> proof;
  std::optional<proof::Verified> verified;
  try {
    Deadline deadline = deadline_for(task, wanted);
    proof = make(deadline);
    if (proof && options.verify != "no") verified = checked(task, *proof);
    result.verified = verified && shows(task, *proof, *verified, result);
  } catch (const proof::DoesNotFollow& error) {
    take_back(task, error, result);
    if (!options.proof.empty()) result.unwritten = error;
    return;
  } catch (const Error& error) {  // of weights that a proof cannot state, say
    if (wanted) result.proved += fmt::format("; there can be no proof in a file: {}", error.problem());
    if (!options.proof.empty()) result.unwritten = error;
    return;
  }
  if (wanted && (!proof || (options.verify == "yes" && !verified)))
    result.proved += "; the run was stopped before a proof could be written and checked";
  if (wanted && verified && !result.verified)
    result.proved += "; by the digits of its costs the proof shows a bound that is a little lower";
  if (!proof || options.proof.empty()) return;
  try {
    write_file(options.proof, proof::to_bytes(*proof, fmt::format("treewright {}", version())));
    result.proved += fmt::format("; proof in {}", system::text_of(system::path_of(options.proof).filename()));
  } catch (const Error& error) {
    result.proved += fmt::format("; its proof could not be written: {}", error.what());
    result.unwritten = error;
  }
}

}  // namespace

double certain_bound(const Task& task) {
  if (task.data.response) return 0;
  const double price = task.objective_as<ErrorObjective>().split_price();
  return proof::certain_bound(task.data, static_cast<int>(task.options.max_depth), price);
}

void check_proof_is_possible(const Task& task) {
  const Options& options = task.options;
  if (!is_proof_wanted(options)) return;
  const std::string option = options.proof.empty() ? "verify" : "proof";
  if (task.asked.first())
    throw option_error(option, "a proof speaks of trees with any first column, and one is asked for",
                       fmt::format("leave out first_column, or {}", option));
  if (!options.proof.empty() && !task.asked.never().empty())
    throw option_error("proof", "a proof file speaks of all columns of the data, and some are never to be asked",
                       "leave them out of the data");
  if (!options.proof.empty() && !task.data.reading.edges.empty())
    throw option_error("proof", "a proof file speaks of classes as they stand in the data, and these are groups of numbers",
                       "write the groups into a column and name it as target");
  if (!options.proof.empty()) check_writable(options.proof, {options.checkpoint});
}

bool is_proof_wanted(const Options& options) {
  return !options.proof.empty() || options.verify == "yes";
}

void show_bound(const Task& task, const search::ExactSearchOptions& how, const search::ExactSearchResult& found, Checkpoint& checkpoint,
                const ProgressListener& report, Result& result) {
  const Options& options = task.options;
  const bool wanted = is_proof_wanted(options);
  if (!wanted && !(found.complete && is_tried_unasked(task))) return;
  const auto make = [&](Deadline& deadline) -> std::optional<proof::Proof> {
    if (!found.complete) return {};
    const double begin = deadline.elapsed();
    TimeLeft left;
    const auto tell = [&](std::size_t written, std::size_t parts) {
      Progress progress{deadline.elapsed(), found.lower, found.lower, ' '};
      progress.done = progress.closed = 1;
      progress.written = static_cast<double>(written) / static_cast<double>(parts);
      progress.seconds_left = left.update(progress.seconds - begin, progress.written);
      report(progress);
    };
    return search::prove(task.raw(), task.data, how, found, deadline, wanted ? checkpoint.parts() : nullptr,
                         wanted ? search::ProofListener(tell) : search::ProofListener());
  };
  show(task, wanted, make, result);
}

void show_bound_below_top(const Task& task, Result& result) {
  result.verified = false;
  search::ExactSearchOptions how;
  how.max_depth = static_cast<int>(task.options.max_depth);
  how.min_rows = std::max(task.min_rows, task.leaf_weight.rows_needed);
  how.split_price = task.objective->split_price();
  how.rules = search::rules_without(task.options.disable);
  const auto make = [&](Deadline& deadline) -> std::optional<proof::Proof> {
    if (result.status != Status::optimal) return {};
    const TreeTop& top = *task.asked.top();
    return search::prove_below_top(task.raw(), task.data, how, top.tree(task.data), top.open(), deadline);
  };
  show(task, true, make, result);
}

}  // namespace treewright::oct
