// A bound on all items from a few of them.
//
// Theorem. Let S be some of the items, and of each group of equal rows all or none. No tree of all items costs less than the best tree of S
// with the same limits on depth and splits, and without min_rows.
//
// Proof. Take a tree of all items, and let it label the items of S. It costs no more there, since no group costs less than nothing
// (loss/costs.cpp), and has as many splits. A leaf may hold fewer items of S than min_rows, which is why S has no such limit. Splits that
// send all of S to one side can be taken back: then it is a tree that the search of S looks at, and it costs no more.
//
// Which items. A good tree errs on few items, and most of the others lie where any good tree is right: they make the search long and its
// bound no better. What counts are items that are hard to tell apart. So S grows by items that a tree labels wrongly, each with its nearest
// neighbor of another class that the tree labels correctly: one of the two is an error unless a split passes between them. Those with the
// nearest neighbors come first. The tree is the best one known. When it has no more errors outside S, it is the optimum of S, which fits S
// alone and errs elsewhere: the next items are the ones that exclude it, as in a cutting plane method.
//
// How many. To prove that no tree of S costs less than a budget takes the less time, the more the optimum of S exceeds the budget, and the
// more, the larger S is. So S grows with the budget (exact.cpp).
//
// Equal rows. The first item of a group is its heaviest. Where a tree labels another one wrongly, that is lost in every tree, so only the
// first ones are looked for and looked at as neighbors. The others of their groups come with them.
//
// Distances. An item's position in an ordering is the share of the items that lie below it, where equal ones count half. The distance is
// the sum of the differences over the orderings. So no unit and no outlier matters.
//
// On magic04 (19,020 rows, depth 4) 5,624 rows prove 1,024 errors of 2,848 in 14 s.
//
// Cost: a distance to all others of each item that is tried, at most kTried times as many as are added, and about a second.

#include "treewright/search/bounds/core_items.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "treewright/base/stop_point.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

namespace {

// Wrongly labeled items whose neighbors are looked for, for each that is added.
constexpr std::size_t kTried = 8;
// Differences of positions that are added up for them.
constexpr std::size_t kMostDifferences = std::size_t{1} << 31;

}  // namespace

bool CoreItems::are_worth_it(const Subset& all) {
  return !all.is_packed() && !all.order.empty() && all.order.size() <= kMostPlaces;
}

CoreItems::CoreItems(const Subset& all, std::int32_t classes)
    : all_(all), classes_(classes), orderings_(all.order.size() / all.size), position_(all.order.size()), taken_(all.size, 0) {
  assert(are_worth_it(all));
  for (std::size_t f = 0; f < orderings_; ++f) {
    const auto order = all.order_of(f), ranks = all.ranks_of(f);
    for (std::uint32_t first = 0; first < all.size;) {
      std::uint32_t end = first;
      while (end < all.size && ranks[end] == ranks[first]) ++end;
      const float position = static_cast<float>(first + end) / 2 / static_cast<float>(all.size);
      for (; first < end; ++first) position_[order[first] * orderings_ + f] = position;
    }
  }
}

// Whether it is the heaviest of its group and weighs something.
bool CoreItems::may_raise(std::uint32_t item) const {
  return all_.reach_or_weight()[item] > 0;
}

// The item, which is the first of its group, and the rest of the group.
void CoreItems::take(std::uint32_t item) {
  assert(all_.starts_rows(item) && !taken_[item]);
  do {
    taken_[item] = 1;
    ++size_;
  } while (++item < all_.size && all_.weight[item] > 0 && !may_raise(item));
}

std::vector<char> CoreItems::wrong_by(const RankTree& tree) const {
  std::vector<std::size_t> node(all_.size, 0);  // that the item has reached
  std::vector<std::size_t> right(tree.nodes.size(), 0);
  // A node's right child follows the nodes of its left subtree.
  const auto end_of = [&](auto&& self, std::size_t at) -> std::size_t {
    if (tree.nodes[at].ordering < 0) return at + 1;
    right[at] = self(self, at + 1);
    return self(self, right[at]);
  };
  end_of(end_of, 0);
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const RankTree::Node& split = tree.nodes[at];
    if (split.ordering < 0) continue;
    const auto order = all_.order_of(split.ordering), ranks = all_.ranks_of(split.ordering);
    for (std::uint32_t place = 0; place < all_.size; ++place) {
      std::size_t& reached = node[order[place]];
      if (reached == at) reached = ranks[place] <= split.low ? at + 1 : right[at];
    }
  }
  const auto classes = static_cast<std::size_t>(classes_);
  std::vector<double> weights(tree.nodes.size() * classes, 0.0);
  for (std::uint32_t i = 0; i < all_.size; ++i) weights[node[i] * classes + all_.label[i]] += all_.weight[i];
  std::vector<char> wrong(all_.size);
  for (std::uint32_t i = 0; i < all_.size; ++i) {
    wrong[i] = all_.label[i] != best_label({&weights[node[i] * classes], classes});
  }
  return wrong;
}

// The item with the nearest one of another class that is neither wrong nor taken.
CoreItems::Pair CoreItems::pair_of(std::uint32_t item, const std::vector<char>& wrong) const {
  Pair pair{std::numeric_limits<double>::infinity(), item, item};
  const float* here = position_.data() + item * orderings_;
  for (std::uint32_t other = 0; other < all_.size; ++other) {
    if (all_.label[other] == all_.label[item] || wrong[other] || taken_[other] || !may_raise(other)) continue;
    const float* there = position_.data() + other * orderings_;
    float distance = 0;
    for (std::size_t f = 0; f < orderings_; ++f) distance += std::abs(here[f] - there[f]);
    if (distance < pair.distance) pair = {distance, item, other};
  }
  return pair;
}

bool CoreItems::add(const RankTree& tree, std::size_t pairs) {
  const std::vector<char> wrong = wrong_by(tree);
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < all_.size; ++i) {
    if (wrong[i] && !taken_[i] && may_raise(i)) open.push_back(i);
  }
  const std::size_t tried = std::min({open.size(), kTried * pairs, kMostDifferences / all_.order.size() + 1});
  std::vector<Pair> found;
  for (std::size_t k = 0; k < tried; ++k) {
    stop_point();
    found.push_back(pair_of(open[k * open.size() / tried], wrong));
  }
  std::stable_sort(found.begin(), found.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  const std::uint32_t before = size_;
  for (const Pair& pair : found) {
    if (pairs == 0) break;
    if (pair.neighbor == pair.wrong || taken_[pair.neighbor]) continue;
    take(pair.wrong);
    take(pair.neighbor);
    --pairs;
  }
  return size_ > before;
}

Subset CoreItems::subset() const {
  std::vector<std::uint32_t> renamed(all_.size, kAbsent);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < all_.size; ++i) {
    if (taken_[i]) renamed[i] = next++;
  }
  Subset some;
  all_.copy_items(renamed, size_, some);
  return some;
}

}  // namespace treewright::search
