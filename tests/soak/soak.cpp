// Many fits in one process from several threads: the same results to the end, no growth of memory, no descriptor left open.
//
// A round gives every thread the same fits in another order: methods of each kind, runs that a limit ends, and calls that are refused.
// After each round the threads have ended and the process is measured. Memory is resident memory: the largest of the last fifth of the
// rounds against the largest of the second fifth; the first one warms up. With `--growth 5` more than 5 % is a failure.
//
//     treewright_soak --fits 10000 --threads 4        # make soak

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/training.h"
#include "treewright/error.h"
#include "treewright/fit.h"
#include "treewright/mip/highs.h"
#include "treewright/result.h"

namespace {

using namespace treewright;

struct Job {
  const Dataset* data;
  testing::Settings settings;
};

std::vector<Job> jobs() {
  const Dataset &iris = testing::iris(), &noise = testing::noise(), &bands = testing::two_bands();
  std::vector<Job> all = {
      {&iris, {{"max_depth", "2"}}},
      {&noise, {{"max_depth", "2"}, {"n_jobs", "2"}}},
      {&noise, {{"max_depth", "4"}, {"node_limit", "300"}, {"n_jobs", "1"}}},
      {&noise, {{"max_depth", "4"}, {"node_limit", "0"}}},
      {&iris, {{"method", "cart"}}},
      {&iris, {{"method", "cart-h"}}},
      {&iris, {{"method", "logistic-h"}}},
      {&iris, {{"method", "tao"}, {"restarts", "1"}, {"max_depth", "2"}}},
      {&iris, {{"method", "local"}, {"restarts", "1"}, {"max_depth", "2"}, {"n_jobs", "2"}}},
      {&bands, {{"method", "oct-h"}, {"restarts", "1"}, {"max_depth", "2"}}},
      {&bands, {{"method", "svm1"}, {"restarts", "1"}, {"max_depth", "1"}}},
      {&bands, {{"method", "partition"}, {"max_depth", "2"}}},
      {&bands, {{"method", "margot"}, {"max_depth", "1"}}},
      {&bands, {{"method", "mm-svm"}, {"max_depth", "1"}}},
      {&iris, {{"method", "cart"}, {"alpha_scale", "no such scale"}}},
      {&iris, {{"max_depth", "2"}, {"min_samples_leaf", "1000"}}},
  };
  if (mip::has_highs()) all.push_back({&bands, {{"solver", "mip"}, {"max_depth", "1"}}});
  return all;
}

// All that does not depend on the clock; only the message where the call is refused.
struct Outcome {
  std::string claims;
  Tree tree;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const Job& job) {
  try {
    Result result = testing::train(*job.data, job.settings);
    return {fmt::format("{} {:.17g} {:.17g}", to_string(result.status), result.objective, result.bound), std::move(result.tree)};
  } catch (const Error& error) {
    return {error.what(), Tree()};
  }
}

double resident_megabytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::size_t descriptors() {
  const std::filesystem::directory_iterator open("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(open), end(open)));
}

double largest(const std::vector<double>& of, std::size_t fifth) {
  const auto at = [&](std::size_t k) { return of.begin() + static_cast<std::ptrdiff_t>(k * of.size() / 5); };
  return *std::max_element(at(fifth), at(fifth + 1));
}

double argument(int argc, char** argv, const std::string& name, double otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == name) return std::atof(argv[i + 1]);
  }
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const auto fits = static_cast<std::size_t>(argument(argc, argv, "--fits", 10000));
  const auto threads = static_cast<std::size_t>(argument(argc, argv, "--threads", 4));
  const double growth = argument(argc, argv, "--growth", 5);
  const std::vector<Job> all = jobs();
  std::vector<Outcome> expected;
  for (const Job& job : all) expected.push_back(outcome(job));
  const std::size_t rounds = std::max<std::size_t>(10, fits / (threads * all.size()) + 1);
  std::atomic<std::size_t> done{0}, different{0};
  std::vector<double> memory;
  const std::size_t open_before = descriptors();
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        for (std::size_t k = 0; k < all.size(); ++k) {
          const std::size_t job = (k + t * all.size() / threads + round) % all.size();
          different += outcome(all[job]) == expected[job] ? 0 : 1;
          ++done;
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    memory.push_back(resident_megabytes());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double early = largest(memory, 1), late = largest(memory, 4);
  const std::size_t open_after = descriptors();
  fmt::print(
      "{} fits from {} threads in {:.0f} s: {} different results; resident memory {:.1f} MB, then {:.1f} MB ({:+.1f} %); descriptors {}, "
      "then {}\n",
      done.load(), threads, seconds, different.load(), early, late, 100 * (late / early - 1), open_before, open_after);
  return different > 0 || open_after != open_before || late > early * (1 + growth / 100) ? 1 : 0;
}
