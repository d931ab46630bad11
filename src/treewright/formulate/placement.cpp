#include "treewright/formulate/placement.h"

#include <algorithm>
#include <limits>

#include "treewright/search/items/rank_tree.h"

namespace treewright::formulate {

namespace {

constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();

struct Span {
  std::uint32_t least = kNoRank, most = 0;
  bool empty() const { return least == kNoRank; }
  void add(std::uint32_t rank) {
    least = std::min(least, rank);
    most = std::max(most, rank);
  }
};

Span span_of(const std::vector<std::size_t>& cells, const Cells& all, std::size_t ordering) {
  Span span;
  for (const std::size_t c : cells) span.add(all.cells[c].rank[ordering]);
  return span;
}

}  // namespace

std::vector<int> only_labels(const Tree& tree) {
  std::vector<int> only(tree.nodes().size());
  for (std::size_t i = only.size(); i-- > 0;) {
    const Node& node = tree.nodes()[i];
    only[i] = node.is_leaf() ? node.label : only[+node.left] == only[+node.right] ? only[+node.left] : -1;
  }
  return only;
}

std::optional<Placement> Placement::of(const Tree& original, const Cells& cells, CompleteTree shape) {
  const Dataset& data = *cells.data;
  Tree tree = original;
  tree.tally(data);
  tree.simplify();
  Placement place;
  place.cut.resize(shape.inner_end());
  place.leaf.assign(cells.size(), 0);
  place.label.assign(shape.leaf_end(), -1);
  const std::vector<int> only = only_labels(tree);
  const auto put = [&](auto&& self, NodeId id, int t, const std::vector<std::size_t>& here) -> bool {
    const Node& node = tree.node(id);
    if (only[+id] >= 0) {
      const int last = shape.last_leaf(t) - 1;
      for (const std::size_t c : here) place.leaf[c] = last;
      place.label[last] = only[+id];
      return true;
    }
    std::vector<std::size_t> left, right;
    for (const std::size_t c : here) (goes_left(*node.split, data, cells.cells[c].first_row) ? left : right).push_back(c);
    if (left.empty() || right.empty()) return self(self, left.empty() ? node.right : node.left, t, here);
    if (t >= shape.inner_end()) return false;
    for (std::size_t j = 0; j < cells.orderings().size(); ++j) {
      if (cells.orderings()[j].feature != node.split->feature()) continue;
      const Span l = span_of(left, cells, j), r = span_of(right, cells, j);
      const bool straight = l.most < r.least;
      if (!straight && r.most >= l.least) continue;
      place.cut[t] = straight ? Cut{static_cast<int>(j), l.most, r.least} : Cut{static_cast<int>(j), r.most, l.least};
      return self(self, straight ? node.left : node.right, 2 * t, straight ? left : right) &&
             self(self, straight ? node.right : node.left, 2 * t + 1, straight ? right : left);
    }
    return false;  // a hyperplane, or a set of levels that is no cut of any ordering
  };
  if (!put(put, Tree::root(), 1, cells.all())) return {};
  return place;
}

std::vector<bool> Placement::splits() const {
  std::vector<bool> splits(cut.size());
  for (std::size_t t = 1; t < cut.size(); ++t) splits[t] = cut[t].ordering >= 0;
  return splits;
}

Tree Placement::to_tree(const Cells& cells, CompleteTree shape, double split_price) const {
  const auto tree_of = [&](auto&& self, int t, const std::vector<std::size_t>& here) -> search::RankTree {
    if (t >= shape.inner_end()) return search::RankTree::leaf();
    const int j = cut[t].ordering;
    if (j < 0) return self(self, 2 * t + 1, here);
    const int first = shape.first_leaf(2 * t), last = shape.last_leaf(2 * t);
    Span left, right;
    for (const std::size_t c : here) (leaf[c] >= first && leaf[c] < last ? left : right).add(cells.cells[c].rank[j]);
    if (left.empty() || right.empty()) return self(self, left.empty() ? 2 * t + 1 : 2 * t, here);
    // Where both sides hold a rank, the cut lies below the first that goes right.
    std::uint32_t low = left.most, high = right.least;
    if (low >= high) {
      low = high = 0;
      for (const std::size_t c : here) {
        const std::uint32_t rank = cells.cells[c].rank[j];
        if (rank < right.least) low = std::max(low, rank);
      }
      high = right.least;
      if (low >= high) return self(self, 2 * t + 1, here);
    }
    std::vector<std::size_t> l, r;
    for (const std::size_t c : here) (cells.cells[c].rank[j] <= low ? l : r).push_back(c);
    return search::RankTree::split({j, low, high}, self(self, 2 * t, l), self(self, 2 * t + 1, r));
  };
  return tree_of(tree_of, 1, cells.all()).to_tree(cells.problem, *cells.data, split_price);
}

}  // namespace treewright::formulate
