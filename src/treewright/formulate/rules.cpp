#include "treewright/formulate/rules.h"

#include <string>

#include "treewright/base/error.h"

namespace treewright::formulate {

const std::vector<StrengtheningInfo>& strengthening_table() {
  static const std::vector<StrengtheningInfo> table = {
#define RULE(name, models, claim) {#name, models, claim},
#include "treewright/formulate/rules.def"
#undef RULE
  };
  return table;
}

Strengthening strengthening_without(std::string_view names) {
  Strengthening rules;
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    names = comma == std::string_view::npos ? "" : names.substr(comma + 1);
    bool known = false;
#define RULE(member, models, claim)       \
  if (name == #member || name == "all") { \
    rules.member = false;                 \
    known = true;                         \
  }
#include "treewright/formulate/rules.def"
#undef RULE
    if (known) continue;
    std::string all;
    for (const StrengtheningInfo& rule : strengthening_table()) all += std::string(rule.name) + ", ";
    throw option_error("disable", "there is no strengthening '" + std::string(name) + "'", "the strengthenings are " + all + "and all");
  }
  return rules;
}

}  // namespace treewright::formulate
