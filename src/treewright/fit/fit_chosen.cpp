// A method that chooses: it may take three quarters of the time for that, and the rest is for the tree.

#include "treewright/fit/fit_chosen.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "treewright/base/deadline.h"
#include "treewright/base/infinity.h"
#include "treewright/fit/registry.h"

namespace treewright {

namespace {

constexpr double kShareToChoose = 0.75;
constexpr std::int64_t kAnyWork = std::numeric_limits<std::int64_t>::max();

// The listener of fits whose news are not the run's. It hears what was known before, at most twice a second: so it may stop the run or
// throw. Fits may call it side by side.
class OuterListener {
 public:
  OuterListener(const ProgressListener& listener, const Deadline& clock) : listener_(listener), clock_(clock) {}

  /// What it hears from now on. To be called while no fit runs.
  void know(const Result& result) {
    known_.incumbent = result.objective;
    known_.bound = result.bound;
  }
  void call() {
    constexpr double kSecondsBetween = 0.5;
    const std::scoped_lock lock(mutex_);
    const double now = clock_.elapsed();
    if (now < known_.seconds + kSecondsBetween) return;
    known_.seconds = now;
    listener_(known_);
  }

 private:
  const ProgressListener& listener_;
  const Deadline& clock_;
  std::mutex mutex_;  // of all below
  Progress known_{0, kInfinity, -kInfinity, ' '};
};

}  // namespace

Result fit_chosen(const Method& method, const Dataset& data, const Options& options, const FitHooks& hooks) {
  const Deadline clock;
  FitHooks quiet;
  quiet.stop = hooks.stop;
  OuterListener outer(hooks.listener, clock);
  if (hooks.listener) quiet.listener = [&outer](const Progress&) { outer.call(); };
  const Trainer trainer = [&quiet](const Dataset& rows, const Options& with) { return fit(rows, unverified(only_read(with)), quiet); };
  Deadline deadline(kShareToChoose * options.time_limit, kAnyWork, hooks.stop);
  ChosenOptions chosen = method.choose(data, options, deadline, trainer);
  chosen.options.time_limit = std::max(0.0, options.time_limit - clock.elapsed());
  const double begun = clock.elapsed();
  FitHooks later = hooks;
  if (hooks.listener) {
    later.listener = [&hooks, begun](Progress progress) {
      progress.seconds += begun;
      hooks.listener(progress);
    };
  }
  Result result = fit(data, only_read(chosen.options), later);
  for (Progress& progress : result.history) progress.seconds += begun;
  outer.know(result);
  if (method.improve != nullptr) {
    Deadline rest(options.time_limit - clock.elapsed(), kAnyWork, hooks.stop);
    method.improve(data, chosen, rest, trainer, result);
  }
  // The time that the choice has left it is nobody's wish.
  for (auto& [name, value] : result.options) {
    if (name == "time_limit") value = get_option(options, name);
  }
  if (chosen.probabilities) {
    Dataset weighted = data;
    apply_class_weights(weighted, options.class_weight);
    grow::give_probabilities(*chosen.probabilities, weighted, result.tree);
  }
  result.selection = std::move(chosen.selection);
  result.candidates = std::move(chosen.candidates);
  // The tree may be optimal for its setting; the setting was not compared with all others.
  if (chosen.ended != Status::heuristic && !result.stopped()) result.status = chosen.ended;
  result.seconds = clock.elapsed();
  return result;
}

}  // namespace treewright
