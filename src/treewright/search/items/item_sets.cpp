#include "treewright/search/items/item_sets.h"

#include <cassert>

#include "treewright/base/random.h"

namespace treewright::search {

namespace {

void give_hash(ItemSet& set) {
  set.hash = 0;
  for (const BitColumns::Word word : set.words) set.hash = mix_bits(set.hash ^ word);
}

}  // namespace

ItemSet all_items(const BitColumns& all) {
  const BitColumns::Word* column = all.column(all.cuts());
  ItemSet set{{column, column + all.words()}};
  give_hash(set);
  return set;
}

void take_side(const BitColumns& all, const ItemSet& set, std::size_t cut, bool right, ItemSet& out) {
  assert(cut < all.cuts() && set.words.size() == all.words());
  const BitColumns::Word* left = all.column(cut);
  out.words.resize(set.words.size());
  for (std::size_t w = 0; w < set.words.size(); ++w) out.words[w] = set.words[w] & (right ? ~left[w] : left[w]);
  give_hash(out);
}

}  // namespace treewright::search
