#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "treewright/search/bit_columns.h"
#include "treewright/search/subproblem.h"

namespace treewright::search {

/// Some of the items: one bit for each bit of the root's columns, and their hash.
struct ItemSet {
  std::vector<BitColumns::Word> words;
  std::size_t hash = 0;
  bool operator==(const ItemSet&) const = default;
};

/// What is known of sets of items that were solved to depth one or two. See solved_sets.cpp. Its functions may be called from several threads
/// at once.
class SolvedSets {
 public:
  /// `all`: the columns of all items; must stay valid. `most_bytes`: about how much memory it takes.
  explicit SolvedSets(const BitColumns& all, std::size_t most_bytes = std::size_t{256} << 20) : all_(all), most_bytes_(most_bytes) {}

  ItemSet all() const;
  /// The items of `set` on one side of a cut of `ordering`. `low`: the highest rank left of the cut. `out` may be `set`.
  void part(const ItemSet& set, std::size_t ordering, std::uint32_t low, bool right, ItemSet& out) const;

  /// The optimum of the set, if it is known. `splits`: at most three.
  std::optional<SubproblemResult> find(const ItemSet& set, int depth, std::int64_t splits) const;
  /// `optimum`: of the set, found without a budget and without bounds from elsewhere.
  void add(const ItemSet& set, int depth, std::int64_t splits, const SubproblemResult& optimum);

 private:
  struct Hash {
    std::size_t operator()(const ItemSet& set) const { return set.hash; }
  };
  struct Shard {
    mutable std::mutex mutex;
    std::map<std::pair<int, std::int64_t>, std::unordered_map<ItemSet, SubproblemResult, Hash>> known;  // by depth and splits
    std::size_t bytes = 0;
  };

  static constexpr std::size_t kShards = 64;

  Shard& shard(const ItemSet& set) const { return shards_[set.hash % kShards]; }

  const BitColumns& all_;
  const std::size_t most_bytes_;
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace treewright::search
