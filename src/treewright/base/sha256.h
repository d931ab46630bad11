#pragma once

#include <string>
#include <string_view>

namespace treewright {

/// SHA-256 (FIPS 180-4) of the bytes as 64 hexadecimal digits, as the command sha256sum prints it.
std::string sha256(std::string_view bytes);

}  // namespace treewright
