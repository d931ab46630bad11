#pragma once

#include <hwy/base.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/search/bounds/bound.h"
#include "treewright/search/depth_two/stump_kernel.h"

namespace treewright::search {

/// The best tree of one split whose root cuts one ordering.
struct SingleSplit {
  Bound errors = Bound::of_nothing();
  /// Of the cut: for KernelRoots the items left of it, for BitSetRoots its number among the cuts of all orderings.
  std::size_t place = 0;
};

/// Two classes: the errors are min(N0 - max s, N1 + min s) over the places where the rank changes (see stump_kernel.cpp). `place`: the
/// number of items left of the cut, only where `want_place` is set.
template <class T>
SingleSplit best_split_of_two_classes(const KernelColumns<T>& columns, std::size_t g, bool want_place) {
  const double class0 = columns.class_weight()[0], class1 = columns.class_weight()[1];
  const auto least_errors = [&](const typename KernelColumns<T>::SumRange& sums) {
    return sums.low <= sums.high ? std::min(class0 - static_cast<double>(sums.high), class1 + static_cast<double>(sums.low))
                                 : std::numeric_limits<double>::infinity();
  };
  SingleSplit single;
  single.errors = Bound::of_all_trees(least_errors(columns.sums(g, false)));
  if (columns.counts_rows()) single.errors.strict = least_errors(columns.sums(g, true));
  if (!want_place) return single;
  const auto walk = columns.walk(g);
  double sum = 0;
  std::size_t at = 0;
  for (const std::uint32_t end : columns.boundaries_of(g).first(columns.boundaries_of(g).size() - 1)) {
    for (; at < end; ++at) sum += static_cast<double>(walk.weight(at));
    if (std::min(class0 - sum, class1 + sum) != single.errors.strict || !columns.fits(g, end)) continue;
    single.place = end;
    break;
  }
  return single;
}

/// Any number of classes: the heaviest class before each cut, then the heaviest class after it. `scratch` is overwritten.
template <class T>
SingleSplit best_split_of_many_classes(const KernelColumns<T>& columns, std::size_t g, std::vector<T>& scratch) {
  const std::size_t n = columns.size(), classes = columns.classes();
  const auto walk = columns.walk(g);
  const std::uint16_t* label = columns.labels_of(g);
  const std::span<const std::uint32_t> boundaries = columns.boundaries_of(g);
  scratch.assign(classes + boundaries.size(), T{0});
  T* seen = scratch.data();
  T* heaviest_before = seen + classes;
  T heaviest = 0;
  const auto add = [&](std::size_t at) {
    heaviest = std::max(heaviest, seen[label[at]] = static_cast<T>(seen[label[at]] + walk.weight(at)));
  };
  std::size_t at = 0;
  for (std::size_t c = 0; c < boundaries.size(); ++c) {
    for (; at < boundaries[c]; ++at) add(at);
    heaviest_before[c] = heaviest;
  }
  std::fill_n(seen, classes, T{0});
  heaviest = 0;
  SingleSplit single;
  const double all = columns.counts_rows() ? columns.rows_before(g, n) : 0, least = static_cast<double>(columns.min_rows());
  for (std::size_t c = boundaries.size() - 1; c-- > 0;) {
    while (at > boundaries[c]) add(--at);
    const double errors = columns.total_reach() - static_cast<double>(heaviest_before[c]) - static_cast<double>(heaviest);
    single.errors.relaxed = std::min(single.errors.relaxed, errors);
    if (columns.counts_rows() && (columns.rows_before(g, at) < least || all - columns.rows_before(g, at) < least)) continue;
    if (errors <= single.errors.strict) {
      single.errors.strict = errors;
      single.place = at;
    }
  }
  return single;
}

/// The same where the items have lines of a table: every label may be the heaviest after each of them.
template <class T>
SingleSplit best_split_of_lines(const KernelColumns<T>& columns, std::size_t g, std::vector<T>& scratch) {
  const std::size_t width = columns.table_width(), labels = columns.classes();
  const auto walk = columns.walk(g);
  scratch.assign(width + labels, T{0});
  T* HWY_RESTRICT seen = scratch.data();
  T* HWY_RESTRICT all = seen + width;
  for (std::size_t k = 0; k < labels; ++k) all[k] = static_cast<T>(columns.class_weight()[k]);
  SingleSplit single;
  std::size_t at = 0;
  for (const std::uint32_t end : columns.boundaries_of(g).first(columns.boundaries_of(g).size() - 1)) {
    for (; at < end; ++at) add_numbers(walk.line(at), width, seen);
    T before = 0, after = 0;
    for (std::size_t k = 0; k < labels; ++k) {
      before = std::max(before, seen[k]);
      after = std::max(after, static_cast<T>(all[k] - seen[k]));
    }
    const double errors = columns.total_reach() - static_cast<double>(before) - static_cast<double>(after);
    single.errors.relaxed = std::min(single.errors.relaxed, errors);
    if (errors >= single.errors.strict || !columns.fits(g, end)) continue;
    single.errors.strict = errors;
    single.place = end;
  }
  return single;
}

template <class T>
SingleSplit best_split(const KernelColumns<T>& columns, std::size_t g, bool want_place, std::vector<T>& scratch) {
  if (columns.classes() == 2) return best_split_of_two_classes(columns, g, want_place);
  return columns.has_table() ? best_split_of_lines(columns, g, scratch) : best_split_of_many_classes(columns, g, scratch);
}

}  // namespace treewright::search
