#pragma once

#include <string>

#include "treewright/data.h"

namespace treewright {

/// A file in memory, as UTF-8.
struct FileText {
  FileFormat format = FileFormat::csv;
  std::string text;
  std::string origin;  ///< what messages call it
  std::string remark;  ///< what was done to its letters, a sentence; "" = nothing
};

/// Throws Error where the file cannot be read, or its format is not known.
FileText file_text(const std::string& path, FileFormat format);

/// What `read_dataset` makes of the file.
Dataset read_text(const FileText& file, const ReadOptions& options);

}  // namespace treewright
