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

// Thirteen rows that have numbers, or events, with a category of as many levels. A leaf loses less than these.
constexpr double kMostOfNumbers = 26.93, kMostOfEvents = 10.1;
Dataset rows_of(Loss loss) {
  std::vector<std::string> levels;
  std::vector<std::int32_t> codes;
  Dataset data;
  data.target_name = "y";
  data.response.emplace().loss = loss;
  for (std::int32_t row = 0; row < 13; ++row) {
    levels.push_back(std::string(1, static_cast<char>('a' + row)));
    codes.push_back(row);
    data.response->values.push_back(static_cast<double>(row * row % 7));
    if (loss != Loss::squared) data.response->exposure.push_back(1 + row % 3);
  }
  data.columns = {testing::numbers("x", {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}), testing::categories("c", levels, codes)};
  return data;
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

// The first byte is the bound of a proof, and the rest its body; or it is 253 to 255, and the rest is a header and a body, of rows with
// events, numbers or labels. More than the optimum of labels is never shown, nor more than a leaf loses, where given splits are free.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace treewright;
  static const Dataset labels =
      testing::make_data({testing::numbers("x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})}, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  static const Dataset numbers = rows_of(Loss::squared), events = rows_of(Loss::poisson);
  if (size == 0) return 0;
  const Dataset& data = bytes[0] == 253 ? events : bytes[0] == 254 ? numbers : labels;
  const std::string rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  try {
    proof::Proof proof = blank_proof(labels);
    if (bytes[0] >= 253) {
      proof = read_file(rest);
      proof.table = proof::fingerprint(data);  // no change of a few bytes finds it
    } else {
      proof.bound = bytes[0];
      proof.body = rest;
    }
    const bool of_all = proof.depth >= 3 && !proof.max_splits && proof.min_rows == 1 && proof.price == 0 && proof.top.empty();
    const bool paid = proof.price > 0 && !proof.top.empty();
    const double most = proof.target ? kMostOfNumbers : proof.exposure ? kMostOfEvents : of_all ? 1 : 5;
    if (proof::verify(proof, data, "fuzz").bound > most && !paid) std::abort();
  } catch (const Error& error) {
    if (error.fix().empty()) std::abort();
  }
  return 0;
}
