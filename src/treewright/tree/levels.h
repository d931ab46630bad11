#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// The levels of a feature by their texts and, where another file writes the same number otherwise, by their numbers.
class Levels {
 public:
  explicit Levels(const std::vector<std::string>& names);
  /// -1: none, or not one alone.
  std::int32_t code(const std::string& text) const;
  std::int32_t code(double number) const;
  /// Of a truth value that a program holds as such: the level True if there is one, else true, TRUE, or the number 1.
  std::int32_t code_of_truth(bool value) const;

  bool has_numbers() const { return !code_of_number_.empty(); }
  /// The numbers that one level alone has, by code.
  std::vector<std::pair<double, std::int32_t>> numbers() const;

 private:
  std::int32_t by_number(double number) const;

  std::unordered_map<std::string, std::int32_t> code_of_text_;
  std::unordered_map<double, std::int32_t> code_of_number_;
};

/// The highest of the ordered levels that a threshold between their places sends left.
const std::string& last_below(double threshold, const Feature& feature);

/// The levels on the left of a split of levels, ordered or not; nothing where the split compares numbers.
std::optional<CategorySplit> level_split(const SplitRule& rule, const Tree& tree);

}  // namespace treewright
