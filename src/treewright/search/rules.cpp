#include "treewright/search/rules.h"

#include "treewright/base/error.h"

namespace treewright::search {

const std::vector<RuleInfo>& rule_table() {
  static const std::vector<RuleInfo> table = {
#define RULE(name, claim) {#name, claim},
#include "treewright/search/rules.def"
#undef RULE
  };
  return table;
}

Rules rules_without(std::string_view names) {
  Rules rules;
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    names = comma == std::string_view::npos ? "" : names.substr(comma + 1);
    bool known = false;
#define RULE(member, claim) \
  if (name == #member) {    \
    rules.member = false;   \
    known = true;           \
  }
#include "treewright/search/rules.def"
#undef RULE
    if (known) continue;
    std::string all;
    for (const RuleInfo& rule : rule_table()) all += (all.empty() ? "" : ", ") + std::string(rule.name);
    throw option_error("disable", "there is no rule '" + std::string(name) + "'", "the rules are " + all);
  }
  return rules;
}

}  // namespace treewright::search
