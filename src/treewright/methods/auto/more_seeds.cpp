// A descent may end in a tree that is worse on the rows it was trained on than such trees were on rows that they had not seen. Then other
// seeds and starts are tried, and the best tree is kept.

#include "treewright/methods/auto/more_seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "treewright/base/deadline.h"
#include "treewright/methods/auto/pool.h"

namespace treewright::automatic {

void try_more_seeds(const Dataset& data, ChosenOptions& chosen, Deadline& deadline, const Trainer& trainer, Result& result) {
  constexpr int kMoreSeeds = 4;
  if (!chosen.promised || !has_restarts(chosen.options)) return;
  const double first = result.mean_gain(), promised = *chosen.promised;
  Options other = chosen.options;
  other.restarts = std::max<std::int64_t>(1, other.restarts);
  const std::int64_t step = other.random_state < kMoreSeeds ? 1 : -1;  // seeds have a range
  int tried = 0;
  while (tried < kMoreSeeds && result.mean_gain() < promised && !deadline.poll()) {
    ++tried;
    other.random_state += step;
    other.time_limit = deadline.remaining();
    Result again = trainer(data, other);
    if (again.objective < result.objective) result = std::move(again);
  }
  if (tried == 0) return;
  const bool costs = result.cost.has_value();
  const auto in_words = [costs](double gain) { return costs ? fmt::format("{:.4g}", 0 - gain) : fmt::format("{:.2f} %", 100 * gain); };
  chosen.selection += fmt::format(
      "The first tree {} its training rows, {} than {} on the validation folds; {} other seed{} tried, and the best tree kept: {}.\n",
      costs ? fmt::format("costs {} for each of", in_words(first)) : fmt::format("was right on {} of", in_words(first)),
      costs ? "more" : "less", in_words(promised), tried, tried == 1 ? "" : "s", in_words(result.mean_gain()));
}

}  // namespace treewright::automatic
