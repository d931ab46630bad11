#include "treewright/search/loss/label_sets.h"

#include <cassert>
#include <numeric>

namespace treewright::search {

LabelSets::LabelSets(std::size_t labels, std::int64_t leaves, std::size_t most)
    : of_set_(static_cast<std::size_t>(std::clamp<std::int64_t>(leaves, 1, static_cast<std::int64_t>(labels)))) {
  assert(labels >= 1);
  // Growing i, (labels choose i) never exceeds the result where of_set <= labels / 2, and that of the labels left out is the same number.
  std::size_t sets = 1;
  for (std::size_t i = 1; i <= std::min(of_set_, labels - of_set_) && sets <= most; ++i) sets = sets * (labels - i + 1) / i;
  if (sets > most) return;
  std::vector<std::uint32_t> set(of_set_);
  std::iota(set.begin(), set.end(), std::uint32_t{0});
  members_.reserve(sets * of_set_);
  while (members_.size() < sets * of_set_) {
    members_.insert(members_.end(), set.begin(), set.end());
    // The next one: the last member that can grow does, and those behind it follow closely.
    std::size_t i = of_set_;
    while (i > 0 && set[i - 1] == labels - of_set_ + i - 1) --i;
    if (i > 0) std::iota(set.begin() + static_cast<std::ptrdiff_t>(i - 1), set.end(), set[i - 1] + 1);
  }
}

}  // namespace treewright::search
