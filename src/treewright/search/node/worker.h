#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"
#include "treewright/search/bounds/ledger.h"
#include "treewright/search/depth_two/depth_two.h"
#include "treewright/search/depth_two/solved_sets.h"

namespace treewright::search {

class Crew;

/// What one thread needs to solve subproblems: memory for the items at each depth, and the solver of depth two.
struct Worker {
  struct Level {
    Subset subset;
    Cuts cuts;
    ItemSet set;  ///< of the node, where the worker has `solved_sets`
  };
  DepthTwo depth_two;
  std::vector<std::unique_ptr<Level>> levels;
  Deadline* deadline = nullptr;       ///< of the task at hand
  Ledger* ledger = nullptr;           ///< may be null
  TaskPath path = {};                 ///< with a ledger: the cuts from the root to the node at hand
  int evidence_depth = -1;            ///< nodes of this depth, three or more, return the evidence of their bounds
  SolvedSets* solved_sets = nullptr;  ///< may be null
  Crew* crew = nullptr;               ///< who may help with a node; may be null

  Level& level(int depth);
};

/// Threads and the workers that they use, which are made when they are asked for and kept.
class Crew {
 public:
  Crew(const Problem& problem, const SearchLimits& limits, ThreadPool& with) : pool(with), problem_(problem), limits_(limits) {}

  ThreadPool& pool;

  /// Its task and what it knows are the caller's to set.
  std::unique_ptr<Worker> borrow();
  /// One that knows what `other` does of its node of that depth.
  std::unique_ptr<Worker> borrow(Worker& other, int depth, Deadline& until);
  void give_back(std::unique_ptr<Worker> worker);

 private:
  const Problem& problem_;
  const SearchLimits& limits_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> free_;
};

}  // namespace treewright::search
