#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/search/exact.h"

namespace treewright::search {

/// Which trees near the best one are wanted.
struct NearWanted {
  double within = 0;         ///< costs of at most so much more, by weight
  std::size_t count = 1000;  ///< of more trees the cheapest
  bool only_sets = false;    ///< of the trees that ask the same columns the cheapest one only
  double off = 0;            ///< a cost is known up to so much: trees that may be within it are listed
};

/// A tree whose cost is near that of the best one.
struct NearTree {
  Tree tree;        ///< tallied
  double cost = 0;  ///< errors + split_price * splits, by weight
};

struct NearTrees {
  std::vector<NearTree> trees;  ///< the cheapest first
  /// There is no other tree of a cost of so much more than the best one or less; negative = not even of the same cost is that known.
  double complete_within = -1;
};

/// The trees within the limits that cost nearly as little as `best`: see near_trees.cpp for what is a tree of its own. Of `options` depth,
/// splits, rows of a leaf, price and threads are read. `data`: pass validate_for_training.
NearTrees near_trees(const Dataset& data, const ExactSearchOptions& options, const Tree& best, const NearWanted& wanted,
                     Deadline& deadline);

/// Whether the rest of a list that is made ready since that moment is left out: the user interrupts, or waits behind the limit on time.
bool has_no_time_for_all(const Deadline& deadline, double since);

}  // namespace treewright::search
