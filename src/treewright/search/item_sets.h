#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "treewright/search/bit_columns.h"

namespace treewright::search {

/// Some of the items: one bit for each bit of the root's columns, and their hash.
struct ItemSet {
  std::vector<BitColumns::Word> words;
  std::size_t hash = 0;
  bool operator==(const ItemSet&) const = default;
};

/// All items of these columns.
ItemSet all_items(const BitColumns& all);

/// The items of `set` on one side of a cut of these columns. `out` may be `set`.
void take_side(const BitColumns& all, const ItemSet& set, std::size_t cut, bool right, ItemSet& out);

/// Remembers values of sets, each under a question. A shard that has reached its share of the limit is emptied: what was added lately is what
/// is asked for first. Its functions may be called from several threads at once.
template <class Question, class Value>
class SetTable {
 public:
  /// `most_bytes`: about how much memory it takes.
  explicit SetTable(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  std::optional<Value> find(const ItemSet& set, const Question& question) const {
    const Shard& here = shards_[set.hash % kShards];
    const std::lock_guard lock(here.mutex);
    const auto sets = here.known.find(question);
    if (sets == here.known.end()) return {};
    const auto found = sets->second.find(set);
    if (found == sets->second.end()) return {};
    return found->second;
  }

  /// `value_bytes`: what the value takes besides itself.
  void add(const ItemSet& set, const Question& question, const Value& value, std::size_t value_bytes) {
    const std::size_t bytes =
        sizeof(ItemSet) + sizeof(Value) + set.words.size() * sizeof(BitColumns::Word) + value_bytes + 64;  // and what the map takes for it
    Shard& here = shards_[set.hash % kShards];
    const std::lock_guard lock(here.mutex);
    if (here.bytes + bytes > most_bytes_ / kShards) {
      here.known.clear();
      here.bytes = 0;
    }
    if (here.known[question].try_emplace(set, value).second) here.bytes += bytes;
  }

 private:
  struct Hash {
    std::size_t operator()(const ItemSet& set) const { return set.hash; }
  };
  struct Shard {
    mutable std::mutex mutex;
    std::map<Question, std::unordered_map<ItemSet, Value, Hash>> known;
    std::size_t bytes = 0;
  };

  static constexpr std::size_t kShards = 64;

  const std::size_t most_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace treewright::search
