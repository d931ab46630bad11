#pragma once

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

/// How people read a mean gain.
struct Measure {
  std::string_view name;
  double factor;    ///< from a gain to what is shown
  bool is_percent;  ///< an accuracy, shown in percent
};
Measure measure_of(const Dataset& data, std::string_view scoring);

}  // namespace treewright::automatic
