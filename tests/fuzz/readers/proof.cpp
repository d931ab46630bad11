#include <cstdint>
#include <cstdlib>
#include <string>

#include "support/make_data.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/table_text.h"

// A proof of depth 3 for ten rows, of which every tree of that depth errs on one: the first byte is the bound, the rest the body. More than
// the optimum is never shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace treewright;
  static const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})}, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  if (size == 0) return 0;
  static const std::string table = proof::fingerprint(data);
  proof::Proof proof;
  proof.table = table;
  proof.depth = 3;
  proof.bound = bytes[0];
  proof.orderings = {{0, proof::Ordering::Form::numbers, {}}};
  proof.body.assign(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  try {
    if (proof::verify(proof, data, "fuzz").bound > 1) std::abort();
  } catch (const Error& error) {
    if (error.fix().empty()) std::abort();
  }
  return 0;
}
