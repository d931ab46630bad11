#pragma once

#include <string>

namespace treewright {

/// Turns UTF-16 with a mark of its order of bytes into UTF-8, and other text that is not UTF-8 where it is likely to be Windows-1252
/// (Latin-1 and a few more signs): no letter of several bytes is UTF-8. That is a guess, and told in a sentence; else "".
std::string recode(std::string& text);

}  // namespace treewright
