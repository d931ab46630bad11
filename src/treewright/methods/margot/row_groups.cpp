// A bound for many rows from searches on few.
//
// With thousands of rows the search decides the sides of too few of them: its bound stays near that of the root's SVM. Problems on some of
// the rows can be solved, and their optima bound that of all rows.
//
// Theorem. Let the rows be divided into m groups. L_g is the smallest objective on the rows of group g with m times the cost of slack. Then
// no tree for all rows has an objective below the mean of the L_g.
//
// Proof. The objective of a tree on all rows is r + sum over g of s_g. Here r is the sum of |w|^2 / 2 and of the prices of features, which
// does not depend on rows, and s_g is what the slack of the rows of group g costs. The tree is a tree for each group as well: it leaves
// none of its rows between -epsilon and 0. There its objective is r + m s_g >= L_g. The mean of these over the groups is r + sum of s_g.
//
// The same holds for two groups that are joined: the mean of their bounds is a bound for the group of both. So groups begin small, are
// solved, and become larger from round to round. As the time for a group grows about tenfold when its size doubles, there is a round
// between two doublings: m is 2^k, then 3/4 of that, then 2^(k-1). A round takes over the bounds of the round before the last, whose
// groups are the halves of its own. A round that ends at the time limit has given every group the same time.
//
// The bound is weak if the groups differ, because each may then have a tree that fits only its own rows. For a convex problem it would be
// exact if one tree had slack with the same gradient on every group. So the order of the rows pairs up neighbors (rows of one class in one
// leaf with similar decision values) and assigns the two of a pair to different halves, such that the gradient of the best known tree comes
// out nearly the same on both.

#include "treewright/methods/margot/row_groups.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace treewright::margot {

namespace {

// Most search nodes for a group.
constexpr std::int64_t kNodes = 20000;

// Where a tree sends a row, and how clearly.
struct Place {
  std::size_t node;  // of the last level
  double target, value;
  std::size_t row;
};

// The gradient of the slack of one half of the rows minus that of the other, on standardized columns. Shape (nodes x (axes + 1)).
class Difference {
 public:
  Difference(const MargotProblem& problem, const std::vector<Hyperplane>& planes)
      : problem_(problem), planes_(planes), mean_(problem.points.axes), scale_(problem.points.axes) {
    const auto rows = static_cast<double>(problem.rows());
    for (std::size_t j = 0; j < mean_.size(); ++j) {
      double sum = 0, squares = 0;
      for (std::size_t row = 0; row < problem.rows(); ++row) sum += problem.points.row(row)[j];
      mean_[j] = sum / rows;
      for (std::size_t row = 0; row < problem.rows(); ++row) squares += std::pow(problem.points.row(row)[j] - mean_[j], 2);
      scale_[j] = squares > 0 ? std::sqrt(rows / squares) : 0;
    }
    clear();
  }

  void clear() { sum_.assign(problem_.nodes() * (mean_.size() + 1), 0.0); }

  // The product with the gradient of one row.
  double along(std::size_t row) const {
    double product = 0;
    each_entry(row, [&](std::size_t k, double entry) { product += sum_[k] * entry; });
    return product;
  }

  void add(std::size_t row, double sign) {
    each_entry(row, [&](std::size_t k, double entry) { sum_[k] += sign * entry; });
  }

 private:
  template <class Visit>
  void each_entry(std::size_t row, const Visit& visit) const {
    const std::span<const double> x = problem_.points.row(row);
    for (std::size_t t = 0; t < problem_.nodes();) {
      const double h = planes_[t].decision_value(x);
      const svm::MarginConstraint wanted = problem_.wanted(t, row);
      if (wanted.margin - wanted.sign * h > 0) {
        const std::size_t first = t * (mean_.size() + 1);
        const double slope = wanted.cost * wanted.sign;
        for (std::size_t j = 0; j < mean_.size(); ++j) visit(first + j, slope * (x[j] - mean_[j]) * scale_[j]);
        visit(first + mean_.size(), slope);
      }
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
  }

  const MargotProblem& problem_;
  const std::vector<Hyperplane>& planes_;
  std::vector<double> mean_, scale_, sum_;
};

// Where group g of m begins. Groups 2 g and 2 g + 1 of 2 m are the halves of group g of m.
std::size_t begin_of(std::size_t g, std::size_t m, std::size_t rows) {
  return g * rows / m;
}

// The problem on some rows, with `times` the cost of slack.
MargotProblem on_rows(const MargotProblem& problem, std::span<const std::size_t> rows, double times) {
  MargotProblem part = problem;
  part.points.x.clear();
  part.target.clear();
  part.level_target.clear();
  part.weight.clear();
  for (const std::size_t row : rows) {
    const std::span<const double> x = problem.points.row(row);
    part.points.x.insert(part.points.x.end(), x.begin(), x.end());
    part.target.push_back(problem.target[row]);
    part.weight.push_back(problem.weight[row]);
  }
  for (std::size_t k = 0; k < problem.level_target.size(); k += problem.rows()) {
    for (const std::size_t row : rows) part.level_target.push_back(problem.level_target[k + row]);
  }
  for (double& cost : part.level_cost) cost *= times;
  return part;
}

}  // namespace

std::vector<std::size_t> balanced_order(const MargotProblem& problem, const std::vector<Hyperplane>& planes) {
  std::vector<Place> places;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    std::size_t t = 0;
    double h = planes[t].decision_value(problem.points.row(row));
    while (!problem.last_level(t)) {
      t = 2 * t + (h >= 0 ? 2 : 1);
      h = planes[t].decision_value(problem.points.row(row));
    }
    places.push_back({t, problem.wanted(t, row).sign, h, row});
  }
  std::ranges::sort(places, {}, [](const Place& place) { return std::tie(place.node, place.target, place.value, place.row); });
  std::vector<std::size_t> order, left, right;
  for (const Place& place : places) order.push_back(place.row);
  Difference difference(problem, planes);
  for (std::size_t m = 1; m <= order.size() / 2; m *= 2) {
    for (std::size_t g = 0; g < m; ++g) {
      const std::size_t begin = begin_of(g, m, order.size()), end = begin_of(g + 1, m, order.size());
      const std::size_t most_left = begin_of(2 * g + 1, 2 * m, order.size()) - begin;
      difference.clear();
      left.clear();
      right.clear();
      for (std::size_t k = begin; k < end; k += 2) {
        if (k + 1 == end) {
          (left.size() < most_left ? left : right).push_back(order[k]);
          continue;
        }
        const bool swap = difference.along(order[k]) > difference.along(order[k + 1]);
        left.push_back(order[swap ? k + 1 : k]);
        right.push_back(order[swap ? k : k + 1]);
        difference.add(left.back(), 1);
        difference.add(right.back(), -1);
      }
      const auto at = order.begin() + static_cast<std::ptrdiff_t>(begin);
      std::ranges::copy(right, std::ranges::copy(left, at).out);
    }
  }
  return order;
}

void bound_from_row_groups(const MargotProblem& problem, const std::vector<std::size_t>& order, Deadline& deadline,
                           const GroupSearch& search, ThreadPool& pool, const std::function<void(double)>& raise, std::size_t first_rows) {
  std::vector<double> last, before;  // bounds of the groups of the last two rounds
  const std::size_t first = std::bit_ceil((order.size() + first_rows - 1) / first_rows);
  for (std::size_t m = first; m >= 2 && !deadline.poll(); m = std::has_single_bit(m) && m >= 4 ? m / 4 * 3 : m * 2 / 3) {
    std::vector<double> lower(m, 0.0);
    for (std::size_t g = 0; before.size() == 2 * m && g < m; ++g) lower[g] = (before[2 * g] + before[2 * g + 1]) / 2;
    const double seconds = deadline.remaining() * pool.threads() / static_cast<double>(m);
    const std::int64_t most = std::min(kNodes, deadline.work_left());
    std::atomic<std::int64_t> work = 0;
    pool.parallel_for(m, [&](std::size_t g) {
      if (deadline.poll()) return;
      const std::size_t begin = begin_of(g, m, order.size()), end = begin_of(g + 1, m, order.size());
      const MargotProblem part = on_rows(problem, std::span(order).subspan(begin, end - begin), static_cast<double>(m));
      Deadline own = deadline.within(seconds, most);
      lower[g] = std::max(lower[g], search(part, own, lower[g]));
      work += own.work();
    });
    raise(std::accumulate(lower.begin(), lower.end(), 0.0) / static_cast<double>(m));
    deadline.poll(work);
    before = std::exchange(last, std::move(lower));
  }
}

}  // namespace treewright::margot
