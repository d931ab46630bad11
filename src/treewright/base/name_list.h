#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treewright {

/// Names as one text, separated by commas. As in CSV, a name that holds a comma or begins with a quote stands in double quotes, and a quote
/// in it is written twice.
std::string list_of_names(const std::vector<std::string>& names);

/// The inverse; behind a comma at the end is no name. A quote that does not end before a comma or the end of the text is a character like
/// others.
std::vector<std::string> names_of_list(std::string_view text);

bool is_in(const std::vector<std::string>& names, const std::string& name);

}  // namespace treewright
