#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treewright::search {

/// The sets of labels that so many leaves can have. They bound what these leaves cost from below where rows gain under several labels: of
/// each row only the best label of the set counts, and the best set counts for all rows (costs.cpp, "The least cost").
class LabelSets {
 public:
  /// None if there would be more than `most`.
  LabelSets(std::size_t labels, std::int64_t leaves, std::size_t most);

  std::size_t size() const { return members_.empty() ? 0 : members_.size() / of_set_; }
  bool empty() const { return members_.empty(); }
  /// What equal rows gain at most under each set. `gains`: of each label. Shapes (labels), (size).
  template <class T>
  void largest_gains(const T* gains, T* of_sets) const {
    for (std::size_t set = 0, at = 0; at < members_.size(); ++set) {
      T largest = gains[members_[at++]];
      for (std::size_t i = 1; i < of_set_; ++i) largest = std::max(largest, gains[members_[at++]]);
      of_sets[set] = largest;
    }
  }

 private:
  std::size_t of_set_;
  std::vector<std::uint32_t> members_;  // shape (sets x labels of a set)
};

/// Whether bounds by sets of labels pay: most labels gain under most rows. Where most rows have one item, they say little more than
/// least_cost, which is cheaper.
inline bool most_labels_gain(std::size_t items, std::size_t rows, std::size_t labels) {
  return 2 * (items - rows) > rows * (labels - 1);
}

}  // namespace treewright::search
