#pragma once

#include <nlohmann/json.hpp>

#include "treewright/search/bounds/ledger.h"

namespace treewright::search {

using Json = nlohmann::json;

/// Tasks and facts as JSON, for files and for other machines. Doubles keep every digit. What reads JSON throws std::exception if it is of
/// another form.
Json json_of(const TaskPath& task);
TaskPath path_from(const Json& json);
Json json_of(const Fact& fact);
Fact fact_from(const Json& json);

/// Throws std::out_of_range where the bound under limits is below the one without.
Bound checked_bound(double strict, double relaxed);

/// JSON has no infinity: it is null.
Json json_of(double number);
double number_from(const Json& json);
Json json_of(const std::vector<double>& numbers);
std::vector<double> numbers_from(const Json& json);

}  // namespace treewright::search
