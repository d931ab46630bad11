#include "treewright/data/losses.h"

namespace treewright {

std::string_view name_of(Loss loss) {
  switch (loss) {
    case Loss::squared:
      return "squared";
    case Loss::poisson:
      return "poisson";
    case Loss::survival:
      break;
  }
  return "survival";
}

std::optional<Loss> loss_named(std::string_view name) {
  for (const Loss loss : kLosses) {
    if (name_of(loss) == name) return loss;
  }
  return std::nullopt;
}

}  // namespace treewright
