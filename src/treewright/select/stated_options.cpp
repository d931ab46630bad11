#include "treewright/select/stated_options.h"

#include <algorithm>
#include <string>

namespace treewright::select {

Options limits_of(const Result& result) {
  Options options;
  options.max_depth = result.max_depth;
  options.max_splits = result.max_splits;
  options.min_samples_leaf = static_cast<double>(std::max<std::int64_t>(1, result.min_leaf_rows));
  return options;
}

void state_options(Result& result, const Options& stated, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::erase_if(result.options, [&](const auto& option) { return option.first == name; });
    const std::string value = get_option(stated, name);
    if (value != get_option(Options(), name)) result.options.emplace_back(name, value);
  }
}

}  // namespace treewright::select
