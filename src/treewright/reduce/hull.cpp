// Divides the rows of a cluster into those inside the hull of the others and the rest: Z20's linear program (7), in output-sensitive time.
//
// Source. (7) separates into one program for each row, over all other rows: quadratic time.
//
// Idea. A point in the hull of some rows is also in the hull of their extreme points, and these are few. So a set E of extreme points is
// grown (Clarkson 1994). Each row is tested against the hull of E only (in_hull.h). If it is inside, it stays inside. If it is outside, the
// test returns a direction that separates it from E. The row of the cluster that is furthest in this direction is an extreme point that E
// lacks. It joins E, and the row is tested again. With N rows and finally M extreme points this takes N + M tests over at most M columns,
// and M passes over the rows.
//
// eps = 0. The rows outside E are the rows that (7) calls inside, except for equal rows: (7) finds each of them in the hull of its copies.
// Here the first one belongs to E if it is extreme. The transformation of Theorem 4 (replace an inside row by the rows that express it) is
// not needed, because lambda only refers to rows of E.
//
// eps > 0. The programs of (7) contradict each other: two rows within eps of each other and of no third row would both be inside, and
// without both of them nothing is left. (The proof of Theorem 4 then divides by 1 - lambda_ij lambda_ji = 0.) Here a row is inside if it is
// within eps of the hull of the final E, as (6) asks. The inside rows are a subset of those of (7), and every row that (7) calls outside is
// in E.
//
// Order. Rows are tested by their distance from the middle of the cluster, the farthest first, in chunks of fixed size. All threads test a
// chunk against the E at its beginning; the rows found outside are then processed one by one. So E does not depend on the number of
// threads.

#include "treewright/reduce/hull.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright::reduce {

namespace {

constexpr std::size_t kChunk = 512;

class Growth {
 public:
  Growth(const PointMatrix& table, std::span<const std::uint32_t> rows, double eps) : table_(table), eps_(eps) {
    std::vector<std::uint32_t> order(rows.begin(), rows.end());
    const auto less = [&](std::uint32_t a, std::uint32_t b) { return before(a, b) || (!before(b, a) && a < b); };
    std::sort(order.begin(), order.end(), less);
    for (const std::uint32_t row : order) {
      if (!distinct_.empty() && !before(distinct_.back(), row)) {
        twins_.emplace_back(row, distinct_.back());
      } else {
        distinct_.push_back(row);
      }
    }
  }

  const std::vector<std::uint32_t>& distinct() const { return distinct_; }
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& twins() const { return twins_; }
  const std::vector<std::uint32_t>& extreme() const { return extreme_; }

  bool is_extreme(std::uint32_t row) const { return std::find(extreme_.begin(), extreme_.end(), row) != extreme_.end(); }

  InHull test(std::uint32_t row) const { return in_hull(table_, extreme_, table_.row(row), eps_); }

  // Adds extreme points until the row is inside or one of them: the last test, or nothing.
  InHull settle(std::uint32_t row, InHull last) {
    while (!last.inside) {
      const std::uint32_t found = furthest(last.direction);
      if (is_extreme(found)) {
        // Only rounding leads here: the row stands for itself.
        extreme_.push_back(row);
        return {};
      }
      extreme_.push_back(found);
      if (found == row) return {};
      last = test(row);
    }
    return last;
  }

 private:
  // By coordinates, the first that differs.
  bool before(std::uint32_t a, std::uint32_t b) const {
    const std::span<const double> x = table_.row(a), y = table_.row(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  }

  // The least along the direction, of equals the first by coordinates: a vertex.
  std::uint32_t furthest(std::span<const double> direction) const {
    double lowest = 0;
    std::uint32_t found = distinct_.front();
    for (std::size_t i = 0; i < distinct_.size(); ++i) {
      const std::span<const double> x = table_.row(distinct_[i]);
      double at = 0;
      for (std::size_t j = 0; j < x.size(); ++j) at += direction[j] * x[j];
      if (i == 0 || at < lowest - 1e-12) {
        lowest = at;
        found = distinct_[i];
      }
    }
    return found;
  }

  const PointMatrix& table_;
  double eps_;
  std::vector<std::uint32_t> distinct_, extreme_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> twins_;  // a row and the equal row that stands for it
};

std::vector<std::uint32_t> far_first(const PointMatrix& table, std::vector<std::uint32_t> rows) {
  std::vector<double> middle(table.axes, 0.0), distance(table.rows(), 0.0);
  for (const std::uint32_t row : rows) {
    for (std::size_t j = 0; j < table.axes; ++j) middle[j] += table.row(row)[j] / static_cast<double>(rows.size());
  }
  for (const std::uint32_t row : rows) {
    for (std::size_t j = 0; j < table.axes; ++j) distance[row] += std::abs(table.row(row)[j] - middle[j]);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) { return distance[a] > distance[b]; });
  return rows;
}

}  // namespace

HullRows divide_by_hull(const PointMatrix& table, std::span<const std::uint32_t> rows, double eps, ThreadPool& pool, Deadline& deadline) {
  HullRows result;
  if (rows.empty()) return result;
  Growth growth(table, rows, eps);
  const std::vector<std::uint32_t> order = far_first(table, growth.distinct());
  std::vector<double> largest(table.rows(), 0.0);
  std::vector<bool> is_inside(table.rows(), false), is_tested(table.rows(), false);
  const auto lean = [&](std::uint32_t row, const std::vector<std::pair<std::uint32_t, double>>& combination) {
    is_inside[row] = true;
    for (const auto& [member, weight] : combination) largest[member] = std::max(largest[member], weight);
  };
  for (std::size_t from = 0; from < order.size() && !deadline.poll(); from += kChunk) {
    const std::size_t size = std::min(kChunk, order.size() - from);
    std::vector<InHull> tests(size);
    pool.parallel_for(size, [&](std::size_t i) { tests[i] = growth.test(order[from + i]); });
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t row = order[from + i];
      is_tested[row] = true;
      // Those before it in the chunk may have made it one of E, or brought it inside.
      if (!tests[i].inside && !growth.is_extreme(row)) tests[i] = growth.settle(row, growth.test(row));
      if (tests[i].inside) lean(row, tests[i].combination);
    }
  }
  // An extreme point that was found while others were tested is inside nothing.
  for (const std::uint32_t row : growth.extreme()) is_inside[row] = false;
  for (const auto& [row, twin] : growth.twins()) {
    is_tested[row] = is_tested[twin];
    is_inside[row] = is_tested[twin];
    if (is_tested[twin] && !is_inside[twin]) largest[twin] = 1;
  }
  result.extreme = growth.extreme();
  std::sort(result.extreme.begin(), result.extreme.end());
  for (const std::uint32_t row : result.extreme) result.largest.push_back(largest[row]);
  for (const std::uint32_t row : rows) {
    if (is_inside[row]) {
      result.inside.push_back(row);
    } else if (!std::binary_search(result.extreme.begin(), result.extreme.end(), row)) {
      result.untested.push_back(row);
    }
  }
  std::sort(result.inside.begin(), result.inside.end());
  std::sort(result.untested.begin(), result.untested.end());
  return result;
}

}  // namespace treewright::reduce
