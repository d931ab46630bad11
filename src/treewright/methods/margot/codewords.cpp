// MARGOT for more than two classes: words of classes.
//
// DGMP23 leaves this open. In its model both classes want the same side at every node of their path: the first goes left, left, ..., the second right, right, ... .
// So its two classes have the words 00...0 and 11...1, a repetition code. With more classes each gets a word of its own, one letter for each level: at level
// l the machines part the classes by the l-th letter (error-correcting output codes, Dietterich & Bakiri 1995, with a tree in the place of independent
// machines). A row that every machine of its path gets right ends in the leaf of its class's word, and there are leaves for as many
// classes as there are words. The rest of the model stays as it is, and so do bound, proof and recount: they hold for given words.
//
// Which words? For a set of them Local SVM (DGMP23, Algorithm 1) gives a tree in a few machines. All sets are tried, or a sample where there are
// too many, and the one whose tree errs least is kept, among equals the one of the smallest objective. To swap the letters of a level for all
// classes changes nothing but left and right, so the first class has the word 00...0.

#include "treewright/methods/margot/codewords.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "treewright/base/error.h"
#include "treewright/base/random.h"
#include "treewright/methods/margot/heuristic.h"
#include "treewright/methods/margot/train.h"

namespace treewright::margot {

namespace {

// Sets of words tried.
constexpr std::size_t kTried = 60;

using Words = std::vector<std::size_t>;  // of each class, the root's letter first from the high end

std::string written(const Words& words, std::size_t levels) {
  std::string text;
  for (const std::size_t word : words) {
    if (!text.empty()) text += ',';
    for (std::size_t level = levels; level-- > 0;) text += (word >> level & 1) != 0 ? '1' : '0';
  }
  return text;
}

// All ways to give the classes different words, the first one 0, or a sample of them.
std::vector<Words> sets_of_words(std::size_t classes, std::size_t levels, std::uint64_t seed) {
  const std::size_t words = std::size_t{1} << levels;
  double count = 1;
  for (std::size_t k = 1; k < classes; ++k) count *= static_cast<double>(words - k);
  Words all(words);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Words> sets;
  if (count > kTried) {
    Random random(seed);
    while (sets.size() < kTried) {
      Words rest(all.begin() + 1, all.end());
      random.shuffle(rest);
      Words set(1, 0);
      set.insert(set.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(classes - 1));
      sets.push_back(std::move(set));
    }
    return sets;
  }
  // Each arrangement of the first `classes` of a permutation once: the rest of it ascends.
  do {
    if (!std::is_sorted(all.begin() + static_cast<std::ptrdiff_t>(classes), all.end())) continue;
    sets.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(classes));
  } while (std::next_permutation(all.begin() + 1, all.end()));
  return sets;
}

}  // namespace

std::string choose_class_codes(const Dataset& data, const Options& options, Deadline& deadline, Budgets budgets) {
  const std::size_t classes = data.classes(), levels = static_cast<std::size_t>(options.max_depth);
  if (levels < 16 && std::size_t{1} << levels < classes) {
    throw option_error("max_depth", fmt::format("{} levels have too few leaves for {} classes", levels, classes),
                       "use a larger depth, or join classes");
  }
  std::string best;
  double best_errors = 0, best_objective = 0;
  for (const Words& words : sets_of_words(classes, levels, static_cast<std::uint64_t>(options.random_state))) {
    if (!best.empty() && deadline.poll()) break;
    Options with = options;
    with.class_codes = written(words, levels);
    const MargotRows rows = margot_rows(data, with, MargotObjective::from(with), budgets);
    MargotTree tree;
    if (!rows.axes.empty()) tree = MargotHeuristic(rows.problem, deadline, [] {}).local_svm();
    const double errors = tree.planes.empty() ? std::numeric_limits<double>::infinity() : count_errors(margot_tree(rows, tree, data), data);
    if (!best.empty() && std::pair(errors, tree.objective) >= std::pair(best_errors, best_objective)) continue;
    best = with.class_codes;
    best_errors = errors;
    best_objective = tree.objective;
  }
  return best;
}

}  // namespace treewright::margot
