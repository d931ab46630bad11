#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "treewright/base/error.h"
#include "treewright/fit/tree_file.h"

// What can be read is written, read again and written alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace treewright;
  try {
    const std::string text = to_json(from_json(std::string_view(reinterpret_cast<const char*>(bytes), size), "input"));
    if (to_json(from_json(text, "again")) != text) std::abort();
  } catch (const Error& error) {
    if (error.where().rfind("input", 0) != 0) std::abort();
  }
  return 0;
}
