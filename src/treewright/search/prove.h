#pragma once

#include <optional>

#include "treewright/base/deadline.h"
#include "treewright/proof/proof.h"
#include "treewright/search/exact.h"

namespace treewright::search {

/// A proof of the bound that search_exact has found: ExactSearchResult::exact.
/// Takes a small multiple of the time of the search. Empty if the deadline ends it. Throws Error if it sees that the bound is false. Requires
/// min_rows <= 1 and max_splits < 0.
std::optional<proof::Proof> prove(const Dataset& data, const ExactSearchOptions& options, const ExactSearchResult& found,
                                  Deadline& deadline);

}  // namespace treewright::search
