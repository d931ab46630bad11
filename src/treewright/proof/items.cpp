#include "treewright/proof/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "treewright/error.h"

namespace treewright::proof {

namespace {

// Categories of more levels than this (missing counted as one) are split one level against the rest.
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

// The rank of each code in an ordering, code -1 first. Shape (codes + 1).
std::vector<std::uint32_t> ranks_of(const Ordering& ordering, const Column& column, std::int32_t codes) {
  std::vector<std::uint32_t> ranks(static_cast<std::size_t>(codes) + 1);
  if (column.kind == ColumnKind::numeric) {
    std::iota(ranks.begin(), ranks.end(), 0u);
    if (!ordering.missing_first) ranks[0] = static_cast<std::uint32_t>(codes) + 1;
    return ranks;
  }
  std::fill(ranks.begin(), ranks.end(), static_cast<std::uint32_t>(ordering.levels.size()));
  for (std::size_t r = ordering.levels.size(); r-- > 0;)
    ranks[static_cast<std::size_t>(ordering.levels[r] + 1)] = static_cast<std::uint32_t>(r);
  return ranks;
}

// Whether the orderings of a column hold every split of the family on it: thresholds, with missing values on either side; sets of levels,
// or single ones where there are many.
bool complete(const Column& column, const std::vector<std::int32_t>& codes, const std::vector<const Ordering*>& orderings) {
  const std::set<std::int32_t> present(codes.begin(), codes.end());
  if (present.size() <= 1) return true;
  if (column.kind == ColumnKind::numeric) {
    const auto is = [&](bool first) {
      return std::any_of(orderings.begin(), orderings.end(), [&](const Ordering* o) { return o->missing_first == first; });
    };
    return present.count(-1) == 0 ? !orderings.empty() : is(true) && is(false);
  }
  // Sets of levels as they lie left of a cut; a set and its complement are the same split.
  std::set<std::set<std::int32_t>> left;
  for (const Ordering* ordering : orderings) {
    std::set<std::int32_t> before, after = present;
    for (const std::int32_t level : ordering->levels) {
      if (after.erase(level) > 0) before.insert(level);
      left.insert(before);
      left.insert(after);
    }
  }
  if (present.size() > kMaxSubsetLevels) {
    return std::all_of(present.begin(), present.end(), [&](std::int32_t level) { return left.count({level}) > 0; });
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
    if (!complete(data.columns[c], codes[c], of_column)) {
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
