#include "treewright/search/items/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "treewright/base/random.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"
#include "treewright/data/ranked_rows.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

namespace {

// A feature of all rows as small codes: equal codes mean equal values, and numeric codes are in the order of the values.
struct Codes {
  std::vector<std::uint32_t> code;
  std::vector<double> marks;   // numeric: Ordering::marks
  std::uint32_t distinct = 0;  // including "missing", which has the last code
  bool has_missing = false;
};

Codes encode_numeric(const Column& column) {
  const std::vector<double>& raw = column.values;
  Codes codes;
  codes.code.resize(raw.size());
  std::vector<std::uint32_t> rows(raw.size());
  std::iota(rows.begin(), rows.end(), std::uint32_t{0});
  for (const auto& [rank, row] : sorted_rows(column, rows)) {
    codes.code[row] = rank;
    if (rank == kMissingRank) {
      codes.has_missing = true;
    } else if (rank == codes.distinct) {
      if (codes.distinct++ % Ordering::kMark == 0) codes.marks.push_back(raw[row]);
    }
  }
  codes.distinct += codes.has_missing;
  if (codes.has_missing) std::replace(codes.code.begin(), codes.code.end(), kMissingRank, codes.distinct - 1);
  return codes;
}

Codes encode_categories(const Column& column) {
  Codes codes;
  const auto levels = static_cast<std::uint32_t>(column.levels.size());
  for (const std::int32_t code : column.codes) {
    codes.code.push_back(code < 0 ? levels : static_cast<std::uint32_t>(code));
    codes.has_missing |= code < 0;
  }
  codes.distinct = levels + codes.has_missing;
  return codes;
}

}  // namespace

// The distinct values from one mark to the next are few: one pass over the column finds them. Of equal ones (-0.0 and 0.0) the first row's
// counts.
double Ordering::value(std::uint32_t of_rank, const Column& column) const {
  const std::size_t index = of_rank - (missing_first ? 1 : 0), mark = index / kMark;
  const double from = marks[mark], to = mark + 1 < marks.size() ? marks[mark + 1] : std::numeric_limits<double>::infinity();
  std::vector<double> distinct;
  for (const double value : column.values) {
    if (!(from <= value && value < to)) continue;
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), value);
    if (at == distinct.end() || *at != value) distinct.insert(at, value);
  }
  return distinct[index % kMark];
}

Split Ordering::cut(std::uint32_t low, std::uint32_t high, const Dataset& data) const {
  if (levels.empty()) {
    const Column& column = data.columns[+feature];
    // A cut between the values and the missing ones asks "is there a value?": every value is on the same side.
    if (missing_last && high == ranks - 1) return {AxisSplit{feature, std::numeric_limits<double>::max()}, false};
    if (missing_first && low == 0) return {AxisSplit{feature, std::numeric_limits<double>::lowest()}, true};
    return {AxisSplit{feature, midpoint(value(low, column), value(high, column))}, missing_first};
  }
  CategorySplit split{feature, std::vector<bool>(data.columns[+feature].levels.size(), false)};
  bool missing_left = false;
  for (std::uint32_t r = 0; r <= low; ++r) {
    for (const std::int32_t level : levels[r]) {
      if (level < 0) {
        missing_left = true;
      } else {
        split.left[level] = true;
      }
    }
  }
  return {std::move(split), missing_left};
}

namespace {

// Groups rows with equal features. Returns the first row of each row's group. Shape (rows).
std::vector<std::uint32_t> group_rows(const std::vector<Codes>& features, std::size_t n, bool merge_rows) {
  // Sort by a hash of the codes, then separate rows whose hashes are equal by chance.
  std::vector<std::uint64_t> hash(n, 0);
  for (const Codes& feature : features) {
    stop_point();
    for (std::size_t row = 0; row < n; ++row) hash[row] = mix_bits(hash[row] + 0x9e3779b97f4a7c15ULL + feature.code[row]);
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_hash(n);
  for (std::size_t row = 0; row < n; ++row) by_hash[row] = {hash[row], static_cast<std::uint32_t>(row)};
  std::sort(by_hash.begin(), by_hash.end());
  const auto equal_rows = [&](std::uint32_t a, std::uint32_t b) {
    return std::all_of(features.begin(), features.end(), [&](const Codes& f) { return f.code[a] == f.code[b]; });
  };
  std::vector<std::uint32_t> group(n);
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin;
    std::vector<std::uint32_t> first;
    for (; end < n && by_hash[end].first == by_hash[begin].first; ++end) {
      const std::uint32_t row = by_hash[end].second;
      const auto same = std::find_if(first.begin(), first.end(), [&](std::uint32_t f) { return merge_rows && equal_rows(f, row); });
      if (same == first.end()) {
        first.push_back(row);
        group[row] = row;
      } else {
        group[row] = *same;
      }
    }
    begin = end;
  }
  return group;
}

// The groups of rows: numbers of the rows' groups, and the first row of each group, in the order of these.
struct RowGroups {
  std::vector<std::uint32_t> slot, representative;

  explicit RowGroups(const std::vector<std::uint32_t>& group) : slot(group.size()) {
    for (std::size_t row = 0; row < group.size(); ++row) {
      if (group[row] == row) {
        slot[row] = static_cast<std::uint32_t>(representative.size());
        representative.push_back(static_cast<std::uint32_t>(row));
      }
      slot[row] = slot[group[row]];
    }
  }
};

// Rows of leaves. A search with a least number of rows in a leaf needs two things of the counts of the items: that they add up to the
// rows of any set that a node can hold, which is a union of groups, and that `row_bound` is told where a row does not weigh one unit.
// Each row of a table of gains counts for as many rows of the data as it stands for, one or none (data/costs/costs.cpp), and the rows that
// stand for the same one are in one group, as they have equal features. So a group has as many rows as in the data, and the allowed
// splits are the same. The proof of `row_bound` takes the weight of a leaf for its rows, which gains are not: `unit_rows` is false there,
// and the bound is 0. All other bounds are of trees without the limit, or come from splits that keep it.
//
// Makes the items of the groups, in the order of their first rows. Returns a row of each item. Shape (items).
std::vector<std::uint32_t> make_items(const Dataset& data, const std::vector<std::uint32_t>& group, bool count_rows, Problem& problem) {
  const std::size_t n = data.rows(), k = data.classes();
  RowGroups groups(group);
  const std::vector<std::uint32_t>& representative = groups.representative;
  std::vector<double> class_weight(representative.size() * k, 0.0);
  std::vector<std::int32_t> rows_in(representative.size(), 0);
  for (std::size_t row = 0; row < n; ++row) {
    const std::uint32_t s = groups.slot[row];
    class_weight[s * k + data.labels[row]] += problem.row_weights.of(row);
    rows_in[s] += data.count(row);
  }
  std::vector<std::uint32_t> row_of_item;
  const auto add = [&](std::size_t g, std::size_t label, double weight, double reach, std::int32_t rows) {
    problem.label.push_back(static_cast<std::int32_t>(label));
    problem.weight.push_back(weight);
    problem.reach.push_back(reach);
    problem.count.push_back(rows);
    row_of_item.push_back(representative[g]);
  };
  for (std::size_t g = 0; g < representative.size(); ++g) {
    std::int32_t rows_left = rows_in[g];
    const auto add_item = [&](std::size_t label, double weight, double reach) {
      add(g, label, weight, reach, std::exchange(rows_left, 0));
    };
    problem.base_errors += items_of_rows({&class_weight[g * k], k}, add_item);
    if (rows_left > 0 && count_rows) add(g, 0, 0, 0, rows_left);
  }
  if (problem.reach == problem.weight) problem.reach = {};
  return row_of_item;
}

// The same where the target is a number: every group is an item. What a group loses in every tree is rounded down.
std::vector<std::uint32_t> make_sum_items(const Dataset& data, const std::vector<std::uint32_t>& group, Problem& problem) {
  const ResponseGrid grid = response_grid(data);
  RowGroups groups(group);
  const std::size_t items = groups.representative.size();
  problem.sums.emplace(data.response->loss, grid.exposure, grid.amount);
  problem.response_units = grid.units;
  problem.label.assign(items, 0);
  problem.weight.resize(items);
  problem.count.assign(items, 0);
  problem.exposure.assign(items, 0.0);
  problem.amount.assign(items, 0.0);
  long double lost = 0, terms = 0;
  const auto lose = [&](double more) {
    lost += more;
    terms += std::abs(more);
  };
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::uint32_t item = groups.slot[row];
    problem.exposure[item] += grid.exposure[row];
    problem.amount[item] += grid.amount[row];
    problem.count[item] += data.count(row);
    lose(problem.sums->gain(grid.exposure[row], grid.amount[row]));
  }
  for (std::size_t i = 0; i < items; ++i) {
    problem.weight[i] = problem.sums->of_item(problem.exposure[i], problem.amount[i]);
    lose(-problem.weight[i]);
  }
  // Squares and quotients are doubles, and so is the sum in the end.
  constexpr long double kLastDigits = 2 * std::numeric_limits<double>::epsilon(), kOfSums = std::numeric_limits<long double>::epsilon();
  const long double rounding = terms * (kLastDigits + kOfSums * static_cast<long double>(data.rows() + items));
  problem.base_errors = static_cast<double>(lost - rounding) - problem.sums->rows_off();
  return std::move(groups.representative);
}

// The orderings of one feature (problem.h).
class OrderingMaker {
 public:
  OrderingMaker(const std::vector<std::uint32_t>& row_of_item, Problem& problem) : row_of_item_(row_of_item), problem_(problem) {}

  void add_numeric(FeatureId feature, const Codes& codes) const {
    Ordering ordering;
    ordering.feature = feature;
    ordering.ranks = codes.distinct;
    ordering.marks = codes.marks;
    ordering.missing_last = codes.has_missing;
    std::vector<std::uint32_t> rank_of_code(codes.distinct);
    std::iota(rank_of_code.begin(), rank_of_code.end(), 0);
    add(ordering, codes, rank_of_code);
    if (!codes.has_missing) return;
    ordering.missing_last = false;
    ordering.missing_first = true;
    for (std::uint32_t c = 0; c < codes.distinct; ++c) rank_of_code[c] = (c + 1) % codes.distinct;
    add(ordering, codes, rank_of_code);
  }

  void add_categorical(FeatureId feature, const Codes& codes, std::size_t levels, const SplitFamily& family) const {
    const auto code_of = [&](std::int32_t level) { return level < 0 ? levels : static_cast<std::size_t>(level); };
    std::vector<bool> occurs(levels + 1, false);
    for (const std::uint32_t code : codes.code) occurs[code] = true;
    std::vector<std::int32_t> present;
    for (std::size_t code = 0; code <= levels; ++code) {
      if (occurs[code]) present.push_back(code == levels ? -1 : static_cast<std::int32_t>(code));
    }
    Ordering ordering;
    ordering.feature = feature;
    std::vector<std::uint32_t> rank_of_code(levels + 1);
    for (LevelOrder& order : family.orders(static_cast<std::size_t>(+feature), present)) {
      const auto last = static_cast<std::uint32_t>(order.size());
      std::fill(rank_of_code.begin(), rank_of_code.end(), last);
      std::size_t named = 0;
      for (std::uint32_t r = 0; r < last; ++r) {
        for (const std::int32_t level : order[r]) rank_of_code[code_of(level)] = r;
        named += order[r].size();
      }
      ordering.ranks = last + (named < present.size() ? 1 : 0);
      ordering.levels = std::move(order);
      add(ordering, codes, rank_of_code);
    }
  }

 private:
  void add(Ordering ordering, const Codes& codes, const std::vector<std::uint32_t>& rank_of_code) const {
    if (ordering.ranks <= 1) return;
    stop_point();
    ordering.rank.resize(row_of_item_.size());
    for (std::size_t i = 0; i < row_of_item_.size(); ++i) ordering.rank[i] = rank_of_code[codes.code[row_of_item_[i]]];
    problem_.orderings.push_back(std::move(ordering));
  }

  const std::vector<std::uint32_t>& row_of_item_;
  Problem& problem_;
};

// The ranks of the items without gaps, from the end at which the first item is nearer (from the left where it is in the middle, and the
// next items decide). Two orderings for which they are equal order the items equally or in reverse.
std::vector<std::uint32_t> canonical_ranks(const Ordering& ordering) {
  std::vector<std::uint32_t> dense(ordering.ranks, 0), rank(ordering.rank.size());
  for (const std::uint32_t r : ordering.rank) dense[r] = 1;
  const std::uint32_t distinct = std::accumulate(dense.begin(), dense.end(), 0u);
  std::exclusive_scan(dense.begin(), dense.end(), dense.begin(), 0u);
  const auto from_left = [&](std::size_t i) { return dense[ordering.rank[i]]; };
  std::size_t i = 0;
  while (i < rank.size() && 2 * from_left(i) + 1 == distinct) ++i;
  const bool reverse = i < rank.size() && 2 * from_left(i) + 1 > distinct;
  for (i = 0; i < rank.size(); ++i) rank[i] = reverse ? distinct - 1 - from_left(i) : from_left(i);
  return rank;
}

// Drops each ordering that orders the items as an earlier one does, or in reverse. Its cuts divide every set of items as the earlier one's
// cuts do, up to an exchange of the sides, so the trees without it reach the same costs.
void drop_equal_orderings(std::vector<Ordering>& orderings) {
  std::multimap<std::uint64_t, std::size_t> kept;  // hash of the ranks, and where the ordering is
  std::size_t end = 0;
  for (Ordering& ordering : orderings) {
    stop_point();
    const std::vector<std::uint32_t> ranks = canonical_ranks(ordering);
    std::uint64_t hash = 0;
    for (const std::uint32_t rank : ranks) hash = mix_bits(hash + 0x9e3779b97f4a7c15ULL + rank);
    const auto [first, last] = kept.equal_range(hash);
    if (std::any_of(first, last, [&](const auto& other) { return canonical_ranks(orderings[other.second]) == ranks; })) continue;
    kept.emplace(hash, end);
    if (&orderings[end] != &ordering) orderings[end] = std::move(ordering);
    ++end;
  }
  orderings.resize(end);
}

}  // namespace

void Problem::forget_reach() {
  base_errors -= total_weight - total_reach;
  total_reach = total_weight;
  reach = {};
}

Problem make_problem(const Dataset& data, bool count_rows, bool merge_rows, bool merge_orderings, const SplitFamily* family,
                     std::optional<FeatureId> first, std::vector<std::uint32_t>* rows_of_items) {
  Problem problem;
  problem.row_weights = whole_weights(data);
  problem.classes = static_cast<std::int32_t>(data.classes());
  std::vector<Codes> features;
  for (const Column& column : data.columns) {
    stop_point();
    features.push_back(column.kind == ColumnKind::numeric ? encode_numeric(column) : encode_categories(column));
  }
  const std::vector<std::uint32_t> group = group_rows(features, data.rows(), merge_rows);
  const std::vector<std::uint32_t> row_of_item =
      data.response ? make_sum_items(data, group, problem) : make_items(data, group, count_rows, problem);
  for (std::size_t row = 0; row < data.rows(); ++row) problem.total_rows += data.count(row);
  const std::vector<double>& multiple = problem.row_weights.multiple;
  problem.unit_rows = data.counts.empty() && std::all_of(multiple.begin(), multiple.end(), [](double w) { return w == 1; });
  const auto total = [](const std::vector<double>& of) { return std::accumulate(of.begin(), of.end(), 0.0); };
  problem.total_weight = total(problem.weight);
  problem.total_reach = problem.reach.empty() ? problem.total_weight : total(problem.reach);

  const OrderingMaker orderings(row_of_item, problem);
  const std::optional<SplitFamily> own = family == nullptr ? std::make_optional<SplitFamily>(data) : std::nullopt;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const FeatureId feature{static_cast<std::int32_t>(f)};
    const Codes codes = std::move(features[f]);  // and gone with the end of the round
    if (data.columns[f].kind == ColumnKind::numeric) {
      orderings.add_numeric(feature, codes);
    } else {
      orderings.add_categorical(feature, codes, data.columns[f].levels.size(), own ? *own : *family);
    }
  }
  std::stable_partition(problem.orderings.begin(), problem.orderings.end(),
                        [&](const Ordering& ordering) { return ordering.feature == first; });
  if (merge_orderings) drop_equal_orderings(problem.orderings);
  if (rows_of_items != nullptr) *rows_of_items = row_of_item;
  return problem;
}

}  // namespace treewright::search
