#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "treewright/base/random.h"
#include "treewright/search/items/item_sets.h"

namespace treewright::search {

/// Remembers for sets of items a value and a fixed count of doubles. A shard that has reached its share of the limit is emptied: what was
/// added lately is what is asked for first. Its functions may be called from several threads at once.
///
/// A search asks millions of times, mostly for sets that are not known, and each look into memory takes longer than solving a small set
/// does. So a shard is a few arrays, and the first look, at a slot, tells nearly always whether the set is there.
template <class Value>
class SetTable {
 public:
  /// `most_bytes`: about how much memory it takes. `numbers`: with each value.
  explicit SetTable(std::size_t most_bytes, std::size_t numbers = 0) : most_bytes_(most_bytes), numbers_(numbers) {}

  /// Calls `take(value, numbers)` if the set is known. Returns whether it is. `question`: what the value answers; a set may have several.
  template <class Take>
  bool find(const ItemSet& set, const Take& take, std::uint32_t question = 0) const {
    const std::uint64_t hash = hash_of(set, question);
    const Shard& here = shards_[hash % kShards];
    const std::lock_guard lock(here.mutex);
    if (here.slots.empty()) return false;
    const std::uint32_t entry = here.slots[here.place_of(set, question, hash)].entry;
    if (entry == kNone) return false;
    take(here.entries[entry].value, std::span(here.numbers).subspan(entry * numbers_, numbers_));
    return true;
  }

  /// `value_bytes`: what the value takes besides itself.
  void add(const ItemSet& set, Value value, std::span<const double> numbers, std::size_t value_bytes, std::uint32_t question = 0) {
    assert(numbers.size() == numbers_);
    const std::size_t bytes =
        sizeof(Entry) + 2 * sizeof(Slot) + set.words.size() * sizeof(BitColumns::Word) + numbers_ * sizeof(double) + value_bytes;
    const std::uint64_t hash = hash_of(set, question);
    Shard& here = shards_[hash % kShards];
    const std::lock_guard lock(here.mutex);
    if (here.bytes + bytes > most_bytes_ / kShards) here.clear();
    if (2 * here.entries.size() >= here.slots.size()) here.grow();
    Slot& slot = here.slots[here.place_of(set, question, hash)];
    if (slot.entry != kNone) return;
    slot = {tag_of(hash), static_cast<std::uint32_t>(here.entries.size())};
    here.entries.push_back({hash, question, std::move(value)});
    here.words.insert(here.words.end(), set.words.begin(), set.words.end());
    here.numbers.insert(here.numbers.end(), numbers.begin(), numbers.end());
    here.bytes += bytes;
  }

 private:
  static constexpr std::size_t kShards = 64, kFewSlots = 16;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Slot {
    std::uint32_t tag = 0;  // of the entry's hash
    std::uint32_t entry = kNone;
  };
  struct Entry {
    std::uint64_t hash;
    std::uint32_t question;
    Value value;
  };

  static std::uint64_t hash_of(const ItemSet& set, std::uint32_t question) { return mix_bits(set.hash + question); }
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  struct Shard {
    mutable std::mutex mutex;
    std::vector<Slot> slots;  // as many as a power of two, at least twice as many as entries
    std::vector<Entry> entries;
    std::vector<BitColumns::Word> words;  // of all entries
    std::vector<double> numbers;          // of all entries
    std::size_t bytes = 0;

    std::size_t first_place(std::uint64_t hash) const { return static_cast<std::size_t>(hash / kShards) & (slots.size() - 1); }
    std::size_t next_place(std::size_t place) const { return (place + 1) & (slots.size() - 1); }

    // Where the set is, or the free slot where it belongs.
    std::size_t place_of(const ItemSet& set, std::uint32_t question, std::uint64_t hash) const {
      std::size_t place = first_place(hash);
      for (; slots[place].entry != kNone; place = next_place(place)) {
        if (slots[place].tag != tag_of(hash)) continue;
        const std::size_t entry = slots[place].entry, size = set.words.size();
        if (entries[entry].question == question && std::equal(set.words.begin(), set.words.end(), words.data() + entry * size)) break;
      }
      return place;
    }

    void grow() {
      slots.assign(std::max(kFewSlots, 2 * slots.size()), Slot{});
      for (std::uint32_t entry = 0; entry < entries.size(); ++entry) {
        std::size_t place = first_place(entries[entry].hash);
        while (slots[place].entry != kNone) place = next_place(place);
        slots[place] = {tag_of(entries[entry].hash), entry};
      }
    }

    void clear() {
      slots.assign(slots.size(), Slot{});
      entries.clear();
      words.clear();
      numbers.clear();
      bytes = 0;
    }
  };

  const std::size_t most_bytes_, numbers_;
  std::array<Shard, kShards> shards_;
};

}  // namespace treewright::search
