#pragma once

#include <fmt/format.h>

#include <string>

namespace treewright::report {

/// A headline figure: its value, and below it what it is.
inline std::string figure(const std::string& value, const std::string& name) {
  return fmt::format("<div><b>{}</b><span>{}</span></div>", value, name);
}

}  // namespace treewright::report
