#pragma once

#include <string>
#include <string_view>

namespace treewright::explain {

/// A text from a file on one line of a terminal. What a terminal would execute, or not show, stands there as "\n", "\x1b" or "\u202e":
/// control characters, those that direct the writing or have no width, and bytes that are no UTF-8.
std::string printable(const std::string& text);

/// The name as valid UTF-8: bytes of other encodings become U+FFFD.
std::string utf8(const std::string& name);

/// The name as one line of valid UTF-8: control characters become blanks, those of the direction of writing among them.
std::string clean(const std::string& name);

/// `clean`, with the five characters that mean something in HTML and XML written as entities: safe as text and inside quotes.
std::string escaped(const std::string& name);

/// The same for programs, which compare names: line ends and tabs are written as references, and the direction of writing stays. Other
/// control characters have no place in XML.
std::string escaped_exactly(const std::string& name);

/// Markup as the value of an attribute, so that the attribute's value is that markup.
std::string attribute(const std::string& markup);

/// Cuts UTF-8 text to so many characters, the last of them an ellipsis.
std::string shortened(const std::string& text, std::size_t length);

/// Characters (not bytes) of UTF-8 text.
std::size_t characters(const std::string& text);

/// A number for people: whole numbers in full, others with six significant digits, or more.
std::string plain(double value, int digits = 6);

/// The fewest digits, at least `least`, with which `holds(digits)` is true of what is printed; else 17, which restore every double.
template <class Holds>
int fewest_digits(int least, const Holds& holds) {
  constexpr int kAll = 17;
  while (least < kAll && !holds(least)) ++least;
  return least;
}

/// A share as a percentage: "96 %", "99.3 %".
std::string percent(double share);

/// JSON that may stand inside a script element: no "</script>", no "<!--".
std::string inside_script(std::string json);

}  // namespace treewright::explain
