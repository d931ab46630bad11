#include "treewright/data/fingerprint.h"

#include "treewright/base/hash.h"
#include "treewright/data/losses.h"

namespace treewright {

std::string fingerprint(const Dataset& data) {
  std::uint64_t sum = hash(data.target_name);
  for (const Column& column : data.columns) {
    sum = hash_values(column.codes, hash_values(column.values, hash(column.name + "\n", sum)));
    for (const std::string& level : column.levels) sum = hash(level + "\n", sum);
  }
  for (const std::string& label : data.class_names) sum = hash(label + "\n", sum);
  sum = hash_values(data.weights, hash_values(data.labels, sum));
  if (!data.counts.empty()) sum = hash_values(data.counts, sum);
  if (data.response)
    sum = hash_values(data.response->exposure, hash_values(data.response->values, hash(name_of(data.response->loss), sum)));
  if (data.has_costs()) sum = hash_values(data.row_costs, hash_values(data.costs, sum));
  return hash_text(sum);
}

}  // namespace treewright
