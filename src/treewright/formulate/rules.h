#pragma once

#include <string_view>
#include <vector>

namespace treewright::formulate {

/// Which strengthenings the models use; all of them, unless a test or a user switches one off.
struct Strengthening {
#define RULE(name, models, claim) bool name = true;
#include "treewright/formulate/rules.def"
#undef RULE
};

struct StrengtheningInfo {
  std::string_view name, models, claim;
};

const std::vector<StrengtheningInfo>& strengthening_table();

/// All but the comma-separated ones; "all" switches every one off: the papers' models. Throws Error on an unknown name.
Strengthening strengthening_without(std::string_view names);

}  // namespace treewright::formulate
