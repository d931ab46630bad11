#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/brute_force.h"
#include "support/random_top.h"
#include "treewright/data.h"

namespace treewright::testing {

/// A loss in whole multiples of a power of ten: exact, whatever the weights and costs are.
using Whole = __int128;
inline constexpr Whole kNoTree = Whole{1} << 120;

/// The power of ten by which these numbers are whole, as decimals; nothing if they have many digits.
inline std::optional<int> decimals(std::span<const double> numbers) {
  constexpr double kDigits = 2 * std::numeric_limits<double>::epsilon();
  for (int places = 0; places <= 4; ++places) {
    const auto is_whole = [&](double x) {
      return std::abs(x * std::pow(10, places) - std::round(x * std::pow(10, places))) <= kDigits * std::abs(x);
    };
    if (std::all_of(numbers.begin(), numbers.end(), is_whole)) return places;
  }
  return {};
}

inline Whole whole_of(double x, int places) {
  return static_cast<Whole>(std::round(x * std::pow(10, places)));
}

/// The distinct points of some rows, and what each label costs all rows of one of them.
struct ExactPoints {
  Dataset points;                        ///< a row each, of features alone
  std::vector<std::int64_t> rows;        ///< of each point
  std::vector<long double> weight;       ///< of each point
  std::vector<std::vector<Whole>> loss;  ///< shape (points, classes)
  int places = 0;                        ///< a loss of 1 is 10^-places

  std::size_t size() const { return rows.size(); }
  long double value(Whole of) const { return static_cast<long double>(of) / std::pow(10.0L, places); }
  /// Whether a label costs less than another one there.
  bool counts(std::size_t point) const {
    return std::any_of(loss[point].begin(), loss[point].end(), [&](Whole of) { return of != loss[point][0]; });
  }

  /// Nothing where numbers have many digits, or where there are more than so many points.
  static std::optional<ExactPoints> of(const Dataset& data, std::size_t most = 64) {
    const std::span<const double> costs = data.row_costs.empty() ? data.costs : data.row_costs;
    const std::optional<int> of_weights = decimals(data.weights), of_costs = decimals(costs);
    if (!of_weights || !of_costs) return {};
    ExactPoints all;
    all.places = *of_weights + *of_costs;
    std::map<std::vector<double>, std::size_t> known;
    std::vector<std::int32_t> firsts;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      std::vector<double> key;
      for (const Column& column : data.columns) {
        const bool missing = column.missing(row);
        key.push_back(missing ? 1 : 0);
        key.push_back(missing ? 0 : column.kind == ColumnKind::numeric ? column.values[row] + 0.0 : column.codes[row]);
      }
      const auto [at, is_new] = known.emplace(key, all.size());
      if (is_new) {
        firsts.push_back(static_cast<std::int32_t>(row));
        all.rows.push_back(0);
        all.weight.push_back(0);
        all.loss.emplace_back(data.classes(), 0);
        if (all.size() > most) return {};
      }
      ++all.rows[at->second];
      all.weight[at->second] += data.weight(row);
      const Whole weight = whole_of(data.weight(row), *of_weights);
      for (std::size_t a = 0; a < data.classes(); ++a) {
        const auto label = static_cast<std::size_t>(data.labels[row]);
        const double cost = !data.row_costs.empty() ? data.row_costs[row * data.classes() + a]
                            : !data.costs.empty()   ? data.costs[label * data.classes() + a]
                                                    : static_cast<double>(a != label);
        all.loss[at->second][a] += weight * whole_of(cost, *of_costs);
      }
    }
    Dataset bare;
    bare.columns = data.columns;
    bare.labels = data.labels;
    bare.class_names = data.class_names;
    all.points = bare.subset(firsts);
    return all;
  }
};

/// Limits on trees, as a fit has them.
struct ExactLimits {
  int depth = 1, splits = 1;
  std::int64_t min_rows = 1;
  long double min_weight = 0;
};

/// Least losses of all trees on some columns, by trying every tree over distinct points in whole numbers. Shares no code with the search.
/// Categories have at most twelve levels.
class ExactTrees {
 public:
  using Set = unsigned __int128;
  using Losses = std::vector<Whole>;  // with at most k splits

  /// `columns`: those that may be asked, as bits.
  ExactTrees(const ExactPoints& points, const ExactLimits& limits, unsigned columns) : points_(points), limits_(limits) {
    for (std::size_t f = 0; f < points.points.features(); ++f) {
      Dataset one = points.points;
      one.columns = {points.points.columns[f]};
      of_column_.push_back((columns >> f & 1) != 0 ? BruteForce(one).splits() : std::vector<Set>());
      splits_.insert(splits_.end(), of_column_.back().begin(), of_column_.back().end());
    }
    std::sort(splits_.begin(), splits_.end());
    splits_.erase(std::unique(splits_.begin(), splits_.end()), splits_.end());
  }

  /// How many pairs of a node and a split there are at most.
  double work() const {
    double nodes = 1, all = 0;
    for (int level = 0; level < limits_.depth; ++level, nodes *= 2 * static_cast<double>(splits_.size())) {
      all += std::min(nodes, std::ldexp(1.0, static_cast<int>(points_.size()))) * static_cast<double>(splits_.size());
    }
    return all;
  }

  const Losses& losses() { return solve(all(), limits_.depth); }
  /// Of the trees whose root asks this column.
  Losses losses_first(std::size_t column) {
    Losses best(static_cast<std::size_t>(limits_.splits) + 1, kNoTree);
    for (const Set split : of_column_[column]) add(best, all(), split, limits_.depth);
    return best;
  }

  /// Of the trees that begin with these splits; kNoTree where there is none.
  Losses losses_below(const Json& top) { return below(top, all(), limits_.depth); }

  /// Trees as near_trees.h tells them apart: the columns asked, and how the points that count are parted. Of each the least loss, without
  /// prices, by number of splits; none of more than `most`, with `price` for each split. Nothing where there are many.
  using Kind = std::pair<unsigned, std::vector<Set>>;
  std::optional<std::map<Kind, Whole>> near(Whole price, Whole most) {
    const std::optional<std::vector<Tree>> found = trees(all(), limits_.depth, price);
    if (!found) return {};
    std::map<Kind, Whole> kinds;
    for (const Tree& tree : *found) {
      if (tree.splits > limits_.splits || tree.loss > most) continue;
      const auto [at, is_new] = kinds.emplace(Kind(tree.columns, tree.leaves), tree.loss);
      if (!is_new) at->second = std::min(at->second, tree.loss);
    }
    return kinds;
  }

 private:
  struct Hash {
    std::size_t operator()(Set set) const {
      return std::hash<std::uint64_t>{}(static_cast<std::uint64_t>(set) * 0x9e3779b97f4a7c15ULL ^ static_cast<std::uint64_t>(set >> 64));
    }
  };
  struct Tree {
    unsigned columns;
    std::vector<Set> leaves;  // ascending, without the points that do not count
    int splits;
    Whole loss;

    auto key() const { return std::tie(columns, leaves, splits); }
    bool operator<(const Tree& other) const { return std::pair(key(), loss) < std::pair(other.key(), other.loss); }
  };

  Set all() const { return (Set{1} << points_.size()) - 1; }
  static bool has(Set set, std::size_t point) { return (set >> point & 1) != 0; }
  static int count(Set set) {
    return std::popcount(static_cast<std::uint64_t>(set)) + std::popcount(static_cast<std::uint64_t>(set >> 64));
  }

  Whole leaf(Set set) const {
    Whole least = kNoTree;
    for (std::size_t a = 0; a < points_.loss[0].size(); ++a) {
      Whole sum = 0;
      for (std::size_t p = 0; p < points_.size(); ++p) sum += has(set, p) ? points_.loss[p][a] : 0;
      least = std::min(least, sum);
    }
    return least;
  }

  bool holds_enough(Set set) const {
    std::int64_t rows = 0;
    long double weight = 0;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      rows += has(set, p) ? points_.rows[p] : 0;
      weight += has(set, p) ? points_.weight[p] : 0;
    }
    return rows >= limits_.min_rows && rows > 0 && weight >= limits_.min_weight * (1 - 1e-9L);
  }

  void add(Losses& best, Set set, Set split, int depth) {
    const Set left = set & split, right = set & ~split;
    if (left == 0 || right == 0 || !holds_enough(left) || !holds_enough(right)) return;
    join(best, solve(left, depth - 1), solve(right, depth - 1));
  }

  // A split, and trees of at most so many splits on its sides.
  static void join(Losses& best, const Losses& left, const Losses& right) {
    const int splits = static_cast<int>(best.size()) - 1;
    for (int a = 0; a < splits; ++a) {
      for (int b = 0; a + b < splits; ++b) {
        if (left[a] < kNoTree && right[b] < kNoTree) best[a + b + 1] = std::min(best[a + b + 1], left[a] + right[b]);
      }
    }
  }

  const Losses& solve(Set set, int depth) {
    const auto [found, fresh] = memory_[depth].try_emplace(set);
    Losses& best = found->second;
    if (!fresh) return best;
    best.assign(static_cast<std::size_t>(limits_.splits) + 1, leaf(set));
    if (depth > 0 && limits_.splits > 0) {
      for (const Set split : splits_) add(best, set, split, depth);
    }
    for (std::size_t k = 1; k < best.size(); ++k) best[k] = std::min(best[k], best[k - 1]);
    return best;
  }

  Losses below(const Json& top, Set set, int depth) {
    Losses best(static_cast<std::size_t>(limits_.splits) + 1, kNoTree);
    if (!holds_enough(set)) return best;
    if (top == "...") return solve(set, depth);
    if (top == "leaf") return Losses(best.size(), leaf(set));
    if (depth == 0) return best;
    if (is_asked(top)) {
      const auto column = std::ranges::find(points_.points.columns, top["column"].get<std::string>(), &Column::name);
      for (const Set split : of_column_[static_cast<std::size_t>(column - points_.points.columns.begin())]) add(best, set, split, depth);
    } else {
      Set left = 0;
      for (std::size_t p = 0; p < points_.size(); ++p) left |= goes_left(top, points_.points, p) ? Set{1} << p : 0;
      join(best, below(top["left"], set & left, depth - 1), below(top["right"], set & ~left, depth - 1));
    }
    for (std::size_t k = 1; k < best.size(); ++k) best[k] = std::min(best[k], best[k - 1]);
    return best;
  }

  static constexpr std::size_t kMostTrees = 3000;

  std::optional<std::vector<Tree>> trees(Set set, int depth, Whole price) {
    const Set counting = set & counts();
    std::set<Tree> found{{0, {counting}, 0, leaf(set)}};
    for (std::size_t f = 0; depth > 0 && f < of_column_.size(); ++f) {
      for (const Set split : of_column_[f]) {
        const Set left = set & split, right = set & ~split;
        if ((left & counts()) == 0 || (right & counts()) == 0 || !holds_enough(left) || !holds_enough(right)) continue;
        const auto l = trees(left, depth - 1, price), r = trees(right, depth - 1, price);
        if (!l || !r) return {};
        for (const Tree& x : *l) {
          for (const Tree& y : *r) {
            const bool stump = x.splits + y.splits == 0, is_none = stump && x.loss + y.loss >= leaf(set);
            if (is_none || x.splits + y.splits + 1 > limits_.splits) continue;
            Tree tree{x.columns | y.columns | 1u << f, x.leaves, x.splits + y.splits + 1, x.loss + y.loss + price};
            tree.leaves.insert(tree.leaves.end(), y.leaves.begin(), y.leaves.end());
            std::sort(tree.leaves.begin(), tree.leaves.end());
            found.insert(std::move(tree));
            if (found.size() > kMostTrees) return {};
          }
        }
      }
    }
    return std::vector<Tree>(found.begin(), found.end());
  }

  Set counts() const {
    Set set = 0;
    for (std::size_t p = 0; p < points_.size(); ++p) set |= points_.counts(p) ? Set{1} << p : 0;
    return set;
  }

  const ExactPoints& points_;
  const ExactLimits limits_;
  std::vector<std::vector<Set>> of_column_;
  std::vector<Set> splits_;
  std::map<int, std::unordered_map<Set, Losses, Hash>> memory_;
};

}  // namespace treewright::testing
