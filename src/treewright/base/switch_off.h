#pragma once

#include <string>
#include <string_view>

#include "treewright/base/error.h"

namespace treewright {

/// Calls `off` with each name of a comma-separated list. Throws the Error of option "disable" where `off` returns false: no `kind` has that
/// name, and `all` lists those there are.
template <class Off>
void switch_off(std::string_view names, const std::string& kind, const std::string& all, const Off& off) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    names = comma == std::string_view::npos ? "" : names.substr(comma + 1);
    if (!off(name)) {
      throw option_error("disable", "there is no " + kind + " '" + std::string(name) + "'", "the " + kind + "s are " + all);
    }
  }
}

}  // namespace treewright
