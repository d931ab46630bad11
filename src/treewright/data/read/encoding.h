#pragma once

#include <string>

namespace treewright {

/// Turns text that is not UTF-8 into UTF-8 where it is likely to be Windows-1252 (Latin-1 and a few more signs): no letter of several bytes
/// is UTF-8. Says so in a sentence; "" = the text is as it was.
std::string recode(std::string& text);

}  // namespace treewright
