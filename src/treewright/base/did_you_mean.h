#pragma once

#include <string>
#include <vector>

namespace treewright {

/// " (did you mean 'x'?)" for the name nearest to `wanted`, or nothing when none is near.
std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names);

}  // namespace treewright
