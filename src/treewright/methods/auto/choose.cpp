// Method auto: chooses kind of tree, depth and sparsity by stratified cross-validation inside the training rows.
//
// The grid is small. Axis trees: `oct` at every depth up to four, with three prices of a split. Hyperplane trees: `tao` at every depth up
// to four with five costs of a margin violation, and `oct-h` with a price on features, which gives sparse trees. All candidates see the
// same folds, so they can be compared in pairs. The reference is the candidate with the highest mean accuracy. A candidate counts as
// equally good if its accuracy is lower by at most one standard error of the difference (the one-standard-error rule of Breiman et al.
// 1984, sec. 3.4.3, for paired measurements). Among these, axis trees come before hyperplane trees, then fewer features (Tree::terms)
// before more, then higher accuracy.
//
// Up to 500 rows four folds are drawn three times, up to 2,000 rows once. For more rows one part of four is used for validation. Exact
// searches stop after a fixed number of subproblems, not after a time, so the choice is the same on every machine.

#include "treewright/methods/auto/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/data.h"
#include "treewright/error.h"
#include "treewright/options.h"
#include "treewright/tree.h"

namespace treewright::automatic {

namespace {

constexpr std::int64_t kDeepest = 4;
// Limits on subproblems of an exact search: for comparing candidates, and for the final tree.
constexpr std::int64_t kNodesToCompare = 20000, kNodesToTrain = 200000;

struct Candidate {
  Options options;
  std::vector<double> accuracy;  // per fold
  double mean = 0, terms = 0;
  bool axis() const { return options.method == "oct"; }
};

std::vector<Candidate> grid(const Options& base) {
  std::vector<Candidate> candidates;
  const auto add = [&](const char* method, std::int64_t depth, double alpha, double cost) {
    Options options = base;
    options.method = method;
    options.max_depth = depth;
    if (base.ccp_alpha == 0) options.ccp_alpha = alpha;
    options.svm_cost = cost;
    if (options.method == "oct" && base.node_limit < 0) options.node_limit = kNodesToCompare;
    candidates.push_back({std::move(options), {}, 0, 0});
  };
  for (std::int64_t depth = std::min<std::int64_t>(1, base.max_depth); depth <= std::min(base.max_depth, kDeepest); ++depth) {
    for (const double alpha : {0.0, 0.01, 0.05}) add("oct", depth, alpha, 1);
    for (const double cost : {0.001, 0.01, 0.1, 1.0, 100.0}) add("tao", depth, 0, cost);
    for (const double cost : {0.1, 1.0}) add("oct-h", depth, 0.01, cost);
  }
  return candidates;
}

std::vector<Fold> folds_of(const Dataset& data, std::uint64_t seed) {
  std::vector<Fold> folds;
  const int repeats = data.rows() <= 500 ? 3 : 1;
  for (int r = 0; r < repeats; ++r) {
    SplitOptions how;
    how.seed = seed + static_cast<std::uint64_t>(r) + 1;
    for (Fold& fold : k_folds(data, static_cast<int>(std::min<std::size_t>(4, data.rows())), how)) folds.push_back(std::move(fold));
  }
  if (data.rows() > 2000) folds.resize(1);
  return folds;
}

// Mean and standard error of the difference between the best candidate's accuracy and this one's.
std::pair<double, double> deficit(const Candidate& best, const Candidate& other) {
  const auto n = static_cast<double>(best.accuracy.size());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < best.accuracy.size(); ++i) mean += (best.accuracy[i] - other.accuracy[i]) / n;
  for (std::size_t i = 0; i < best.accuracy.size(); ++i) {
    const double off = best.accuracy[i] - other.accuracy[i] - mean;
    squares += off * off;
  }
  return {mean, n > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

std::string name_of(const Candidate& c) {
  std::string name = fmt::format("{} depth {} alpha {:g}", c.options.method, c.options.max_depth, c.options.ccp_alpha);
  return c.axis() ? name : name + fmt::format(" cost {:g}", c.options.svm_cost);
}

// What the time did not suffice for: candidates come by depth.
std::string left_out(const std::vector<Candidate>& candidates, std::size_t compared) {
  if (compared == candidates.size()) return "";
  const std::int64_t last = candidates[compared - 1].options.max_depth, next = candidates[compared].options.max_depth;
  return fmt::format(" The run ended before {} of {} candidates were compared: {}depths above {} were not tried.",
                     candidates.size() - compared, candidates.size(), next > last ? "" : fmt::format("some of depth {} and ", last), last);
}

ChosenOptions choose(const Dataset& data, const Options& options, Deadline& deadline, const Trainer& trainer) {
  std::vector<Candidate> candidates = grid(options);
  const std::vector<Fold> folds = folds_of(data, static_cast<std::uint64_t>(options.random_state));
  std::size_t compared = 0;
  for (Candidate& candidate : candidates) {
    for (const Fold& fold : folds) {
      if (deadline.poll()) break;
      const Dataset train = data.subset(fold.train), valid = data.subset(fold.test);
      Options how = candidate.options;
      how.time_limit = deadline.remaining();
      Tree tree(train);
      // A fold with one class, or with too few rows for the limits, gives a single leaf. Errors in the options show in the last fit.
      try {
        tree = trainer(train, how).tree;
      } catch (const Error&) {
        tree.tally(train);
      }
      candidate.accuracy.push_back(accuracy(tree, valid));
      candidate.terms += static_cast<double>(tree.terms()) / static_cast<double>(folds.size());
    }
    if (candidate.accuracy.size() < folds.size() || (compared > 0 && deadline.poll())) break;
    for (const double a : candidate.accuracy) candidate.mean += a / static_cast<double>(folds.size());
    ++compared;
  }
  ChosenOptions choice;
  if (compared == 0) {
    choice.options = candidates.front().options;
    choice.selection = "the run stopped before any candidate was compared; the simplest one was taken";
    return choice;
  }
  const std::string not_tried = left_out(candidates, compared);
  candidates.resize(compared);
  const Candidate& best =
      *std::max_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.mean < b.mean; });
  const Candidate* chosen = &best;
  for (const Candidate& c : candidates) {
    const auto [mean, error] = deficit(best, c);
    if (mean > error + 1e-12) continue;
    const auto rank = [](const Candidate& x) { return std::make_tuple(!x.axis(), x.terms, -x.mean); };
    if (rank(c) < rank(*chosen)) chosen = &c;
  }
  choice.options = chosen->options;
  if (chosen->axis() && options.node_limit < 0) choice.options.node_limit = kNodesToTrain;
  choice.selection = fmt::format("{} was chosen: mean accuracy {:.2f} % on {} validation parts, {:.1f} features used on average",
                                 name_of(*chosen), 100 * chosen->mean, folds.size(), chosen->terms);
  if (chosen == &best) {
    choice.selection += ", the highest of all candidates; no simpler one is within one standard error.";
  } else {
    const auto [mean, error] = deficit(best, *chosen);
    choice.selection +=
        fmt::format(". {} had {:.2f} % with {:.1f} features; the difference of {:.2f} points is within one standard error ({:.2f}), so {}",
                    name_of(best), 100 * best.mean, best.terms, 100 * mean, 100 * error,
                    chosen->axis() && !best.axis() ? "the axis tree is preferred." : "the simpler tree is preferred.");
  }
  choice.selection += not_tried + "\naccuracy  features  candidate\n";
  std::vector<const Candidate*> order;
  for (const Candidate& c : candidates) order.push_back(&c);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->mean > b->mean; });
  for (const Candidate* c : order) choice.selection += fmt::format("{:8.2f}  {:8.1f}  {}\n", 100 * c->mean, c->terms, name_of(*c));
  return choice;
}

}  // namespace

std::vector<Method> methods() {
  Method method{
      "auto", "auto",
      "chooses oct, tao or oct-h, with depth, alpha and cost, by cross-validation: the simplest within one standard error of the best",
      false,
      joined({reads::kTree, reads::kLeaves, reads::kErrors, reads::kRun, {"criterion", "random_state", "restarts", "disable", "penalty"}})};
  method.choose = choose;
  return {std::move(method)};
}

}  // namespace treewright::automatic
