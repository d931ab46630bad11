#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "treewright/error.h"

namespace treewright::proof {

/// A double as the file writes it: mantissa * 2^exponent, the mantissa odd or 0, negative for a negative number.
struct Binary {
  std::int64_t mantissa = 0;
  int exponent = 0;

  /// Expects a finite number.
  static Binary of(double value);
  double value() const;
  bool operator==(const Binary&) const = default;
};

/// A level of a category as the table spells it; nothing = missing.
using Level = std::optional<std::string>;

/// A sequence of the values of one column: a split sends a beginning of it left.
struct Ordering {
  enum class Form { numbers, missing_last, missing_first, levels, level };

  std::int64_t column = 0;
  Form form = Form::numbers;
  std::vector<std::vector<Level>> levels;  ///< those of each rank; of Form::level the one that has rank 0, while all others have rank 1

  bool operator==(const Ordering&) const = default;
};

/// Splits of a tree of that many levels, 60 at most, without another limit.
constexpr std::int64_t full_splits(int depth) {
  assert(0 <= depth && depth <= 60);
  return (std::int64_t{1} << depth) - 1;
}

/// Limits on the splits of the two sides of a cut.
struct Share {
  std::int64_t left = 0, right = 0;
};

/// Shares for a node of that many levels and so many splits below and with it: below the cut of every such tree are no more splits than
/// one of them allows on each side. Expects 1 <= splits <= full_splits(depth).
std::vector<Share> shares(int depth, std::int64_t splits);

/// How a proof of squared error counts targets (row_sums.h): their distances from `center` in steps of 2^-digits.
struct TargetGrid {
  Binary center;
  int digits = 0;

  bool operator==(const TargetGrid&) const = default;
};

/// Of a proof of squared error: its grid, and the digits of its targets, before and behind the point.
inline constexpr int kCoarsestOfSums = -74, kFinestOfSums = 20, kMostDigits = 500;
/// The grid of a proof of rates or hazards.
inline constexpr int kCoarsestOfEvents = -74, kFinestOfEvents = 100;
/// Whether no number of such a proof vanishes or becomes infinite.
bool has_room(const TargetGrid& target, const Binary& unit);
bool has_room(const Binary& exposure, const Binary& unit);

/// A place of the splits that trees begin with. A split is followed by the places of its left and then those of its right side.
struct TopPlace {
  enum class Kind { split, leaf, open };

  Kind kind = Kind::open;
  std::int64_t ordering = 0, rank = 0;  ///< of a split: what ranks below `rank` in that ordering goes left

  bool operator==(const TopPlace&) const = default;
};

/// A proof that no tree of some depth costs less than `bound`: docs/proof-format.md. A tree costs what its labels cost the rows, without
/// what every tree loses among rows of equal values, plus `price` for each split. Both are counted in steps of 2^-grid units.
struct Proof {
  std::string table;                 ///< the fingerprint of the rows
  Binary unit{1, 0};                 ///< what a whole cost of 1 means, or a whole weight where trees predict a number
  std::optional<TargetGrid> target;  ///< where these are means: of squared error
  std::optional<Binary> exposure;    ///< where these are rates or hazards: what a whole exposure of 1 means; `unit` is of events
  int grid = 0;                      ///< a step is 2^-grid units; of squared error that is 2^-grid of unit * 4^-digits
  std::int32_t depth = 0;
  std::optional<std::int64_t> max_splits;  ///< of the trees, at most kMostSplits; nothing = as many as the depth allows
  std::int64_t min_rows = 1;               ///< of the trees: rows that each leaf holds
  std::vector<TopPlace> top;               ///< the splits that the trees begin with; empty = any
  std::int64_t price = 0, bound = 0;
  std::vector<Ordering> orderings;
  std::string body;  ///< the reasons, as Writer writes them

  /// Whether it is of trees that predict numbers.
  bool of_numbers() const { return target || exposure; }
};

/// A step of a proof is false. Other Errors say that a proof cannot be made or read, or is one of other rows.
class DoesNotFollow : public Error {
 public:
  using Error::Error;
};

/// Whole numbers of a file are below this.
inline constexpr std::int64_t kNumbersEnd = std::int64_t{1} << 53;
/// A limit on splits is no higher.
inline constexpr std::int64_t kMostSplits = 1023;
/// So many cuts of an ordering may be named at once. With more of them a body of few bytes would ask for much work.
inline constexpr std::int64_t kFewCuts = 3;

/// Whole numbers in as few bytes as they need: seven bits in each, the lowest first, and the high bit set where more follow.
class Writer {
 public:
  void number(std::uint64_t value);
  void append(std::string_view bytes) { bytes_ += bytes; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The least k >= 0 such that the price is a multiple of 2^-k.
int grid_of(double price);

/// No tree of so many leaves costs less, whatever its splits: one with j leaves pays for j - 1 splits and has j labels at most, so that an
/// item costs its reach less what these gain. `reach`: of all items; `gains`: of all items, shape (labels).
template <class Number>
Number trivial_bound(Number reach, std::vector<Number> gains, std::int64_t leaves, Number price) {
  assert(leaves >= 1 && price >= Number{0});
  std::sort(gains.begin(), gains.end(), std::greater<>());
  Number rest = reach, paid{0}, least = reach;
  // More leaves than labels, or than it takes to have no errors, cost more and save nothing.
  for (std::size_t j = 0; j < gains.size() && static_cast<std::int64_t>(j) < leaves && rest > Number{0}; ++j) {
    rest -= gains[j];
    if (j > 0) paid += price;
    least = std::min(least, paid + std::max(rest, Number{0}));
  }
  return least;
}

}  // namespace treewright::proof
