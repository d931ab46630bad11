#include "treewright/explain/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace treewright::explain {

namespace {

// Length of the valid UTF-8 sequence at `at`, 0 if there is none (RFC 3629: no overlong forms, no surrogates).
std::size_t sequence(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(at + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool allowed = !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F);
    return allowed && continues(at + 1) && continues(at + 2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool allowed = !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F);
    return allowed && continues(at + 1) && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

// Of a valid sequence.
std::uint32_t code_point(const std::string& text, std::size_t at, std::size_t length) {
  const auto first = static_cast<unsigned char>(text[at]);
  std::uint32_t code = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  return code;
}

bool is_seen(std::uint32_t code) {
  struct Range {
    std::uint32_t first, last;
  };
  // Controls, the soft hyphen, fillers, marks of direction and of width 0, ends of lines, variation selectors, private use, tags.
  constexpr Range kUnseen[] = {{0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},     {0x34F, 0x34F},     {0x61C, 0x61C},
                               {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200F},   {0x2028, 0x202E},
                               {0x2060, 0x206F}, {0x3164, 0x3164}, {0xE000, 0xF8FF}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
                               {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF}};
  for (const Range& range : kUnseen) {
    if (code >= range.first && code <= range.last) return false;
  }
  return true;
}

}  // namespace

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence(text, at);
    const std::uint32_t code = length == 0 ? static_cast<unsigned char>(text[at]) : code_point(text, at, length);
    if (length > 0 && is_seen(code)) {
      out.append(text, at, length);
    } else if (code == '\n' || code == '\r' || code == '\t') {
      out += code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t";
    } else {
      out += length > 1 ? fmt::format("\\u{:04x}", code) : fmt::format("\\x{:02x}", code);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string utf8(const std::string& name) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t length = sequence(name, at);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else {
      out.append(name, at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

namespace {

enum class For { people, programs };

// Valid UTF-8 without control characters. For people, those that reverse or end a line are blanks too: with them a text shows another
// order than it has.
std::string without_controls(const std::string& name, For reader) {
  const std::string text = utf8(name);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence(text, at);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const bool blank = byte(0) == '\t' || byte(0) == '\n' || byte(0) == '\r';
    const bool control = length == 1 ? byte(0) < 0x20 || byte(0) == 0x7F : length == 2 && byte(0) == 0xC2 && byte(1) < 0xA0;
    // U+2028 to U+202E and U+2066 to U+2069.
    const bool order = length == 3 && byte(0) == 0xE2 &&
                       ((byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) || (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
    // U+FFFE and U+FFFF are no characters in XML.
    const bool none = length == 3 && byte(0) == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE;
    const bool dropped = reader == For::people ? control || order : control && !blank;
    out += dropped ? " " : none ? "\xEF\xBF\xBD" : text.substr(at, length);
    at += length;
  }
  return out;
}

std::string with_entities(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\t':
      case '\n':
      case '\r':
        out += fmt::format("&#{};", static_cast<int>(c));
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string clean(const std::string& name) {
  return without_controls(name, For::people);
}

std::string escaped(const std::string& name) {
  return with_entities(clean(name));
}

std::string escaped_exactly(const std::string& name) {
  return with_entities(without_controls(name, For::programs));
}

std::string attribute(const std::string& markup) {
  std::string out;
  for (const char c : markup) out += c == '&' ? std::string("&amp;") : c == '"' ? std::string("&quot;") : std::string(1, c);
  return out;
}

std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  return count;
}

std::string shortened(const std::string& text, std::size_t length) {
  if (characters(text) <= length) return text;
  std::size_t at = 0, kept = 0;
  while (at < text.size()) {
    const bool starts = (static_cast<unsigned char>(text[at]) & 0xC0u) != 0x80u;
    if (starts && kept++ == length - 1) break;
    ++at;
  }
  return text.substr(0, at) + "…";
}

std::string plain(double value, int digits) {
  constexpr double kAllWhole = 1e15;
  if (!(std::abs(value) < kAllWhole)) return fmt::format("{:.{}g}", value, digits);
  if (value == std::floor(value)) return fmt::format("{}", static_cast<long long>(value));
  const int whole = std::abs(value) < 1 ? 1 : static_cast<int>(std::log10(std::abs(value) + 0.5)) + 1;  // 999.7 is written with four
  return fmt::format("{:.{}g}", value, std::max(digits, whole));                                        // 9910, not 9.91e+03
}

std::string percent(double share) {
  // All but one row of a million is not 100 %.
  const double shown = 100 * share;
  if (shown > 99.9 && shown < 100) return ">99.9 %";
  return fmt::format("{:.3g} %", shown);
}

std::string inside_script(std::string json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace treewright::explain
