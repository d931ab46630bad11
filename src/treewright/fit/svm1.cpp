// Method svm1: SVM1-ODT of Zhu et al. 2020 (Z20) by its primal method, from several starts.
//
// Run 0 starts from a greedy tree of hyperplanes improved by alternating optimisation, run 1 from CART, later runs from either on a random half
// of the columns, with margins that are wide or narrow in turn. Each run descends on (1a) itself and then kicks itself a few times out
// of where it ends. The cheapest tree wins; runs share nothing, so that threads do not change the result.

#include "treewright/fit/svm1.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "treewright/base/random.h"
#include "treewright/base/thread_pool.h"
#include "treewright/grow/alternating.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/oblique_cart.h"
#include "treewright/grow/svm1_alternating.h"

namespace treewright {

namespace {

constexpr int kKicks = 3;  // of one run
constexpr double kHingeCosts[] = {1, 1, 0.01, 100};

Svm1Problem problem_of(const Dataset& data, std::vector<UnitAxis> axes, const Options& options, const Objective& objective,
                       std::int64_t min_rows) {
  Svm1Problem problem{data, std::move(axes), {}};
  problem.alpha2 = objective.alpha;
  problem.eps = objective.margin;
  problem.max_depth = static_cast<int>(options.max_depth);
  problem.max_splits = options.max_splits;
  problem.min_rows = min_rows;
  for (std::size_t row = 0; row < data.rows(); ++row) problem.slack_price.push_back(objective.slack_price * data.weight(row));
  return problem;
}

// The best tree of all runs, and of the trees given.
Draft best_of_runs(const Svm1Problem& problem, const Options& options, const std::vector<Draft>& given, Deadline& deadline,
                   const ProgressListener& listener) {
  const Dataset& data = problem.data;
  const Dataset numeric = without_categories(data);
  const Points points(numeric);
  const Svm1Alternation method(problem, deadline);
  const auto start = [&](std::size_t number, Random& random) {
    const double share = number < 2 ? 1 : 0.5;
    Draft draft;
    if (number % 2 == 0) {
      ObliqueCartOptions how;
      how.max_depth = problem.max_depth;
      how.min_rows = problem.min_rows;
      how.cost = kHingeCosts[number % 4];
      how.feature_share = share;
      draft = grow_oblique_cart(data, points, how, random);
    } else {
      Dataset part = data;
      for (Column& column : part.columns) {
        // A column without values offers no split.
        if (share < 1 && random.below(2) == 0)
          std::fill(column.values.begin(), column.values.end(), 0.0), std::fill(column.codes.begin(), column.codes.end(), 0);
      }
      CartOptions how;
      how.max_depth = problem.max_depth;
      how.min_leaf_rows = problem.min_rows;
      draft = Draft::of(grow_cart(part, how));
      drop_small(draft, data, weighty_rows(data), problem.min_rows);
    }
    AlternatingOptions how;
    how.cost = kHingeCosts[(number / 2 + 1) % 4];
    how.min_rows = problem.min_rows;
    alternate(draft, data, points, how, deadline);
    return draft;
  };

  const std::size_t count = given.size() + static_cast<std::size_t>(options.restarts) + 1;
  std::vector<Draft> drafts(count);
  std::vector<double> cost(count, std::numeric_limits<double>::infinity());
  std::mutex mutex;
  double best_heard = std::numeric_limits<double>::infinity();
  ThreadPool pool(static_cast<int>(options.n_jobs));
  pool.parallel_for(count, [&](std::size_t i) {
    if (i > given.size() && deadline.poll()) return;
    // Seeds that differ in one bit give unrelated streams.
    Random random(Random(static_cast<std::uint64_t>(options.random_state) * 0x9e3779b97f4a7c15ULL + i).next());
    drafts[i] = method.admitted(i < given.size() ? given[i].copy() : start(i - given.size(), random));
    method.descend(drafts[i]);
    for (int k = 0; k < kKicks && !deadline.stopped(); ++k) method.kick(drafts[i], random);
    cost[i] = method.cost(drafts[i]);
    const std::scoped_lock lock(mutex);
    if (cost[i] >= best_heard) return;
    best_heard = cost[i];
    if (listener) listener({deadline.elapsed(), best_heard, 0, 'H'});
  });
  return std::move(drafts[std::min_element(cost.begin(), cost.end()) - cost.begin()]);
}

}  // namespace

Tree fit_svm1(const Dataset& data, const Options& options, const Objective& objective, std::int64_t min_rows, Deadline& deadline,
              const ProgressListener& listener) {
  const Svm1Problem problem = problem_of(data, unit_axes(data), options, objective, min_rows);
  Tree tree = best_of_runs(problem, options, {}, deadline, listener).to_tree(data);
  tree.direct_unseen_missing(data);
  return tree;
}

}  // namespace treewright
