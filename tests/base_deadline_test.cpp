#include "treewright/base/deadline.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace treewright {
namespace {

TEST(Deadline, WithoutLimitsNeverStops) {
  Deadline deadline;
  for (int i = 0; i < 1000; ++i) ASSERT_FALSE(deadline.poll(1000000));
  EXPECT_FALSE(deadline.stopped());
  EXPECT_EQ(deadline.work(), 1000000000);
  EXPECT_EQ(deadline.remaining(), Deadline::kNoLimit);
}

TEST(Deadline, StopsBeyondTheWorkLimit) {
  Deadline deadline(Deadline::kNoLimit, 10);
  EXPECT_FALSE(deadline.poll(4));
  EXPECT_FALSE(deadline.poll(6)) << "the limit itself is allowed";
  EXPECT_FALSE(deadline.stopped());
  EXPECT_TRUE(deadline.poll(1));
  EXPECT_TRUE(deadline.stopped());
  EXPECT_EQ(deadline.reason(), Status::node_limit);
}

TEST(Deadline, StopsWhenTheTimeIsOver) {
  Deadline deadline(-1);  // over before it began, whatever the clock says
  EXPECT_FALSE(deadline.stopped()) << "nobody asked yet";
  EXPECT_TRUE(deadline.poll());
  EXPECT_EQ(deadline.reason(), Status::time_limit);
  EXPECT_LT(deadline.remaining(), 0);
}

TEST(Deadline, StopsOnTheFlagAndStaysStopped) {
  std::atomic<bool> flag{false};
  Deadline deadline(Deadline::kNoLimit, 100, &flag);
  EXPECT_FALSE(deadline.poll(1));
  flag = true;
  EXPECT_TRUE(deadline.poll(1));
  flag = false;
  EXPECT_TRUE(deadline.poll(1));
  EXPECT_TRUE(deadline.poll(1000));
  EXPECT_EQ(deadline.reason(), Status::interrupted) << "the first reason counts";
}

TEST(Deadline, StopsWhenTheIncumbentStalls) {
  Deadline run;
  run.limit_stall(0);
  Deadline part = run.within(Deadline::kNoLimit);
  EXPECT_FALSE(run.poll()) << "there is no incumbent yet";
  EXPECT_FALSE(part.poll());
  run.note_improvement();
  while (!part.poll()) {  // until the clock has ticked
  }
  EXPECT_TRUE(run.poll()) << "parts and run have one incumbent";
  EXPECT_EQ(run.reason(), Status::time_limit);

  Deadline patient;
  patient.limit_stall(1e9);
  patient.note_improvement();
  EXPECT_FALSE(patient.poll());
}

TEST(Deadline, APartHasItsOwnLimitsAndTheFlagOfTheRun) {
  std::atomic<bool> flag{false};
  Deadline run(Deadline::kNoLimit, 100, &flag);
  Deadline part = run.within(Deadline::kNoLimit, 5);
  EXPECT_TRUE(part.poll(6));
  EXPECT_EQ(part.reason(), Status::node_limit);
  EXPECT_FALSE(run.poll(6)) << "the work of a part is not the run's";
  EXPECT_TRUE(run.within(-1).poll());
  flag = true;
  Deadline other = run.within(1e9);
  EXPECT_TRUE(other.poll());
  EXPECT_EQ(other.reason(), Status::interrupted);
}

TEST(Deadline, EveryStatusHasItsName) {
  std::set<std::string> names;
  for (const Status status :
       {Status::optimal, Status::time_limit, Status::interrupted, Status::node_limit, Status::infeasible, Status::heuristic}) {
    names.insert(to_string(status));
  }
  EXPECT_EQ(names.size(), 6u);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace treewright
