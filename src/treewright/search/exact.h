#pragma once

#include <functional>

#include "treewright/base/deadline.h"
#include "treewright/progress.h"
#include "treewright/search/root/exact_options.h"
#include "treewright/task/objective.h"

namespace treewright::search {

/// `better`: a tree whose cost is the incumbent, tallied; null where the incumbent is as it was.
using TreeListener = std::function<void(const Progress&, const Tree* better)>;

/// Minimises errors + split_price * splits over all trees of axis and category splits within the limits (BD17 problem (1)).
/// `start`: a tree within the limits whose cost the search has to beat; it is returned where nothing better exists. Its root must ask the
/// column `options.first`.
/// `listener` hears errors + split_price * splits, and a tree with it where that is better than all before, `start` included. It is not
/// called after the run is broken off. Requires data that pass validate_for_training.
ExactSearchResult search_exact(const Dataset& data, const ExactSearchOptions& options, const Tree& start, Deadline& deadline,
                               const TreeListener& listener = {});

}  // namespace treewright::search
