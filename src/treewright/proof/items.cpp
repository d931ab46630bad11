#include "treewright/proof/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "treewright/error.h"

namespace treewright::proof {

namespace {

// Categories of more levels than this (missing counted as one) are split one level against the rest, or by the share of a class in each level.
constexpr std::size_t kMaxSubsetLevels = 12;

// A column as numbers that are equal where its values are: ranks of numbers, levels of categories; -1 = missing. Shape (rows).
std::vector<std::int32_t> codes_of(const Column& column) {
  if (column.kind == ColumnKind::categorical) return column.codes;
  std::vector<double> distinct;
  for (const double value : column.values) {
    if (!std::isnan(value)) distinct.push_back(value);
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::int32_t> codes;
  for (const double value : column.values) {
    codes.push_back(
        std::isnan(value) ? -1 : static_cast<std::int32_t>(std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin()));
  }
  return codes;
}

// The rank of each code in an ordering, code -1 first. `codes`: of a column of numbers. Shape (codes + 1), of a category (levels + 1).
std::vector<std::uint32_t> ranks_of(const Ordering& ordering, const Column& column, std::int32_t codes) {
  std::vector<std::uint32_t> ranks;
  if (column.kind == ColumnKind::numeric) {
    ranks.resize(static_cast<std::size_t>(codes) + 1);
    std::iota(ranks.begin(), ranks.end(), 0u);
    if (!ordering.missing_first) ranks[0] = static_cast<std::uint32_t>(codes) + 1;
    return ranks;
  }
  ranks.resize(column.levels.size() + 1);
  std::fill(ranks.begin(), ranks.end(), static_cast<std::uint32_t>(ordering.levels.size()));
  for (std::size_t r = ordering.levels.size(); r-- > 0;) {
    for (const std::int32_t level : ordering.levels[r]) ranks[static_cast<std::size_t>(level + 1)] = static_cast<std::uint32_t>(r);
  }
  return ranks;
}

// The weights of the classes in each level of a category, missing first, in whole units. Shape (levels + 1) (classes).
using LevelWeights = std::vector<std::vector<std::uint64_t>>;

LevelWeights level_weights(const Column& column, const Dataset& data, const WholeWeights& weights) {
  LevelWeights result(column.levels.size() + 1, std::vector<std::uint64_t>(data.classes(), 0));
  for (std::size_t row = 0; row < data.rows(); ++row) {
    result[static_cast<std::size_t>(column.codes[row] + 1)][static_cast<std::size_t>(data.labels[row])] +=
        static_cast<std::uint64_t>(weights.of(row));
  }
  return result;
}

// Whether the class has a smaller share of the weight in level `a` than in level `b`. Without weight the share is 0.
bool has_smaller_share(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, std::size_t of_class) {
  __extension__ using Product = unsigned __int128;
  const auto total = [](const std::vector<std::uint64_t>& level) {
    return std::max<Product>(std::accumulate(level.begin(), level.end(), std::uint64_t{0}), 1);
  };
  return a[of_class] * total(b) < b[of_class] * total(a);
}

// Whether an ordering with these ranks has each level, in which the class has a smaller share than in another one, before it or each behind it.
// `levels`: those that occur, by ascending share, -1 = missing.
bool is_by_share(const std::vector<std::int32_t>& levels, const LevelWeights& weights, std::size_t of_class,
                 const std::vector<std::uint32_t>& ranks, bool before) {
  const auto at = [](std::int32_t level) { return static_cast<std::size_t>(level + 1); };
  const auto rank = [&](std::int32_t level) {
    return before ? static_cast<std::int64_t>(ranks[at(level)]) : -static_cast<std::int64_t>(ranks[at(level)]);
  };
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  std::int64_t smaller = kLowest, last = kLowest;  // the last ranks of levels of a smaller share, and of all so far
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (i > 0 && has_smaller_share(weights[at(levels[i - 1])], weights[at(levels[i])], of_class)) smaller = last;
    if (rank(levels[i]) <= smaller) return false;
    last = std::max(last, rank(levels[i]));
  }
  return true;
}

// Whether they hold every split by a category of many levels: each level alone is at the beginning or the end of an ordering, and for each class
// there is an ordering by its shares.
bool complete_wide(const Column& column, const Dataset& data, const WholeWeights& weights, const std::set<std::int32_t>& present,
                   const std::vector<const Ordering*>& orderings) {
  std::vector<std::vector<std::uint32_t>> ranks;  // of each ordering
  std::set<std::int32_t> alone;
  for (const Ordering* ordering : orderings) {
    ranks.push_back(ranks_of(*ordering, column, 0));
    std::map<std::uint32_t, std::vector<std::int32_t>> by_rank;
    for (const std::int32_t level : present) by_rank[ranks.back()[static_cast<std::size_t>(level + 1)]].push_back(level);
    for (const std::vector<std::int32_t>* end : {&by_rank.begin()->second, &by_rank.rbegin()->second}) {
      if (end->size() == 1) alone.insert(end->front());
    }
  }
  if (alone != present) return false;
  const LevelWeights of_level = level_weights(column, data, weights);
  std::vector<std::int32_t> levels(present.begin(), present.end());
  for (std::size_t k = 0; k < data.classes(); ++k) {
    std::sort(levels.begin(), levels.end(), [&](std::int32_t a, std::int32_t b) {
      return has_smaller_share(of_level[static_cast<std::size_t>(a + 1)], of_level[static_cast<std::size_t>(b + 1)], k);
    });
    if (std::none_of(ranks.begin(), ranks.end(), [&](const std::vector<std::uint32_t>& of) {
          return is_by_share(levels, of_level, k, of, true) || is_by_share(levels, of_level, k, of, false);
        }))
      return false;
  }
  return true;
}

// Whether the orderings of a column hold every split of the family on it: thresholds, with missing values on either side; sets of levels,
// or where there are many single ones, and for each class those of the larger shares.
bool complete(const Column& column, const Dataset& data, const WholeWeights& weights, const std::vector<std::int32_t>& codes,
              const std::vector<const Ordering*>& orderings) {
  const std::set<std::int32_t> present(codes.begin(), codes.end());
  if (present.size() <= 1) return true;
  if (column.kind == ColumnKind::numeric) {
    const auto is = [&](bool first) {
      return std::any_of(orderings.begin(), orderings.end(), [&](const Ordering* o) { return o->missing_first == first; });
    };
    return present.count(-1) == 0 ? !orderings.empty() : is(true) && is(false);
  }
  if (present.size() > kMaxSubsetLevels) return complete_wide(column, data, weights, present, orderings);
  // Sets of levels as they lie left of a cut; a set and its complement are the same split.
  std::set<std::set<std::int32_t>> left;
  for (const Ordering* ordering : orderings) {
    std::set<std::int32_t> before, after = present;
    for (const std::vector<std::int32_t>& group : ordering->levels) {
      for (const std::int32_t level : group) {
        if (after.erase(level) > 0) before.insert(level);
      }
      left.insert(before);
      left.insert(after);
    }
  }
  const std::vector<std::int32_t> levels(present.begin(), present.end());
  for (std::uint32_t subset = 1; subset + 1 < (1u << levels.size()); ++subset) {
    std::set<std::int32_t> chosen;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (subset >> i & 1) chosen.insert(levels[i]);
    }
    if (left.count(chosen) == 0) return false;
  }
  return true;
}

// Rows with equal values are neighbors. Shape (rows).
std::vector<std::uint32_t> sorted_rows(const std::vector<std::vector<std::int32_t>>& codes, std::size_t n) {
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const std::vector<std::int32_t>& column : codes) {
      if (column[a] != column[b]) return column[a] < column[b];
    }
    return a < b;
  });
  return rows;
}

}  // namespace

Items::Items(const Proof& proof, const Dataset& data, const WholeWeights& weights, const std::string& origin) : classes_(data.classes()) {
  std::vector<std::vector<std::int32_t>> codes;
  for (std::size_t c = 0; c < data.features(); ++c) {
    codes.push_back(codes_of(data.columns[c]));
    std::vector<const Ordering*> of_column;
    for (const Ordering& ordering : proof.orderings) {
      if (static_cast<std::size_t>(ordering.column) == c) of_column.push_back(&ordering);
    }
    if (!complete(data.columns[c], data, weights, codes[c], of_column)) {
      throw Error(origin, fmt::format("does not speak of all splits by column '{}'", data.columns[c].name),
                  "write it anew with fit --proof", ErrorKind::file);
    }
  }
  const auto equal = [&](std::uint32_t a, std::uint32_t b) {
    return std::all_of(codes.begin(), codes.end(), [&](const std::vector<std::int32_t>& column) { return column[a] == column[b]; });
  };
  const std::vector<std::uint32_t> rows = sorted_rows(codes, data.rows());
  std::vector<std::uint32_t> row_of_item;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    std::vector<double> of_class(classes_, 0.0);
    for (; end < rows.size() && equal(rows[begin], rows[end]); ++end)
      of_class[static_cast<std::size_t>(data.labels[rows[end]])] += weights.of(rows[end]);
    const double lightest = *std::min_element(of_class.begin(), of_class.end());
    lost_ += lightest * static_cast<double>(classes_ - 1);
    for (std::size_t k = 0; k < classes_; ++k) {
      if (of_class[k] == lightest) continue;
      row_of_item.push_back(rows[begin]);
      label_.push_back(static_cast<std::uint16_t>(k));
      weight_.push_back(of_class[k] - lightest);
      total_weight_ += weight_.back();
    }
  }
  for (const Ordering& ordering : proof.orderings) {
    const auto column = static_cast<std::size_t>(ordering.column);
    const std::int32_t most = codes[column].empty() ? -1 : *std::max_element(codes[column].begin(), codes[column].end());
    const std::vector<std::uint32_t> ranks = ranks_of(ordering, data.columns[column], most + 1);
    std::vector<std::uint32_t>& rank = rank_.emplace_back();
    for (const std::uint32_t row : row_of_item) rank.push_back(ranks[static_cast<std::size_t>(codes[column][row] + 1)]);
  }
}

Part Items::all() const {
  const std::size_t n = label_.size();
  std::vector<std::uint32_t> order((rank_.size() + 1) * n);
  for (std::size_t f = 0; f <= rank_.size(); ++f) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(f * n);
    std::iota(begin, begin + static_cast<std::ptrdiff_t>(n), 0u);
    if (f < rank_.size())
      std::stable_sort(begin, begin + static_cast<std::ptrdiff_t>(n),
                       [&](std::uint32_t a, std::uint32_t b) { return rank_[f][a] < rank_[f][b]; });
  }
  return {n, std::move(order)};
}

Part Items::side(const Part& part, const Cut& cut, bool left) const {
  const auto stays = [&](std::uint32_t item) { return (rank_[cut.ordering][item] < cut.rank) == left; };
  std::vector<std::uint32_t> order;
  const auto size = static_cast<std::size_t>(std::count_if(part.items().begin(), part.items().end(), stays));
  order.reserve((rank_.size() + 1) * size);
  for (std::size_t f = 0; f < rank_.size(); ++f) std::copy_if(part.order(f).begin(), part.order(f).end(), std::back_inserter(order), stays);
  std::copy_if(part.items().begin(), part.items().end(), std::back_inserter(order), stays);
  return {size, std::move(order)};
}

std::vector<double> Items::class_weights(const Part& part) const {
  std::vector<double> weights(classes_, 0.0);
  for (const std::uint32_t item : part.items()) weights[label_[item]] += weight_[item];
  return weights;
}

}  // namespace treewright::proof
