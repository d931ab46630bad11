// Whether the orderings of a proof are those of its columns, and hold every split of the family: thresholds, with missing values on either
// side; sets of levels, or where there are many single ones that are not rare, and for each label those of the larger shares. Where the
// target is a number, those of the larger means take the place of shares: level_means.cpp.

#include "treewright/proof/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "treewright/base/stop_point.h"
#include "treewright/proof/file.h"

namespace treewright::proof {

namespace {

using Form = Ordering::Form;
using Groups = std::vector<std::vector<std::size_t>>;    // of levels, which are places in `Ranks::of_code`
using Gained = std::vector<std::vector<std::uint64_t>>;  // by labels in a level. Shape (levels + 1) (labels).

// The orderings of one column.
class Family {
 public:
  Family(const Table& table, std::size_t column, const std::string& origin)
      : table_(table), index_(column), column_(table.columns[column]), origin_(origin) {
    if (!is_wide()) return;
    if (column_.means) {
      frequent_ = column_.means->frequent;
      orders_.push_back(column_.means->groups);
    } else {
      order_by_shares();
    }
  }

  void add(const Ordering& ordering) {
    if (column_.values() < 2) fail("has no split, and an ordering");
    if (ordering.form == Form::levels || ordering.form == Form::level) {
      if (!column_.category) fail("holds numbers, and an ordering has levels");
      if (orderings_.size() == most_orderings()) fail("has more orderings than splits need");
    } else {
      if (column_.category) fail("is a category, and an ordering has no levels");
      const Form expected = !column_.has_missing ? Form::numbers : orderings_.empty() ? Form::missing_last : Form::missing_first;
      if (orderings_.size() > (column_.has_missing ? 1 : 0) || ordering.form != expected)
        fail("has an ordering that does not belong there");
    }
    Ranks ranks{index_, column_.category ? ranks_of_levels(ordering) : ranks_of_numbers(ordering.form)};
    if (!known_.insert(ranks.of_code).second) fail("has an ordering twice");
    orderings_.push_back(std::move(ranks));
  }

  /// Throws Error if they leave out a split.
  std::vector<Ranks> complete() {
    const bool whole = column_.values() < 2 ? true
                       : !column_.category  ? orderings_.size() == (column_.has_missing ? 2 : 1)
                       : is_wide()          ? single_levels() && all_orders()
                                            : every_set();
    if (!whole) fail("has splits that the proof does not speak of");
    return std::move(orderings_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { refuse(origin_, fmt::format("column '{}' {}", column_.name, problem)); }

  bool is_wide() const { return column_.is_wide(); }

  // One for each maximal chain of sets of 12 levels; beyond, one for each level that is not rare, and each label or the means.
  std::size_t most_orderings() const { return is_wide() ? frequent_.size() + orders_.size() : 462; }

  std::vector<std::uint32_t> ranks_of_numbers(Form form) const {
    std::vector<std::uint32_t> ranks(static_cast<std::size_t>(column_.distinct) + 1);
    std::iota(ranks.begin(), ranks.end(), 0u);
    if (form == Form::missing_first) return ranks;
    std::rotate(ranks.begin(), ranks.end() - 1, ranks.end());
    return ranks;
  }

  std::size_t place(const Level& level) const {
    if (!level) return column_.has_missing ? 0 : (fail("has no missing values, and an ordering has"), 0);
    const auto at = std::lower_bound(column_.levels.begin(), column_.levels.end(), *level);
    if (at == column_.levels.end() || *at != *level) fail(fmt::format("has no level '{}', and an ordering has", *level));
    return static_cast<std::size_t>(at - column_.levels.begin()) + 1;
  }

  std::vector<std::uint32_t> ranks_of_levels(const Ordering& ordering) const {
    constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> ranks(static_cast<std::size_t>(column_.distinct) + 1, kNone);
    if (ordering.form == Form::level) {
      if (!is_wide()) fail("has few levels, and an ordering of one against the rest");
      std::fill(ranks.begin(), ranks.end(), 1u);
      ranks[place(ordering.levels.front().front())] = 0;
    } else {
      if (ordering.levels.size() < 2) fail("has an ordering of one group of levels");
      std::uint32_t rank = 0;
      for (const std::vector<Level>& group : ordering.levels) {
        if (group.empty()) fail("has an ordering with an empty group of levels");
        for (std::size_t i = 0; i < group.size(); ++i) {
          if (i > 0 && group[i] <= group[i - 1]) fail("has an ordering with a group of levels that do not ascend");
          std::uint32_t& of_level = ranks[place(group[i])];
          if (of_level != kNone) fail(fmt::format("has the level '{}' twice in an ordering", group[i].value_or("")));
          of_level = rank;
        }
        ++rank;
      }
      if (!column_.has_missing) ranks[0] = rank;
      if (std::find(ranks.begin(), ranks.end(), kNone) != ranks.end()) fail("has an ordering that leaves out a level");
    }
    if (!column_.has_missing) ranks[0] = 0;  // of no row
    return ranks;
  }

  // Places in `Ranks::of_code` of the levels that occur.
  std::vector<std::size_t> present() const {
    std::vector<std::size_t> places(static_cast<std::size_t>(column_.values()));
    std::iota(places.begin(), places.end(), column_.has_missing ? std::size_t{0} : std::size_t{1});
    return places;
  }

  // A set of levels and its complement are the same split.
  bool every_set() const {
    const std::vector<std::size_t> levels = present();
    const std::uint32_t all = (1u << levels.size()) - 1;
    std::vector<bool> held(all + 1, false);
    for (const Ranks& ordering : orderings_) {
      const std::uint32_t groups = 1 + *std::max_element(ordering.of_code.begin(), ordering.of_code.end());
      for (std::uint32_t rank = 1; rank < groups; ++rank) {
        std::uint32_t before = 0;
        for (std::size_t i = 0; i < levels.size(); ++i) before |= ordering.of_code[levels[i]] < rank ? 1u << i : 0u;
        held[before] = held[all ^ before] = true;
      }
    }
    return std::all_of(held.begin() + 1, held.end() - 1, [](bool is_held) { return is_held; });
  }

  // By what the labels gain in each level over the dearest one of each row: the levels that are not rare, in which some label has at least
  // one part in kRare of all its gains; and the orders by the shares of each label.
  void order_by_shares() {
    if (!table_.costs.tell_shares)
      fail(fmt::format("has more than {} levels, and the proof's unit is too coarse for the shares of labels in them", kMaxSubsetLevels));
    const std::size_t labels = table_.labels.names.size();
    Gained gains(static_cast<std::size_t>(column_.distinct) + 1, std::vector<std::uint64_t>(labels, 0));  // missing first
    std::vector<Product> all(labels, 0);
    for (std::size_t row = 0; row < table_.rows; ++row) {
      const std::span<const std::int64_t> costs = table_.costs_of(row);
      const std::int64_t dearest = *std::max_element(costs.begin(), costs.end());
      std::vector<std::uint64_t>& of_level = gains[static_cast<std::size_t>(column_.codes[row] + 1)];
      for (std::size_t a = 0; a < labels; ++a) {
        of_level[a] += static_cast<std::uint64_t>(dearest - costs[a]);
        all[a] += static_cast<std::uint64_t>(dearest - costs[a]);
      }
    }
    for (const std::size_t level : present()) {
      const auto has_part = [&](std::size_t a) { return gains[level][a] > 0 && Product{gains[level][a]} * kRare >= all[a]; };
      for (std::size_t a = 0; a < labels; ++a) {
        if (!has_part(a)) continue;
        frequent_.push_back(level);
        break;
      }
    }
    for (std::size_t k = 0; k < labels; ++k) orders_.push_back(by_share(gains, k));
  }

  // Whether each level that is not rare is split from the rest.
  bool single_levels() const {
    const std::vector<std::size_t> levels = present();
    std::set<std::size_t> alone;
    for (const Ranks& ordering : orderings_) {
      std::uint32_t last = 0;
      for (const std::size_t level : levels) last = std::max(last, ordering.of_code[level]);
      for (const std::uint32_t end : {0u, last}) {
        std::vector<std::size_t> here;
        for (const std::size_t level : levels) {
          if (ordering.of_code[level] == end) here.push_back(level);
        }
        if (here.size() == 1) alone.insert(here.front());
      }
    }
    return std::all_of(frequent_.begin(), frequent_.end(), [&](std::size_t level) { return alone.contains(level); });
  }

  // Whether each order is held by an ordering, from the first group on or from the last one. Of one group there is no split.
  bool all_orders() const {
    return std::all_of(orders_.begin(), orders_.end(), [&](const Groups& order) {
      stop_point();
      return order.size() == 1 || std::any_of(orderings_.begin(), orderings_.end(), [&](const Ranks& ordering) {
               return is_held(order, ordering, true) || is_held(order, ordering, false);
             });
    });
  }

  // Whether the levels of each group rank behind those of all groups before it; else before them.
  static bool is_held(const Groups& order, const Ranks& ordering, bool behind) {
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const std::vector<std::size_t>& group : order) {
      const std::int64_t before = last;
      for (const std::size_t level : group) {
        const std::int64_t rank = ordering.of_code[level] * (behind ? std::int64_t{1} : std::int64_t{-1});
        if (rank <= before) return false;
        last = std::max(last, rank);
      }
    }
    return true;
  }

  __extension__ using Product = unsigned __int128;

  static Product of(const std::vector<std::uint64_t>& level) { return std::accumulate(level.begin(), level.end(), Product{0}); }

  // Whether the label has a smaller share of the gains in level `a` than in level `b`. Without gains the share is 0.
  static bool has_smaller_share(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, std::size_t of_label) {
    return a[of_label] * std::max<Product>(of(b), 1) < b[of_label] * std::max<Product>(of(a), 1);
  }

  // The levels in groups of equal share, ascending.
  Groups by_share(const Gained& gains, std::size_t of_label) const {
    stop_point();
    std::vector<std::size_t> levels = present();
    const auto is_less = [&](std::size_t a, std::size_t b) { return has_smaller_share(gains[a], gains[b], of_label); };
    std::sort(levels.begin(), levels.end(), is_less);
    Groups groups;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (i == 0 || is_less(levels[i - 1], levels[i])) groups.emplace_back();
      groups.back().push_back(levels[i]);
    }
    return groups;
  }

  const Table& table_;
  const std::size_t index_;
  const TableColumn& column_;
  const std::string& origin_;
  std::vector<std::size_t> frequent_;  // of a wide category, as are the orders
  std::vector<Groups> orders_;
  std::vector<Ranks> orderings_;
  std::set<std::vector<std::uint32_t>> known_;
};

}  // namespace

std::vector<Ranks> ranks_of(const Proof& proof, const Table& table, const std::string& origin) {
  std::vector<Ranks> all;
  auto next = proof.orderings.begin();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    stop_point();
    Family family(table, c, origin);
    for (; next != proof.orderings.end() && next->column == static_cast<std::int64_t>(c); ++next) family.add(*next);
    for (Ranks& ranks : family.complete()) all.push_back(std::move(ranks));
  }
  if (next != proof.orderings.end()) {
    refuse(origin, next->column < static_cast<std::int64_t>(table.columns.size())
                       ? "has orderings that are not in the order of the columns"
                       : fmt::format("has an ordering of column {}, and the data have {}", next->column, table.columns.size()));
  }
  return all;
}

}  // namespace treewright::proof
