#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "treewright/search/first_trees/coarse.h"
#include "treewright/search/first_trees/discrepancy_search.h"
#include "treewright/search/first_trees/primal_heuristic.h"
#include "treewright/search/root/root.h"

namespace treewright::search {

/// Looks for good trees before the root is searched, and for better ones of the last level while it is. See trials.cpp.
class Trials {
 public:
  explicit Trials(Root& root) : root_(root) {}

  /// Gives the level good trees to begin with.
  void first_trees(Level& level, const Report& report);
  /// To be called when it is known how much work is expected.
  void plan();
  /// To be called when a level above the last is solved, after `plan`. `work`: that it took.
  void level_is_solved(int depth, double work, const Report& report);
  /// Runs some trials. False if there are none, or if they have had their share of the work.
  bool run_some(const Report& report);
  /// Done so far, after `plan`.
  double work() const { return discrepancy_work_ + look_ahead_work_ + exact_work_; }

 private:
  static constexpr std::size_t kRootListBytes = std::size_t{128} << 20;

  bool try_discrepancies(const Report& report);
  bool try_coarse(std::int64_t most, const Report& report);
  bool try_roots(const Report& report);
  bool try_exact_roots(const Report& report);
  bool try_polish(const Report& report);
  void polish(int exact, const Report& report);
  double exact_share() const;
  // Work of the whole search so far.
  double done() const { return static_cast<double>(root_.deadline.work()); }

  Root& root_;
  const PrimalHeuristic heuristic_{root_.problem, root_.limits, root_.deadline, root_.crew, root_.ledger};
  RootLists root_lists_{kRootListBytes};
  std::optional<DiscrepancySearch> discrepancies_;                      // of the root's bit sets, or of the coarse problem
  std::optional<CoarseProblem> coarse_;                                 // if the root is not on bit sets
  double coarse_best_ = std::numeric_limits<double>::infinity();        // cost of the best coarse tree
  double polished_ = 0;                                                 // cost of the tree that was polished last
  std::optional<RootTrials> roots_;                                     // if the root is not on bit sets
  double next_exact_ = 0;                                               // work of the next trials with three exact levels
  double discrepancy_work_ = 0, look_ahead_work_ = 0, exact_work_ = 0;  // by kind
};

}  // namespace treewright::search
