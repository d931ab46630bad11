#include "treewright/search/subset.h"

#include <algorithm>
#include <numeric>

namespace treewright {

Subset Subset::all(const Problem& problem) {
  Subset subset;
  subset.size = static_cast<std::uint32_t>(problem.items());
  subset.label = problem.label;
  subset.weight = problem.weight;
  subset.count = problem.count;
  subset.total_weight = problem.total_weight;
  subset.rows = problem.total_rows;
  subset.order.resize(problem.orderings.size() * subset.size);
  subset.rank.resize(subset.order.size());
  for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
    const Ordering& ordering = problem.orderings[f];
    // Counting sort: stable and linear.
    std::vector<std::uint32_t> next(ordering.ranks + 1, 0);
    for (const std::uint32_t r : ordering.rank) ++next[r + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::uint32_t i = 0; i < subset.size; ++i) {
      const std::uint32_t r = ordering.rank[i];
      const std::uint32_t at = next[r]++;
      subset.order[f * subset.size + at] = i;
      subset.rank[f * subset.size + at] = r;
    }
  }
  return subset;
}

void Subset::split(std::size_t f, std::uint32_t place, Subset& left, Subset& right) const {
  const std::size_t orderings = size == 0 ? 0 : order.size() / size;
  static thread_local std::vector<std::uint32_t> renamed;  // new number, doubled, plus 1 for the right part
  renamed.resize(size);
  const std::span<const std::uint32_t> line = order_of(f);
  for (std::uint32_t at = 0; at < size; ++at) renamed[line[at]] = at >= place ? 1u : 0u;

  const auto prepare = [&](Subset& part, std::uint32_t part_size) {
    part.size = part_size;
    part.label.resize(part_size);
    part.weight.resize(part_size);
    part.count.resize(part_size);
    part.order.resize(orderings * part_size);
    part.rank.resize(orderings * part_size);
    part.total_weight = 0;
    part.rows = 0;
  };
  prepare(left, place);
  prepare(right, size - place);
  Subset* parts[2] = {&left, &right};
  std::uint32_t next[2] = {0, 0};
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t side = renamed[i];
    Subset& part = *parts[side];
    const std::uint32_t to = next[side]++;
    part.label[to] = label[i];
    part.weight[to] = weight[i];
    part.count[to] = count[i];
    part.total_weight += weight[i];
    part.rows += count[i];
    renamed[i] = to << 1 | side;
  }
  for (std::size_t g = 0; g < orderings; ++g) {
    const std::uint32_t* from = order.data() + g * size;
    const std::uint32_t* from_rank = rank.data() + g * size;
    // Written without a branch on the side: it would be mispredicted half the time.
    std::uint32_t* to[2] = {left.order.data() + g * left.size, right.order.data() + g * right.size};
    std::uint32_t* to_rank[2] = {left.rank.data() + g * left.size, right.rank.data() + g * right.size};
    std::uint32_t filled[2] = {0, 0};
    for (std::uint32_t at = 0; at < size; ++at) {
      const std::uint32_t name = renamed[from[at]];
      const std::uint32_t side = name & 1;
      to[side][filled[side]] = name >> 1;
      to_rank[side][filled[side]] = from_rank[at];
      ++filled[side];
    }
  }
}

std::vector<double> Subset::class_weights(std::int32_t classes) const {
  std::vector<double> totals(classes, 0.0);
  for (std::uint32_t i = 0; i < size; ++i) totals[label[i]] += weight[i];
  return totals;
}

double Subset::leaf_errors(std::int32_t classes) const {
  const std::vector<double> totals = class_weights(classes);
  return std::accumulate(totals.begin(), totals.end(), 0.0) - *std::max_element(totals.begin(), totals.end());
}

void Cuts::assign(const Subset& subset, std::size_t f) {
  place.clear();
  weight_left.clear();
  rows_left.clear();
  const std::span<const std::uint32_t> order = subset.order_of(f), rank = subset.ranks_of(f);
  double weight = 0;
  std::int64_t rows = 0;
  for (std::uint32_t at = 0; at < subset.size; ++at) {
    if (at > 0 && rank[at] != rank[at - 1]) {
      place.push_back(at);
      weight_left.push_back(weight);
      rows_left.push_back(rows);
    }
    weight += subset.weight[order[at]];
    rows += subset.count[order[at]];
  }
}

}  // namespace treewright
