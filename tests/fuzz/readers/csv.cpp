#include "rows.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return treewright::testing::read_rows(treewright::parse_csv, bytes, size);
}
