#include "treewright/export/literal.h"

#include <fmt/format.h>

namespace treewright::exports {

std::string literal(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace treewright::exports
