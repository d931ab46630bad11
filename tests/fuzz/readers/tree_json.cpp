#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "treewright/error.h"
#include "treewright/result.h"

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
