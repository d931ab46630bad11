#pragma once

#include <string>
#include <vector>

namespace treewright {

/// Where the cells of a text table stand in their columns. The first column is always aligned left.
enum class CellAlignment { left, right };

/// Rows of cells (UTF-8) as lines with columns padded to their widest cell. The last cell of a row aligned left may run on: it takes no
/// room.
std::string text_table(const std::vector<std::vector<std::string>>& rows, CellAlignment alignment = CellAlignment::left);

}  // namespace treewright
