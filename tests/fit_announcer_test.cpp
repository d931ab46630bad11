#include "treewright/fit/announcer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/training.h"
#include "treewright/fit.h"

namespace treewright {
namespace {

TEST(Announcer, CallsBeforeThereIsATree) {
  Deadline deadline;
  std::vector<Progress> history;
  std::promise<Progress> heard;
  bool told = false;
  const ProgressListener listener = [&](const Progress& progress) {
    if (!told) heard.set_value(progress);
    told = true;
  };
  Announcer announcer(listener, deadline, history);
  const Progress first = heard.get_future().get();  // waits as long as it takes
  announcer.end();
  EXPECT_EQ(first.source, ' ');
  EXPECT_EQ(first.incumbent, std::numeric_limits<double>::infinity());
  EXPECT_EQ(first.bound, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(history.empty()) << "it is no news";
}

TEST(Announcer, WhatTheListenerThrowsBetweenNewsStopsTheRunAndIsThrownAtItsEnd) {
  Deadline deadline;
  Deadline part = deadline.within(Deadline::kNoLimit);
  std::vector<Progress> history;
  int calls = 0;
  const ProgressListener listener = [&](const Progress&) {
    ++calls;
    throw std::runtime_error("enough");
  };
  Announcer announcer(listener, deadline, history);
  while (!deadline.interrupted()) std::this_thread::yield();
  EXPECT_TRUE(deadline.poll());
  EXPECT_TRUE(part.poll()) << "a part of the run made before";
  EXPECT_EQ(deadline.reason(), Status::interrupted);
  EXPECT_THROW(announcer.tell({1, 2, 0, 'C'}), std::runtime_error);
  EXPECT_THROW(announcer.end(), std::runtime_error);
  EXPECT_EQ(calls, 1) << "who has thrown is not called again";
}

// A run that lasts until its listener throws between two news, whatever the method.
TEST(Announcer, FitThrowsWhatTheListenerThrew) {
  for (const char* method : {"oct", "oct-h", "local", "auto"}) {
    Options options;
    options.method = method;
    options.max_depth = 6;
    options.time_limit = 60;  // fails rather than waits
    if (std::string(method) == "oct-h" || std::string(method) == "local") options.restarts = 1000000;
    FitHooks hooks;
    hooks.listener = [](const Progress& progress) {
      if (progress.source == ' ') throw std::runtime_error("enough");
    };
    try {
      fit(testing::noise(), options, hooks);
      FAIL() << method << " returned";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "enough") << method;
    }
  }
}

TEST(Announcer, TheListenerStopsARunThatHasNoNews) {
  for (const char* method : {"local", "auto"}) {
    Options options;
    options.method = method;
    options.max_depth = 6;
    options.time_limit = 60;  // fails rather than waits
    if (std::string(method) == "local") options.restarts = 1000000;
    std::atomic<bool> stop{false};
    FitHooks hooks;
    hooks.stop = &stop;
    hooks.listener = [&](const Progress&) { stop = true; };
    const Result result = fit(testing::noise(), options, hooks);
    EXPECT_EQ(result.status, Status::interrupted) << method;
    EXPECT_EQ(check_claims(result, testing::noise()), std::vector<std::string>{}) << method;
  }
}

}  // namespace
}  // namespace treewright
