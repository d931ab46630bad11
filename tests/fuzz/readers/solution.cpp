#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "treewright/error.h"
#include "treewright/mip/solution_file.h"

// A solution that is taken holds a value for every variable and breaks nothing of the model.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace treewright;
  mip::MipModel model;
  const int a = model.add_binary("a", -5), b = model.add_binary("b", -4), c = model.add("c", 0, 10, -3);
  model.at_most("room", {{a, 2}, {b, 3}, {c, 1}}, 5);
  model.offset = 1;
  try {
    const mip::MipSolution solution = mip::read_solution(std::string_view(reinterpret_cast<const char*>(bytes), size), model, "input");
    if (!solution.values.empty() && (solution.values.size() != 3 || !model.broken(solution.values, 1e-4).empty())) std::abort();
  } catch (const Error& error) {
    if (error.where().rfind("input", 0) != 0) std::abort();
  }
  return 0;
}
