#include "treewright/base/ordered_tasks.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace treewright {

std::size_t run_ordered(ThreadPool& pool, Deadline& deadline, std::size_t count, const std::function<bool(std::size_t, Deadline&)>& task) {
  const std::int64_t left = deadline.work_left();
  std::vector<std::atomic<std::int64_t>> work(count);  // of the tasks that have ended
  std::atomic<std::size_t> last{count};                // no task after this one is needed
  pool.parallel_for(count, [&](std::size_t i) {
    if (i > last.load()) return;
    // Earlier tasks that still run can only lower the work left for this one, so a task that counts is never cut short.
    std::int64_t before = 0;
    for (std::size_t j = 0; j < i; ++j) before += work[j].load();
    if (before > left) return;
    Deadline own = deadline.task(left - before);
    const bool is_last = task(i, own);
    work[i].store(own.work());
    if (!is_last) return;
    for (std::size_t known = last.load(); i < known && !last.compare_exchange_weak(known, i);) {
    }
  });
  const std::size_t needed = std::min(count, last + 1);
  std::int64_t used = 0;
  for (std::size_t i = 0; i < needed; ++i) {
    used += work[i];
    if (used > left) {
      deadline.poll(used);
      return i;
    }
  }
  deadline.poll(used);
  return needed;
}

}  // namespace treewright
