#include "treewright/formulate/rules.h"

#include <string>

#include "treewright/base/switch_off.h"

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
  std::string all;
  for (const StrengtheningInfo& rule : strengthening_table()) all += std::string(rule.name) + ", ";
  switch_off(names, "strengthening", all + "and all", [&](std::string_view name) {
    bool known = false;
#define RULE(member, models, claim)       \
  if (name == #member || name == "all") { \
    rules.member = false;                 \
    known = true;                         \
  }
#include "treewright/formulate/rules.def"
#undef RULE
    return known;
  });
  return rules;
}

}  // namespace treewright::formulate
