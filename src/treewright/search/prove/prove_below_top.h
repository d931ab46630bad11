#pragma once

#include <optional>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/proof/proof.h"
#include "treewright/search/root/exact_options.h"
#include "treewright/tree.h"

namespace treewright::search {

/// A proof of what all trees cost at least that begin as `top` does and may go on at its `open` leaves. The limits are those of `options`,
/// without one on all splits. `data` and `searched` as in `prove`. Takes about as long as the search. Empty if the deadline ends it. Throws
/// Error where there can be no proof, and where a split of the top is none of the family.
std::optional<proof::Proof> prove_below_top(const Dataset& data, const Dataset& searched, const ExactSearchOptions& options,
                                            const Tree& top, const std::vector<NodeId>& open, Deadline& deadline);

}  // namespace treewright::search
