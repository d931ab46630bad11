#include "treewright/methods/method.h"

#include <algorithm>

namespace treewright {

bool Method::reads_option(std::string_view option) const {
  return option == "method" || std::find(reads.begin(), reads.end(), option) != reads.end();
}

std::string Method::label() const {
  std::string text(name);
  for (const auto& [option, value] : when) {
    text += text.size() == name.size() ? " with " : " and ";
    text.append(option).append("=").append(value);
  }
  return text;
}

std::vector<std::string_view> joined(std::initializer_list<std::vector<std::string_view>> lists) {
  std::vector<std::string_view> names;
  for (const std::vector<std::string_view>& list : lists) names.insert(names.end(), list.begin(), list.end());
  return names;
}

}  // namespace treewright
