#include "treewright/base/named_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"

namespace treewright {

std::size_t longest_name(std::string_view text, const std::vector<std::string>& names, char end, bool or_nothing) {
  std::size_t longest = 0;
  for (const std::string& name : names) {
    if (!text.starts_with(name)) continue;
    const bool ends = text.size() == name.size() ? or_nothing : text[name.size()] == end;
    if (ends) longest = std::max(longest, name.size());
  }
  return longest;
}

std::vector<std::pair<std::size_t, double>> NamedNumbers::read(std::string_view text, const std::vector<std::string>& names) const {
  std::vector<std::pair<std::size_t, double>> numbers;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t length = longest_name(text.substr(begin), names, '=', false);
    const std::size_t end = std::min(text.find(',', begin + length), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    const std::size_t equals = item.rfind('=');
    double value = -1;
    if (equals != std::string_view::npos) std::from_chars(item.data() + equals + 1, item.data() + item.size(), value);
    if (!(value >= 0) || !std::isfinite(value)) {
      std::string upper(number);
      std::ranges::transform(upper, upper.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
      throw option_error(option, fmt::format("'{}' is not NAME={} with a {} >= 0", item, upper, number),
                         fmt::format("write for example {}", example));
    }
    const std::string name(item.substr(0, equals));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw option_error(option, fmt::format("'{}': there is no {} of this name{}", item, of, did_you_mean(name, names)),
                         fmt::format("the {} are {}", all, fmt::join(names, ", ")));
    }
    numbers.emplace_back(found - names.begin(), value);
    begin = end + 1;
  }
  return numbers;
}

}  // namespace treewright
