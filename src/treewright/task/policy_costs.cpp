#include "treewright/task/policy_costs.h"

#include <algorithm>
#include <cassert>

#include "treewright/data/costs/costs.h"

namespace treewright {

PolicyCosts policy_costs(const std::vector<std::int32_t>& chosen, const Dataset& data) {
  assert(chosen.size() == data.rows() && !data.row_costs.empty());
  const std::vector<std::int32_t> cheapest = cheapest_labels(data);
  PolicyCosts costs;
  costs.cost = cost_of(chosen, data, {});
  costs.cheapest = cost_of(cheapest, data, {});
  for (std::size_t row = 0; row < chosen.size(); ++row) costs.agreement.add(data.weight(row), chosen[row] == cheapest[row]);
  for (std::size_t k = 0; k < data.classes(); ++k) {
    const auto label = static_cast<std::int32_t>(k);
    costs.rows.push_back(std::count(chosen.begin(), chosen.end(), label));
    costs.of_all.push_back(cost_of(std::vector<std::int32_t>(data.rows(), label), data, {}));
  }
  return costs;
}

}  // namespace treewright
