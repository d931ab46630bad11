#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright::automatic {

/// What a label gains on a validation row: minus its cost where labels have costs, else 1 where it is right.
double gain_of(std::int32_t label, const Dataset& data, std::size_t row);

/// What each validation row adds to the score of a tree (the option `scoring`), large is good. Their mean, by weight, is the score; their
/// spread is that of the score. Shape (rows).
std::vector<double> gains_of(const Tree& tree, const Dataset& rows, std::string_view scoring);

/// Shrinkages of probabilities to choose from (tree/probabilities.cpp), as multiples of the usual one.
inline constexpr std::array<double, 8> kShrinkages = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20};
using Losses = std::array<double, kShrinkages.size()>;
/// For each of them, the log loss of the tree's probabilities summed over the weight of the rows.
Losses log_losses(const Tree& tree, const Dataset& rows);

/// How people read a mean gain.
struct Measure {
  std::string_view name;
  double factor;    ///< from a gain to what is shown
  bool is_percent;  ///< an accuracy, shown in percent
};
Measure measure_of(const Dataset& data, std::string_view scoring);

}  // namespace treewright::automatic
