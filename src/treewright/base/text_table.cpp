#include "treewright/base/text_table.h"

#include <algorithm>

namespace treewright {

namespace {

// Characters, not bytes, of UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string text_table(const std::vector<std::vector<std::string>>& rows, CellAlignment alignment) {
  const bool right = alignment == CellAlignment::right;
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t j = 0; j + (right ? 0 : 1) < row.size(); ++j) widths[j] = std::max(widths[j], width_of(row[j]));
  }
  std::string out;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      const bool last = j + 1 == row.size();
      const std::size_t room = right || !last ? widths[j] - width_of(row[j]) : 0;
      if (right && j > 0) out.append(room, ' ');
      out += row[j];
      if (last) continue;
      out.append((right && j > 0 ? 0 : room) + 2, ' ');
    }
    out += '\n';
  }
  return out;
}

}  // namespace treewright
