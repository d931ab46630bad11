#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/infinity.h"
#include "treewright/search/depth_two/depth_two.h"
#include "treewright/search/items/item_sets.h"

namespace treewright::search {

/// Searches trees of any depth, where each split has a price and the items are bit sets. See any_depth.cpp.
class AnyDepth {
 public:
  /// `all`: packed, and stays valid. Splits have a price, and leaves any number of rows.
  AnyDepth(const Problem& problem, const SearchLimits& limits, const Subset& all);

  /// Goes on until the best tree is known, `deadline` stops it or memory is full. Polls it with the work of each set.
  void run(Deadline& deadline);

  /// The best tree that is known, and a bound on the trees of any depth.
  SubproblemResult best() const;
  /// Whether there is nothing left to do: the best tree is known, or memory is full.
  bool ended() const { return root_->is_solved() || is_full(); }

 private:
  // A cut, and bounds on its children.
  struct Candidate {
    std::uint32_t cut;  // one of the bit columns of the node
    double weight_left, left, right;
    double bound(double price) const { return price + left + right; }
  };
  // What is known of a set of items.
  struct Node {
    double lower = 0, cost = kInfinity;
    bool is_leaf = true;                  // the best tree that is known is a leaf, or else
    std::uint32_t ordering = 0, low = 0;  // its root cuts there
    bool evaluated = false;               // its cuts were looked at
    std::vector<Candidate> candidates;    // that may begin a better tree, the most promising first; empty once it is solved
    bool is_solved() const { return lower >= cost; }
  };
  struct Hash {
    std::size_t operator()(const ItemSet& set) const { return set.hash; }
  };
  // The items of a node, by level of the recursion.
  struct Level {
    Subset subset;
    ItemSet left, right;
  };

  static constexpr std::size_t kMostBytes = std::size_t{3} << 29;
  bool is_full() const { return bytes_ > kMostBytes; }

  Node& node_of(const ItemSet& set);
  void solve(Node& node, const Subset& subset, const ItemSet& set, std::size_t level, double need, Deadline& deadline);
  bool is_trivial(Node& node, const Subset& subset) const;
  void consider(Node& node, double cost, const Subset& subset, std::size_t cut) const;
  void evaluate(Node& node, const Subset& subset);
  void solve_cut(Node& node, Candidate& candidate, const Subset& subset, const ItemSet& set, std::size_t level, double need,
                 Deadline& deadline);
  void spread(const Subset& subset, const Candidate& solved, double need, std::span<Candidate> others) const;
  void sort_candidates(Node& node) const;
  void forget_candidates(Node& node);
  SubproblemResult best(const Subset& subset, const ItemSet& set) const;

  const Problem& problem_;
  const SearchLimits& limits_;
  const Subset& all_;
  const ItemSet all_set_;
  mutable DepthTwo depth_two_;
  std::vector<DepthTwo::RootChildren> children_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::unordered_map<ItemSet, Node, Hash> nodes_;
  std::size_t bytes_ = 0;
  Node* root_;
};

}  // namespace treewright::search
