#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "treewright/data.h"
#include "treewright/options.h"

namespace treewright::cli {

/// What `alternatives --within` asks for.
struct NearTreeArguments {
  std::optional<double> within;  ///< errors, by weight
  std::int64_t count = 1000;
  bool only_sets = false;  ///< of each set of columns the best tree only
  std::string trees;       ///< a folder; "" = none
};

/// Prints the trees near the best one, by the columns that they ask, and writes the best of each; returns the exit code.
int list_near_trees(const Dataset& data, const ReadOptions& read, const Options& options, const NearTreeArguments& arguments, bool json);

}  // namespace treewright::cli
