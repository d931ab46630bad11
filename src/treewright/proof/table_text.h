#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"

namespace treewright::proof {

/// The text as a table spells it, without its quotes: one spelling of any bytes, in printable ASCII.
std::string spelled(std::string_view text);
/// The number as a table spells it: the fewest digits that give the double. Expects a finite number.
std::string spelled(double number);

/// What a leaf may say: the classes, ascending by their spelling, without those of which nothing is said; or those of costs by row, in
/// their order.
struct Labels {
  std::vector<std::string> names;   ///< as a table spells them
  std::vector<std::int32_t> place;  ///< of each class of the data among them; -1 = it does not occur
};

Labels labels_of(const Dataset& data);

/// What the weights of the rows are, in words; "" = every row weighs 1.
std::string weights_in_words(const Dataset& data);

/// Hands the canonical table of the rows to `take`, line by line: docs/proof-format.md. Throws Error if it has no room for a number.
void write_table(const Dataset& data, const std::function<void(std::string_view)>& take);
std::string table_text(const Dataset& data);

/// The hash of that text: against mistakes, not against malice.
std::string fingerprint(const Dataset& data);

}  // namespace treewright::proof
