// Several threads train and use trees at once, and a process that trains may fork.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support/training.h"
#include "treewright/explain.h"
#include "treewright/fit.h"

namespace treewright {
namespace {

using testing::iris;
using testing::noise;
using testing::train;

void in_threads(int count, const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
}

TEST(Concurrency, ManyThreadsUseOneTree) {
  const Result result = train(noise(), {{"max_depth", "3"}, {"node_limit", "500"}});
  const std::vector<std::int32_t> labels = result.tree.predict(noise());
  const std::vector<double> shares = result.tree.predict_proba(noise());
  const std::string json = to_json(result), text = to_text(result.tree);
  in_threads(8, [&](int) {
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(result.tree.predict(noise()), labels);
      EXPECT_EQ(result.tree.predict_proba(noise()), shares);
      EXPECT_EQ(to_json(result), json);
      EXPECT_EQ(to_text(result.tree), text);
    }
  });
}

TEST(Concurrency, ThreadsThatTrainAtOnceGetTheTreesOfOneAlone) {
  const std::vector<testing::Settings> settings = {
      {{"max_depth", "2"}, {"n_jobs", "2"}},
      {{"method", "cart"}},
      {{"method", "tao"}, {"restarts", "2"}, {"n_jobs", "2"}},
      {{"method", "cart-h"}},
      {{"method", "logistic-h"}},
  };
  std::vector<Tree> alone;
  for (const auto& one : settings) alone.push_back(train(iris(), one).tree);
  in_threads(8, [&](int t) {
    for (int i = 0; i < 10; ++i) {
      const auto which = static_cast<std::size_t>(t + i) % settings.size();
      EXPECT_EQ(train(iris(), settings[which]).tree, alone[which]);
    }
  });
}

// Exit code of a child that runs `work`; -1 where it did not end by itself.
int in_child(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int code = 0;
  return waitpid(child, &code, 0) == child && WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TREEWRIGHT_SANITIZED
#endif
#endif

TEST(Concurrency, AChildThatWasForkedWhileAThreadTrainsTrainsToo) {
#ifdef TREEWRIGHT_SANITIZED
  GTEST_SKIP() << "the allocator of clang's sanitizers may be locked by another thread when the process forks";
#endif
  const Tree expected = train(iris(), {{"max_depth", "2"}}).tree;
  std::atomic<bool> stop{false};
  std::atomic<bool> begun{false};
  std::thread trainer([&] {
    FitHooks hooks;
    hooks.stop = &stop;
    hooks.listener = [&](const Progress&) { begun = true; };
    Options options;
    options.max_depth = 5;
    options.n_jobs = 2;
    EXPECT_EQ(fit(noise(), options, hooks).status, Status::interrupted);
  });
  while (!begun) std::this_thread::yield();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(in_child([&] { return train(iris(), {{"max_depth", "2"}, {"n_jobs", "2"}}).tree == expected; }), 0);
    EXPECT_EQ(in_child([&] { return expected.predict(iris()).size() == iris().rows(); }), 0);
  }
  stop = true;
  trainer.join();
}

}  // namespace
}  // namespace treewright
