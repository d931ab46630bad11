#pragma once

#include <cstdint>
#include <span>

#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/items/problem.h"
#include "treewright/search/items/subset.h"
#include "treewright/search/node/ordering_search.h"

namespace treewright::search {

/// Whether the search checks its own claims: a build with TREEWRIGHT_AUDIT does, on nodes of few items (audit.cpp), and takes its time.
#ifdef TREEWRIGHT_AUDIT
inline constexpr bool kAudited = true;
#else
inline constexpr bool kAudited = false;
#endif

/// The nodes that are checked have at most so many different items.
inline constexpr std::uint32_t kAuditedItems = 8;

// Each of these tries every tree on the items and throws std::logic_error where a claim is false. They do nothing where there are more
// items.

/// What NodeSearch::solve returned for these arguments. `complete`: the search was not stopped, so a tree below `upper` would have been
/// found.
void audit_result(const Problem& problem, const SearchLimits& limits, const ItemRange& range, int depth, std::int64_t splits, double upper,
                  std::span<const double> known, const SubproblemResult& result, bool complete);

/// The bounds on solved cuts, and those on the cuts between them, of a search at a node of that depth. Trees of cost `best` and more do not
/// count.
void audit_cuts(const Problem& problem, const SearchLimits& limits, const Subset& subset, const OrderingSearch& search, int depth,
                double best);

/// A bound on all trees of these items.
void audit_bound(const Problem& problem, const SearchLimits& limits, const Subset& all, int depth, std::int64_t splits, double lower);

}  // namespace treewright::search
