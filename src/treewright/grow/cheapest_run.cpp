#include "treewright/grow/cheapest_run.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "treewright/base/thread_pool.h"

namespace treewright::grow {

std::size_t cheapest_run(std::size_t count, std::size_t certain, const Task& task, const std::function<double(std::size_t)>& run,
                         const std::function<Tree(std::size_t)>& tree) {
  std::vector<double> cost(count, std::numeric_limits<double>::infinity());
  std::mutex mutex;
  std::atomic<std::size_t> perfect{count};  // the first run of cost 0: no later one can take its place
  double best_heard = std::numeric_limits<double>::infinity();
  ThreadPool pool(static_cast<int>(task.options.n_jobs));
  pool.parallel_for(count, [&](std::size_t i) {
    if (i >= certain && (i > perfect.load() || task.deadline.poll())) return;
    cost[i] = run(i);
    const std::scoped_lock lock(mutex);
    if (cost[i] == 0) perfect = std::min(perfect.load(), i);
    if (cost[i] >= best_heard) return;
    best_heard = cost[i];
    task.report({task.deadline.elapsed(), best_heard, 0, 'H'}, tree(i));
  });
  return static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
}

}  // namespace treewright::grow
