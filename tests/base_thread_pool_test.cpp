#include "treewright/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace treewright {
namespace {

class Pool : public ::testing::TestWithParam<int> {};

TEST_P(Pool, CallsEveryIndexOnce) {
  ThreadPool pool(GetParam());
  for (const std::size_t count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> calls(count);
    pool.parallel_for(count, [&](std::size_t i) { ++calls[i]; });
    for (const auto& n : calls) ASSERT_EQ(n, 1);
  }
}

TEST_P(Pool, LoopsInsideLoops) {
  ThreadPool pool(GetParam());
  std::atomic<int> calls{0};
  pool.parallel_for(5,
                    [&](std::size_t) { pool.parallel_for(4, [&](std::size_t) { pool.parallel_for(3, [&](std::size_t) { ++calls; }); }); });
  EXPECT_EQ(calls, 60);
}

TEST_P(Pool, ThrowsWhatABodyThrewAndGoesOn) {
  ThreadPool pool(GetParam());
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(pool.parallel_for(8,
                                   [](std::size_t i) {
                                     if (i == 3) throw std::runtime_error("three");
                                   }),
                 std::runtime_error);
    // Also from an inner loop.
    EXPECT_THROW(pool.parallel_for(4,
                                   [&](std::size_t) {
                                     pool.parallel_for(4, [](std::size_t i) {
                                       if (i == 0) throw std::runtime_error("zero");
                                     });
                                   }),
                 std::runtime_error);
  }
  std::atomic<int> calls{0};
  pool.parallel_for(10, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
}

TEST_P(Pool, StartsAndEndsWithoutWork) {
  for (int round = 0; round < 20; ++round) ThreadPool pool(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Threads, Pool, ::testing::Values(1, 2, 5), ::testing::PrintToStringParamName());

TEST(ThreadPool, CountsItsThreads) {
  EXPECT_EQ(ThreadPool(3).threads(), 3);
  EXPECT_EQ(ThreadPool(1).threads(), 1);
  EXPECT_GE(ThreadPool(0).threads(), 1);
}

}  // namespace
}  // namespace treewright
