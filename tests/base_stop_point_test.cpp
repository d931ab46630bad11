#include "treewright/base/stop_point.h"

#include <gtest/gtest.h>

#include <atomic>

#include "expect_error.h"
#include "treewright/base/deadline.h"
#include "treewright/base/memory.h"
#include "treewright/base/thread_pool.h"

namespace treewright {
namespace {

TEST(StopPoint, DoesNothingOutsideOfAScope) {
  EXPECT_NO_THROW(stop_point());
  EXPECT_EQ(StopScope::current(), nullptr);
}

TEST(StopPoint, ThrowsOnceAScopeIsOver) {
  int asked = 0;
  const StopScope scope([&asked] { return ++asked > 2; });
  stop_point();
  stop_point();
  EXPECT_THROW(stop_point(), Stopped);
  EXPECT_EQ(asked, 3);
}

TEST(StopPoint, AnOuterScopeEndsTheRunAsWell) {
  bool over = false;
  const StopScope outer([&over] { return over; });
  {
    const StopScope inner([] { return false; });
    EXPECT_NO_THROW(stop_point());
    over = true;
    EXPECT_THROW(stop_point(), Stopped);
    over = false;
  }
  EXPECT_EQ(StopScope::current(), &outer);
  EXPECT_NO_THROW(stop_point());
}

TEST(StopPoint, AThreadPoolWorksInItsCallersScope) {
  std::atomic<int> asked{0};
  const StopScope scope([&asked] { return ++asked > 1000; });
  ThreadPool pool(4);
  pool.parallel_for(500, [](std::size_t) { stop_point(); });
  EXPECT_EQ(asked, 500);
  EXPECT_THROW(pool.parallel_for(600, [](std::size_t) { stop_point(); }), Stopped);
}

TEST(Deadline, IsOverdueSomeTimeAfterItIsOver) {
  Deadline none;
  EXPECT_FALSE(none.overdue());
  Deadline over(-1);  // one second before it began
  EXPECT_TRUE(over.overdue());
  Deadline no_work(Deadline::kNoLimit, 0);
  EXPECT_TRUE(no_work.poll(1));
  EXPECT_FALSE(no_work.overdue()) << "a limit on work knows no time";
  std::atomic<bool> flag{true};
  Deadline flagged(Deadline::kNoLimit, 100, &flag);
  EXPECT_TRUE(flagged.poll());
  EXPECT_FALSE(flagged.overdue()) << "there is a moment to end in order";
}

TEST(Memory, WhatDoesNotFitIsRefusedWithItsSizeAndTheRemedy) {
  EXPECT_GT(available_memory(), 0);
  EXPECT_NO_THROW(check_memory(1e9, 1e9, "here", "this", "use less"));
  expect_error([] { check_memory(3e9, 1e9, "here", "this", "use less"); },
               {"here", "this needs about 3.0 GB", "1.0 GB are free", "use less"});
  try {
    check_memory(3e9, 1e9, "here", "this", "use less");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
  }
}

}  // namespace
}  // namespace treewright
