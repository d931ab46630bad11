#include <cstdint>
#include <cstdlib>
#include <string>

#include "support/make_data.h"
#include "treewright/base/hash.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table_text.h"

namespace treewright {
namespace {

// Of ten rows, of which every tree of depth 3 errs on one.
proof::Proof blank_proof(const Dataset& data) {
  static const std::string table = proof::fingerprint(data);
  proof::Proof proof;
  proof.table = table;
  proof.depth = 3;
  proof.orderings = {{0, proof::Ordering::Form::numbers, {}}};
  return proof;
}

// A file with that header and body, and the right first line and checksum: written as it was read.
proof::Proof read_file(const std::string& rest) {
  const std::string bytes = "treewright proof 1\n" + rest;
  const proof::Proof proof = proof::from_bytes(bytes + hash_text(hash(bytes)), "fuzz");
  const std::string again = proof::to_bytes(proof, "fuzz");
  if (proof::to_bytes(proof::from_bytes(again, "again"), "fuzz") != again) std::abort();
  return proof;
}

}  // namespace
}  // namespace treewright

// The first byte is the bound of a proof, and the rest its body; or it is 255, and the rest is a header and a body. More than the
// optimum is never shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace treewright;
  static const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})}, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  try {
    proof::Proof proof = blank_proof(data);
    if (bytes[0] == 255) {
      proof = read_file(rest);
    } else {
      proof.bound = bytes[0];
      proof.body = rest;
    }
    const bool of_all = proof.depth >= 3 && !proof.max_splits && proof.min_rows == 1 && proof.price == 0;
    if (proof::verify(proof, data, "fuzz").bound > (of_all ? 1 : 10)) std::abort();
  } catch (const Error& error) {
    if (error.fix().empty()) std::abort();
  }
  return 0;
}
