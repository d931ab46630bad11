// Class codewords: MARGOT for more than two classes.
//
// DGMP23 has two classes only. In its model the rows of one class are asked to go left at every node and those of the other class right. In
// other words, its classes have the codewords 00...0 and 11...1. With more classes each gets a codeword of its own, one bit for each level.
// The SVMs of level l separate the classes by the l-th bit. (Error-correcting output codes, Dietterich & Bakiri 1995, with a tree instead
// of independent SVMs.) A row that every SVM on its path classifies correctly ends in the leaf of its class's codeword. The tree has leaves
// for as many classes as there are codewords. The rest of the model is unchanged, so bound, proof and recount hold for given codewords.
//
// Choice of codewords. Local SVM (DGMP23, Algorithm 1) makes a tree for given codewords with a few SVMs. All sets of codewords are tried,
// or a sample if there are too many. The set whose tree has the fewest errors is kept; of equals, the one with the smallest objective.
// Flipping a bit for all classes only swaps left and right, so the first class has the codeword 00...0.

#include "treewright/methods/margot/codewords.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "treewright/base/error.h"
#include "treewright/base/random.h"
#include "treewright/methods/margot/heuristic.h"
#include "treewright/methods/margot/rows.h"
#include "treewright/tree/measures.h"

namespace treewright::margot {

namespace {

// Largest number of sets of codewords that are tried.
constexpr std::size_t kMostSets = 60;

using Words = std::vector<std::size_t>;  // of each class; the highest bit belongs to the root

std::string written(const Words& words, std::size_t levels) {
  std::string text;
  for (const std::size_t word : words) {
    if (!text.empty()) text += ',';
    for (std::size_t level = levels; level-- > 0;) text += (word >> level & 1) != 0 ? '1' : '0';
  }
  return text;
}

// All assignments of different codewords to the classes (0 to the first class), or a sample of them.
std::vector<Words> sets_of_words(std::size_t classes, std::size_t levels, std::uint64_t seed) {
  const std::size_t words = std::size_t{1} << levels;
  double count = 1;
  for (std::size_t k = 1; k < classes; ++k) count *= static_cast<double>(words - k);
  Words all(words);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Words> sets;
  if (count > kMostSets) {
    Random random(seed);
    while (sets.size() < kMostSets) {
      Words rest(all.begin() + 1, all.end());
      random.shuffle(rest);
      Words set(1, 0);
      set.insert(set.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(classes - 1));
      sets.push_back(std::move(set));
    }
    return sets;
  }
  // The rest of the permutation must ascend, so that each arrangement of its first `classes` entries occurs once.
  do {
    if (!std::is_sorted(all.begin() + static_cast<std::ptrdiff_t>(classes), all.end())) continue;
    sets.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(classes));
  } while (std::next_permutation(all.begin() + 1, all.end()));
  return sets;
}

}  // namespace

std::string choose_class_codes(const Dataset& data, const Options& options, Deadline& deadline) {
  check_depth(options);
  const std::size_t classes = data.classes(), levels = static_cast<std::size_t>(options.max_depth);
  if (std::size_t{1} << levels < classes) {
    throw option_error("max_depth", fmt::format("{} levels have too few leaves for {} classes", levels, classes),
                       "use a larger depth, or join classes");
  }
  std::string best;
  double best_errors = 0, best_objective = 0;
  std::shared_ptr<const svm::RowSpace> space;  // the same for all codewords
  for (const Words& words : sets_of_words(classes, levels, static_cast<std::uint64_t>(options.random_state))) {
    if (!best.empty() && deadline.poll()) break;
    Options with = options;
    with.class_codes = written(words, levels);
    MargotRows rows = margot_rows(data, with, MargotObjective::from(with));
    if (!space) space = row_space_of(rows);
    use_row_space(rows, space);
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
