#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "treewright/options.h"

namespace treewright::automatic {

/// The deepest trees that are compared where nobody has chosen a depth.
std::int64_t usual_depth(std::size_t classes);

/// The settings that `auto` compares, cheap ones first; the first is the cheapest of all. `base`: the user's options, which hold for every
/// setting unless the setting is about them. `classes`: of the data.
std::vector<Options> pool(const Options& base, std::size_t classes);

/// The setting beyond `winner` where its grid of costs ends, else nothing.
std::optional<Options> beyond(const std::vector<Options>& settings, const Options& winner);

/// Whether all splits are thresholds and sets of levels.
bool has_axis_splits(const Options& setting);
/// Whether its method starts several times.
bool has_restarts(const Options& setting);

/// Whether two settings of a method differ in one thing only: by one level, a factor of ten in the cost, another alpha, or another least
/// leaf.
bool are_neighbors(const Options& a, const Options& b);

/// The options in which settings differ, with their values.
std::vector<std::pair<std::string, std::string>> differing(const Options& setting);

/// "tao depth 2 cost 0.1".
std::string name_of(const Options& setting);

}  // namespace treewright::automatic
