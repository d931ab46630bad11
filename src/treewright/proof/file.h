#pragma once

#include <string>
#include <string_view>

#include "treewright/proof/proof.h"

namespace treewright::proof {

/// The proof as a file. `made_by`: program and version.
std::string to_bytes(const Proof& proof, std::string_view made_by);

/// Reads a file of `to_bytes`. `origin` names it in messages. Throws Error unless it is written as docs/proof-format.md says, as far as
/// that can be seen without the rows.
Proof from_bytes(std::string_view bytes, const std::string& origin);

/// What to do about a refusal.
inline constexpr const char* kAnotherProof = "give the file that fit --proof wrote for these rows, or write it anew";

/// A refusal: a proof that does not hold, or is none. `origin` names the file.
[[noreturn]] void refuse(const std::string& origin, const std::string& problem);

}  // namespace treewright::proof
