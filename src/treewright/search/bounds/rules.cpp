#include "treewright/search/bounds/rules.h"

#include "treewright/base/switch_off.h"

namespace treewright::search {

const std::vector<RuleInfo>& rule_table() {
  static const std::vector<RuleInfo> table = {
#define RULE(name, claim) {#name, claim},
#include "treewright/search/bounds/rules.def"
#undef RULE
  };
  return table;
}

Rules rules_without(std::string_view names) {
  Rules rules;
  std::string all;
  for (const RuleInfo& rule : rule_table()) all += (all.empty() ? "" : ", ") + std::string(rule.name);
  switch_off(names, "rule", all, [&](std::string_view name) {
    bool known = false;
#define RULE(member, claim) \
  if (name == #member) {    \
    rules.member = false;   \
    known = true;           \
  }
#include "treewright/search/bounds/rules.def"
#undef RULE
    return known;
  });
  return rules;
}

Rules rules_of_numbers(Rules rules, int depth) {
  rules.lipschitz = rules.row_bound = rules.bit_sets = rules.core_rows = false;
  constexpr int kLeastDepth = 4;  // search/depth_two/solved_sets.cpp
  if (depth < kLeastDepth) rules.repeated_sets = false;
  return rules;
}

std::string names_of_disabled(const Rules& rules) {
  std::string names;
#define RULE(member, claim) \
  if (!rules.member) names += names.empty() ? #member : "," #member;
#include "treewright/search/bounds/rules.def"
#undef RULE
  return names;
}

}  // namespace treewright::search
