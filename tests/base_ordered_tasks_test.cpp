#include "treewright/base/ordered_tasks.h"

#include <gtest/gtest.h>

#include <vector>

namespace treewright {
namespace {

// Task i does i units of work, one by one, until its deadline stops it.
std::size_t run(int threads, std::int64_t limit, std::size_t count, std::size_t last, Deadline& deadline, std::vector<int>& done) {
  ThreadPool pool(threads);
  done.assign(count, 0);
  return run_ordered(pool, deadline, count, [&](std::size_t i, Deadline& own) {
    while (done[i] < static_cast<int>(i) && !own.poll(1)) ++done[i];
    EXPECT_LE(own.work(), limit + 1);
    return i >= last;
  });
}

TEST(OrderedTasks, TheSameTasksCountForAnyNumberOfThreads) {
  for (const std::int64_t limit : {0, 1, 5, 6, 7, 20, 1000}) {
    for (const std::size_t last : {3, 100}) {
      Deadline expected_deadline(Deadline::kNoLimit, limit);
      std::vector<int> done;
      const std::size_t expected = run(1, limit, 12, last, expected_deadline, done);
      std::int64_t work = 0;
      std::size_t counted = 0;
      while (counted < std::min<std::size_t>(12, last + 1) && work + static_cast<std::int64_t>(counted) <= limit) work += counted++;
      EXPECT_EQ(expected, counted) << "limit " << limit << ", last " << last;
      EXPECT_EQ(expected_deadline.stopped(), counted < std::min<std::size_t>(12, last + 1));
      for (const int threads : {2, 3, 8}) {
        Deadline deadline(Deadline::kNoLimit, limit);
        EXPECT_EQ(run(threads, limit, 12, last, deadline, done), expected) << threads << " threads, limit " << limit;
        EXPECT_EQ(deadline.stopped(), expected_deadline.stopped());
        for (std::size_t i = 0; i < expected; ++i) EXPECT_EQ(done[i], static_cast<int>(i));
      }
    }
  }
}

}  // namespace
}  // namespace treewright
