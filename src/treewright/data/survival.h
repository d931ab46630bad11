#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// The share of rows without the event as time passes, by Kaplan and Meier: a step for each time at which it falls. See survival.cpp.
std::vector<SurvivalStep> survival_curve(const Dataset& data, std::span<const std::int32_t> rows);

/// When half of the rows have had the event; nothing where the curve ends above.
std::optional<double> median_time(std::span<const SurvivalStep> curve);

/// Harrell's concordance: of the pairs of rows of which one is known to have had the event before the other, the share by weight whose
/// earlier row has the larger number; equal numbers count half. Nothing where there is no such pair.
std::optional<double> concordance(std::span<const double> predicted, const Dataset& data);

/// Its standard error, were other rows drawn.
std::optional<double> concordance_error(std::span<const double> predicted, const Dataset& data);

}  // namespace treewright
