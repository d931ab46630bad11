#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "treewright/result.h"

namespace treewright {

/// One line of the list of formats.
struct ExportFormat {
  std::string_view name, extension, description;
};

/// All formats, in the order of the documentation.
const std::vector<ExportFormat>& export_table();

struct ExportOptions {
  /// Of the prefix of all functions in C, the namespace in C++, the object in JavaScript. "" = made of a checksum of the program, so that
  /// programs of different trees stand beside each other.
  std::string name = {};
  /// SQL: names stand in `backquotes`, and texts mark quotes by backslashes, as MySQL, Spark, Hive and BigQuery read them.
  bool backquotes = false;
};

/// The tree in the format of that name; bytes for "onnx", text in UTF-8 for all others. With `data`, the training rows aligned to the
/// tree, the tree as the file says it is checked on every row before it is handed out: pictures and texts get as many digits as the
/// rows need to keep their leaves, programs are refused where a row would reach another leaf. Throws Error on an unknown format, and on an
/// option that it does not read.
std::string export_tree(const Result& result, std::string_view format, const Dataset* data = nullptr, const ExportOptions& options = {});

}  // namespace treewright
