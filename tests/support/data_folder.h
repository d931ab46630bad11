#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace treewright::testing {

/// The folder of real data sets, or nothing where TREEWRIGHT_DATA_DIR is unset or empty: a test that needs it skips then.
inline std::optional<std::filesystem::path> data_folder() {
  const char* folder = std::getenv("TREEWRIGHT_DATA_DIR");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return folder;
}

inline constexpr const char* no_data_folder = "TREEWRIGHT_DATA_DIR is not set";

}  // namespace treewright::testing
