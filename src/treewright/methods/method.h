#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "treewright/grow/choose_probabilities.h"
#include "treewright/options.h"
#include "treewright/task/objective.h"
#include "treewright/task/task.h"

namespace treewright {

/// Trains a tree by any method. Given to methods that choose among other methods.
using Trainer = std::function<Result(const Dataset& data, const Options& options)>;

/// Options that a method has chosen.
struct ChosenOptions {
  Options options;                         ///< train with these, by another method
  std::string selection;                   ///< the reason, in words and as a table
  std::vector<CandidateScore> candidates;  ///< best first
  Status ended = Status::heuristic;        ///< what ended the comparison before it was complete; heuristic = nothing
  std::optional<double> promised = {};     ///< Result::mean_gain of its trees on rows that they were not trained on, if known
  std::optional<grow::ProbabilityChoice> probabilities = {};  ///< of the tree; nothing = the usual ones
};

/// Levels of a tree where nobody has chosen a depth.
inline constexpr std::int64_t kUsualDepth = 3;
/// So many, or one more than the classes need: a tree whose leaves are just enough has to give each class exactly one.
std::int64_t depth_for(std::size_t classes, std::int64_t least = kUsualDepth);

/// How the trees of all values of ccp_alpha are found: one fit gives one tree, a grown tree is pruned, or fits find the corners of the
/// hull of the optima.
enum class AlphaPath { none, pruned, optima };

/// The description of a method. Each folder of methods/ makes its own entries; fit/registry.cpp lists them. A method whose options decide
/// which others it reads has an entry for each case (`when`), its usual one first.
struct Method {
  std::string_view name;
  std::string_view family;       ///< what it is listed with: methods of a family answer the same question. A Python estimator each
  std::string_view description;  ///< one line of help
  bool exact = false;            ///< proves its result, given time
  /// Names of the options it reads, besides `method`. Any other option that a user sets is an Error.
  std::vector<std::string_view> reads;
  const ObjectiveKind* objective = nullptr;
  /// Tree, status, bound and `proved` of the result; the caller recounts and fills in the rest. Throws Error on bad options or data.
  Result (*train)(const Task& task) = nullptr;
  /// Trees that predict numbers: those of the losses it takes, what trains them for LossObjective, and the options that are read then.
  std::vector<Loss> losses = {};
  Result (*train_numbers)(const Task& task) = nullptr;
  std::vector<std::string_view> reads_of_numbers = {};
  /// Instead of `objective` and `train`: chooses another method and its options. A method that has `train` too chooses the option
  /// `chosen_option` where it is at its default; where fits are many, as on a complexity path, it has the value `unchosen`.
  ChosenOptions (*choose)(const Dataset& data, const Options& options, Deadline& deadline, const Trainer& trainer) = nullptr;
  std::string_view chosen_option = {}, unchosen = {};
  /// Of a method that chooses: may put a better tree in the place of `result`, which was trained with the chosen options.
  void (*improve)(const Dataset& data, ChosenOptions& chosen, Deadline& deadline, const Trainer& trainer, Result& result) = nullptr;
  bool empty_leaves = false;  ///< a split may send all rows to one side
  /// Its objective is errors and splits, so that it minimizes costs on a table of gains (data/costs), or it chooses such a method.
  bool takes_costs = false;
  /// The depth for so many classes where nobody has chosen one.
  std::int64_t (*usual_depth)(std::size_t classes) = [](std::size_t) -> std::int64_t { return kUsualDepth; };

  AlphaPath path = AlphaPath::none;
  /// Terms that a split may have, where `path` is `optima`.
  std::size_t (*most_terms)(const Dataset& data) = [](const Dataset&) -> std::size_t { return 1; };
  /// Whether its bound is of more than its objective, so that a bound of the objective alone stands beside it and not in its place.
  bool (*bounds_more)(const Options& options) = [](const Options&) { return false; };
  /// Options and their values in this case, such as {"solver", "mip"}: its options are those of `when` in any entry of the name, each with
  /// its default where this entry does not name it.
  std::vector<std::pair<std::string_view, std::string_view>> when = {};

  bool reads_option(std::string_view option) const;
  /// "oct", or "oct with solver=mip".
  std::string label() const;
};

/// Lists of option names, one after the other.
std::vector<std::string_view> joined(std::initializer_list<std::vector<std::string_view>> lists);

/// Options that most methods share.
namespace reads {
inline const std::vector<std::string_view> kTree = {"max_depth", "class_weight"};
inline const std::vector<std::string_view> kLeaves = {"min_samples_leaf", "min_weight_fraction_leaf"};
inline const std::vector<std::string_view> kErrors = {"ccp_alpha", "alpha_scale", "max_splits"};
inline const std::vector<std::string_view> kRun = {"time_limit", "stall_limit", "node_limit", "n_jobs"};
/// How a run or its proof is kept and checked: they say nothing about the tree.
inline const std::vector<std::string_view> kKept = {"proof", "verify", "checkpoint", "on_existing"};
/// Options that any method takes, whether it reads them or not: they ask for nothing that it does not do.
inline const std::vector<std::string_view> kHarmless = {"n_jobs", "random_state"};
inline const std::vector<std::string_view> kModel = {"random_state", "mip_solver", "mip_start", "write_model"};
}  // namespace reads

}  // namespace treewright
