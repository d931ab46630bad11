#include "treewright/data/losses.h"

#include <array>
#include <utility>

namespace treewright {

namespace {

constexpr std::array<std::pair<Loss, std::string_view>, 3> kNames = {
    {{Loss::squared, "squared"}, {Loss::poisson, "poisson"}, {Loss::survival, "survival"}}};

}  // namespace

std::string_view name_of(Loss loss) {
  return kNames[static_cast<std::size_t>(loss)].second;
}

std::optional<Loss> loss_named(std::string_view name) {
  for (const auto& [loss, known] : kNames) {
    if (known == name) return loss;
  }
  return std::nullopt;
}

}  // namespace treewright
