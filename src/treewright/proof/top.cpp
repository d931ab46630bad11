// Proofs of trees that begin with given splits.
//
// The splits send each row to a place: a leaf that stays, or an open place, below which the tree goes on. A tree that begins so costs the
// prices of these splits, what its leaves that stay cost, and for each open place what the tree below it costs on the rows of the place. So
// the sum of bounds on these is a bound on the whole (check.cpp). Each is a bound on all trees of the levels that are left, as of any part
// of a proof. What the proof lowers for rounding it lowers for any tree, and for these as well.
//
// A given split is one of the proof's orderings with a rank. It is compared with the splits that a user gave by the rows that go to each
// side: thresholds between the same two values are the same split of these rows.

#include "treewright/proof/top.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <numeric>

#include "treewright/proof/file.h"

namespace treewright::proof {

namespace {

class Walk {
 public:
  Walk(const Proof& proof, const Table& table, const std::vector<Ranks>& orderings, const std::string& origin)
      : proof_(proof), table_(table), orderings_(orderings), origin_(origin) {}

  TopRows below(std::vector<std::uint32_t> rows, std::int64_t levels) {
    assert(next_ < proof_.top.size());
    const TopPlace& place = proof_.top[next_++];
    if (place.kind != TopPlace::Kind::split) return TopRows::place(place.kind, std::move(rows));
    if (levels == 0) refuse(origin_, "begins with more levels of splits than its trees have");
    if (place.ordering >= std::ssize(orderings_)) refuse(origin_, "begins with a split of an ordering that it has not");
    const Ranks& ordering = orderings_[static_cast<std::size_t>(place.ordering)];
    const std::vector<std::int32_t>& codes = table_.columns[ordering.column].codes;
    const auto goes_left = [&](std::uint32_t row) { return static_cast<std::int64_t>(ordering.of(codes[row])) < place.rank; };
    std::vector<std::uint32_t> left, right;
    std::partition_copy(rows.begin(), rows.end(), std::back_inserter(left), std::back_inserter(right), goes_left);
    if (left.empty() || right.empty()) refuse(origin_, "begins with a split that leaves a side without rows");
    TopRows on_left = below(std::move(left), levels - 1);
    return TopRows::split(std::move(on_left), below(std::move(right), levels - 1));
  }

 private:
  const Proof& proof_;
  const Table& table_;
  const std::vector<Ranks>& orderings_;
  const std::string& origin_;
  std::size_t next_ = 0;
};

std::string in_words(const Level& level) {
  return level ? fmt::format("\"{}\"", *level) : "missing";
}

// The value with that place among those that occur.
std::string value(const Dataset& data, const TableColumn& column, std::size_t of, std::int64_t code) {
  const auto row = std::find(column.codes.begin(), column.codes.end(), static_cast<std::int32_t>(code)) - column.codes.begin();
  return spelled(data.columns[of].values[static_cast<std::size_t>(row)]);
}

std::string question(const Ordering& ordering, std::int64_t rank, const Dataset& data, const Table& table) {
  const auto of = static_cast<std::size_t>(ordering.column);
  const TableColumn& column = table.columns[of];
  switch (ordering.form) {
    case Ordering::Form::numbers:
      return fmt::format("\"{}\" < {}", column.name, value(data, column, of, rank));
    case Ordering::Form::missing_last:
      if (rank == column.distinct) return fmt::format("\"{}\" has a value", column.name);
      return fmt::format("\"{}\" < {}", column.name, value(data, column, of, rank));
    case Ordering::Form::missing_first:
      if (rank == 1) return fmt::format("\"{}\" is missing", column.name);
      return fmt::format("\"{}\" < {} or missing", column.name, value(data, column, of, rank - 1));
    case Ordering::Form::level:
      return fmt::format("\"{}\" in {{{}}}", column.name, in_words(ordering.levels.front().front()));
    case Ordering::Form::levels:
      break;
  }
  std::vector<std::string> levels;
  for (std::int64_t group = 0; group < rank; ++group) {
    for (const Level& level : ordering.levels[static_cast<std::size_t>(group)]) levels.push_back(in_words(level));
  }
  return fmt::format("\"{}\" in {{{}}}", column.name, fmt::join(levels, ", "));
}

std::string words_from(const Proof& proof, const Dataset& data, const Table& table, std::size_t& next) {
  const TopPlace& place = proof.top[next++];
  if (place.kind != TopPlace::Kind::split) return place.kind == TopPlace::Kind::leaf ? "leaf" : "...";
  const std::string asked = question(proof.orderings[static_cast<std::size_t>(place.ordering)], place.rank, data, table);
  const std::string yes = words_from(proof, data, table, next);
  return fmt::format("{} (yes: {}, no: {})", asked, yes, words_from(proof, data, table, next));
}

}  // namespace

TopRows TopRows::split(TopRows left, TopRows right) {
  const auto first_row = [](const TopRows& side) {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (const std::vector<std::uint32_t>& rows : side.rows) {
      if (!rows.empty()) first = std::min(first, rows.front());
    }
    return first;
  };
  if (first_row(right) < first_row(left)) std::swap(left, right);
  TopRows both{{TopPlace::Kind::split}, {}};
  for (TopRows* side : {&left, &right}) {
    std::move(side->kinds.begin(), side->kinds.end(), std::back_inserter(both.kinds));
    std::move(side->rows.begin(), side->rows.end(), std::back_inserter(both.rows));
  }
  return both;
}

TopRows top_rows(const Proof& proof, const Table& table, const std::vector<Ranks>& orderings, const std::string& origin) {
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0u);
  return Walk(proof, table, orderings, origin).below(std::move(rows), proof.depth);
}

std::string top_in_words(const Proof& proof, const Dataset& data, const Table& table) {
  std::size_t next = 0;
  return words_from(proof, data, table, next);
}

}  // namespace treewright::proof
