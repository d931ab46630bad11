#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "treewright/data.h"
#include "treewright/data/describe.h"
#include "treewright/error.h"

namespace treewright::testing {

/// Reads bytes as a file of rows: an Error that says where and how to mend it, or valid rows that can be described and written.
/// The last byte chooses the options.
template <class Parse>
int read_rows(const Parse& parse, const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = bytes[size - 1];
  ReadOptions options;
  if (choice & 1) options.target.reset();
  if (choice & 2) options.weights = "0";
  if (choice & 4) options.kinds["0"] = choice & 8 ? ColumnKind::numeric : ColumnKind::categorical;
  if (choice & 16) options.header = choice & 32 ? Header::yes : Header::no;
  options.training = (choice & 64) != 0;
  try {
    const Dataset data = parse(std::string_view(reinterpret_cast<const char*>(bytes), size - 1), "input", options);
    data.validate();
    if (data.rows() == 0 || describe(data).empty() || write_csv(data).empty()) std::abort();
  } catch (const Error& error) {
    if (error.where().rfind("input", 0) != 0 || error.fix().empty()) std::abort();
  }
  return 0;
}

}  // namespace treewright::testing
