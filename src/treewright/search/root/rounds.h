#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "treewright/search/root/root.h"

namespace treewright::search {

/// Solves a level: its cuts in rounds, side by side. See rounds.cpp.
class Rounds {
 public:
  /// Cuts that are solved side by side in one round.
  static constexpr std::size_t kCuts = 32;

  explicit Rounds(Root& root) : root_(root) {}

  /// Finds the optimum of the level. `shallow`: the optimum one level shallower. `before_each`: called before each round; it may better the
  /// level.
  void solve(Level& level, const SubproblemResult& shallow, const std::function<void()>& before_each, const Report& report) const;

 private:
  struct Task {
    OrderingSearch* search;
    Candidate candidate;
  };

  void open(Level& level, const SubproblemResult& shallow) const;
  std::vector<Task> next_tasks(Level& level) const;
  bool solve_round(Level& level, const SubproblemResult& shallow, const Report& report) const;

  Root& root_;
};

}  // namespace treewright::search
