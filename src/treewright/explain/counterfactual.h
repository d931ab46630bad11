#pragma once

#include <optional>
#include <vector>

namespace treewright::explain {

/// min ||z|| subject to G z >= h. Shapes: G (m, n), h (m). Nothing if no z keeps all conditions.
std::optional<std::vector<double>> least_distance(const std::vector<std::vector<double>>& G, const std::vector<double>& h);

}  // namespace treewright::explain
