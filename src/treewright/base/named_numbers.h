#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace treewright {

/// The length of the longest of the names with which the text begins and behind which it has `end` or, where `or_nothing`, ends; 0 = there
/// is none. So names may have commas.
std::size_t longest_name(std::string_view text, const std::vector<std::string>& names, char end, bool or_nothing);

/// An option that gives numbers to names: "yes=2,no=1".
struct NamedNumbers {
  std::string_view option;   ///< its name in the table of options
  std::string_view of;       ///< what has a name: "class"
  std::string_view all;      ///< several of these: "classes"
  std::string_view number;   ///< "weight"
  std::string_view example;  ///< of a right text

  /// The place among `names`, and the number, of each item of the text. Names may have commas: each is the longest one that fits. Throws
  /// Error on other names and on numbers that are negative or not finite.
  std::vector<std::pair<std::size_t, double>> read(std::string_view text, const std::vector<std::string>& names) const;
};

}  // namespace treewright
