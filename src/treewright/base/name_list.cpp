#include "treewright/base/name_list.h"

#include <algorithm>
#include <optional>

namespace treewright {

namespace {

// A quoted name at the start of the text; empty if there is none. `behind`: where the text goes on.
std::optional<std::string> quoted_name(std::string_view text, std::size_t& behind) {
  if (text.empty() || text.front() != '"') return {};
  std::string name;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') {
      name += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == '"') {
      name += text[i++];
    } else if (i + 1 == text.size() || text[i + 1] == ',') {
      behind = i + 1;
      return name;
    } else {
      return {};
    }
  }
  return {};
}

}  // namespace

std::string list_of_names(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ',';
    if (name.find(',') == std::string::npos && !name.starts_with('"')) {
      list += name;
      continue;
    }
    list += '"';
    for (const char c : name) list += c == '"' ? std::string("\"\"") : std::string(1, c);
    list += '"';
  }
  return list;
}

std::vector<std::string> names_of_list(std::string_view text) {
  std::vector<std::string> names;
  for (bool more = !text.empty(); more;) {
    std::size_t behind = 0;
    if (std::optional<std::string> name = quoted_name(text, behind)) {
      names.push_back(*std::move(name));
    } else {
      behind = std::min(text.find(','), text.size());
      names.emplace_back(text.substr(0, behind));
    }
    more = behind + 1 < text.size();
    text.remove_prefix(std::min(behind + 1, text.size()));
  }
  return names;
}

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace treewright
