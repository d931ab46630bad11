#pragma once

#include <string>
#include <string_view>

namespace treewright {

/// A file that was packed.
struct PackedFile {
  std::string name, content;
};

/// The one file of a zip archive; folders and what macOS adds do not count. `path` is what messages call the archive. Throws Error where it
/// is damaged or encrypted, holds no file or several, or is too large for the first version of the format (4 GB).
PackedFile unzip(std::string_view archive, const std::string& path);

}  // namespace treewright
