// Text that is not UTF-8. Spreadsheets' "Unicode text" and PowerShell's files are UTF-16, and most say so by their first two bytes.
//
// Spreadsheets save CSV in the encoding of the system; in Western Europe that is Windows-1252, which holds Latin-1.
// Any bytes are valid in it, so it is a guess, and the sentence says so. A text in which some letter is written in several bytes as UTF-8
// writes it is not guessed at: the chance of that in other encodings is small, so such a file is damaged or mixed, and the readers say
// where.

#include "treewright/data/read/encoding.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "treewright/data/read/column_builder.h"

namespace treewright {

namespace {

// The characters of 0x80 to 0x9F; 0 = none, which Latin-1 reads as a control character.
constexpr std::uint32_t kWindows[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                        0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

void append(std::string& out, std::uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
    return;
  }
  if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    out += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
  }
  out += static_cast<char>(0x80 | (point & 0x3F));
}

constexpr std::uint32_t kMark = 0xFEFF;  // at the beginning of UTF-16

// Whether the text begins with UTF-16: with its mark, or with two letters of English, of which one byte each is 0.
bool begins_with_utf16(std::string_view text, bool low_first) {
  if (text.starts_with(low_first ? "\xFF\xFE" : "\xFE\xFF")) return true;
  const std::size_t high = low_first ? 1 : 0;
  return text.size() >= 4 && text[high] == 0 && text[2 + high] == 0 && text[1 - high] != 0 && text[3 - high] != 0;
}

// As UTF-8; nothing where it is no UTF-16.
std::optional<std::string> from_utf16(std::string_view text) {
  const bool low_first = begins_with_utf16(text, true);
  if ((!low_first && !begins_with_utf16(text, false)) || text.size() % 2 != 0) return std::nullopt;
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]), second = static_cast<unsigned char>(text[at + 1]);
    return static_cast<std::uint32_t>(low_first ? second << 8 | first : first << 8 | second);
  };
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = unit(0) == kMark ? 2 : 0; at < text.size(); at += 2) {
    std::uint32_t point = unit(at);
    if (point == 0) return std::nullopt;  // of UTF-32, or no text
    if (point >= 0xD800 && point < 0xE000) {
      at += 2;
      const std::uint32_t low = point < 0xDC00 && at < text.size() ? unit(at) : 0;
      if (low < 0xDC00 || low >= 0xE000) return std::nullopt;
      point = 0x10000 + ((point - 0xD800) << 10 | (low - 0xDC00));
    }
    append(out, point);
  }
  return out;
}

// Whether some letter of several bytes is UTF-8.
bool has_utf8_letter(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length > 0 && i + length <= text.size() && valid_utf8(text.substr(i, length))) return true;
  }
  return false;
}

}  // namespace

std::string recode(std::string& text) {
  if (auto plain = from_utf16(text)) {
    text = *std::move(plain);
    return "";
  }
  if (valid_utf8(text)) return "";  // nearly all files are
  const bool wide = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") || text.find('\0') != std::string::npos;
  if (wide || has_utf8_letter(text)) return "";
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
      continue;
    }
    const std::uint32_t windows = byte < 0xA0 ? kWindows[byte - 0x80] : byte;
    append(out, windows == 0 ? byte : windows);
  }
  text = std::move(out);
  return "the text is not UTF-8 and reads as Windows-1252 (Latin-1); save it as UTF-8 if letters look wrong";
}

}  // namespace treewright
