#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/items/problem.h"

namespace treewright::search {

/// A piece of the work at a node of the search. What it shows is true by itself. A search that comes to it in the same way as another one
/// gets the same from it.
struct NodeTask {
  enum class Kind {
    depth_two,      ///< all items, to depth one or two
    look_ahead,     ///< the primal heuristic on all items
    trial,          ///< the primal heuristic below one cut
    discrepancies,  ///< the limited discrepancy search below one root
    cut             ///< both children of one cut
  };
  Kind kind{};
  int depth = 0;                                   ///< of the tree
  int exact = 0;                                   ///< look_ahead, trial: levels that are solved to the optimum
  std::size_t ordering = 0;                        ///< discrepancies: the root's place in its list
  std::int64_t cut = 0;                            ///< discrepancies: how many
  std::int64_t left_splits = 0, right_splits = 0;  ///< cut: of either child; depth_two: of the tree (left)
  double budget = 0;                               ///< depth_two, discrepancies, cut: only trees that cost less are looked for
  bool in_right_child = false;                     ///< of a cut that leads to a task below it: which child that task is in

  auto operator<=>(const NodeTask&) const = default;
};

/// A task of the root, or the cut of a node below: then first the cuts from the root to that node.
using TaskPath = std::vector<NodeTask>;

/// What solving a task has shown. It holds for ever.
struct Fact {
  std::vector<SubproblemResult> results;  ///< a cut's left and right child; else one result
  std::int64_t work = 0;                  ///< as the Deadline counts it
  double seconds = 0;                     ///< that it took
};

struct Candidate;

/// Facts from an earlier run of the same search, and where those of this run go. Its functions may be called from several threads at once.
class Ledger {
 public:
  virtual ~Ledger() = default;
  /// The fact, or nullptr if it is not known. It stays where it is.
  virtual const Fact* find(const TaskPath& task) = 0;
  virtual void add(const TaskPath& task, const Fact& fact) = 0;

  /// The fact as another machine has found it, or nothing if the task is to be solved here. `candidate`: of a cut, with its solved
  /// neighbors; else null. Throws Stopped if `deadline` ends the wait.
  virtual std::optional<Fact> ask(const TaskPath& /*task*/, const Candidate* /*candidate*/, Deadline& /*deadline*/) { return {}; }
  /// Whether it makes use of what it is told to expect.
  virtual bool begins_early() const { return false; }
  /// This cut will be asked for, unless a better tree is found before.
  virtual void expect(const TaskPath& /*task*/, const Candidate& /*candidate*/) {}
};

/// What `solve` shows, or what `ledger` (may be null) knows of it already or is told by another machine. Either way `deadline` counts the
/// same work. A task that the deadline broke off is not added. A result that is found must have its tree, and not only the root of it.
/// `candidate`: of a cut; else null. Throws Error if a fact cannot be one of this problem.
std::vector<SubproblemResult> recall_results(Ledger* ledger, const Problem& problem, const TaskPath& task, const Candidate* candidate,
                                             Deadline& deadline, const std::function<std::vector<SubproblemResult>()>& solve);
/// The same for a task of the root that has one result.
SubproblemResult recall(Ledger* ledger, const Problem& problem, const NodeTask& task, Deadline& deadline,
                        const std::function<SubproblemResult()>& solve);

}  // namespace treewright::search
