#pragma once

#include <string>
#include <string_view>

#include "treewright/error.h"

namespace treewright {

/// A mistake in the value of an option.
inline Error option_error(std::string_view option, const std::string& what, const std::string& fix) {
  return Error("option '" + std::string(option) + "'", what, fix, ErrorKind::usage);
}

}  // namespace treewright
