// The one entry for files: which format, then its parser.

#include "treewright/data.h"

#include <algorithm>
#include <cctype>

#include "treewright/base/file.h"
#include "treewright/error.h"

namespace treewright {

namespace {

bool drop_ending(std::string& name, std::string_view ending) {
  if (name.size() < ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0) return false;
  name.resize(name.size() - ending.size());
  return true;
}

FileFormat format_of(const std::string& path) {
  if (path == "-") return FileFormat::csv;
  std::string name = path;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  drop_ending(name, ".gz");
  for (const char* ending : {".csv", ".tsv", ".txt", ".data"}) {
    if (drop_ending(name, ending)) return FileFormat::csv;
  }
  for (const char* ending : {".libsvm", ".svm"}) {
    if (drop_ending(name, ending)) return FileFormat::libsvm;
  }
  if (drop_ending(name, ".arff")) return FileFormat::arff;
  throw Error(path, "the extension does not tell the format",
              "name the format (csv, libsvm or arff), or use .csv .tsv .txt .data .libsvm .svm .arff, with "
              ".gz if packed");
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const FileFormat format = options.format == FileFormat::automatic ? format_of(path) : options.format;
  const std::string text = read_file(path);
  const std::string origin = path == "-" ? "standard input" : path;
  switch (format) {
    case FileFormat::libsvm:
      return parse_libsvm(text, origin, options);
    case FileFormat::arff:
      return parse_arff(text, origin, options);
    case FileFormat::csv:
    case FileFormat::automatic:
      break;
  }
  return parse_csv(text, origin, options);
}

}  // namespace treewright
