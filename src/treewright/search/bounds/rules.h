#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treewright::search {

/// Which pruning rules the exact search uses; all of them, unless a test or a user switches one off.
struct Rules {
#define RULE(name, claim) bool name = true;
#include "treewright/search/bounds/rules.def"
#undef RULE
};

struct RuleInfo {
  std::string_view name, claim;
};

const std::vector<RuleInfo>& rule_table();

/// All rules but the comma-separated ones. Throws Error on an unknown name.
Rules rules_without(std::string_view names);

/// Those of them that hold, and pay, where trees of up to that depth predict a number.
Rules rules_of_numbers(Rules rules, int depth);

/// The names that `rules_without` reads back.
std::string names_of_disabled(const Rules& rules);

}  // namespace treewright::search
