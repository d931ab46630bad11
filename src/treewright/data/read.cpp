// The one entry for files: which format, then its parser.

#include "treewright/data/read.h"

#include "treewright/base/file.h"
#include "treewright/base/system.h"
#include "treewright/data/column_builder.h"
#include "treewright/data/encoding.h"
#include "treewright/data/ordered_levels.h"
#include "treewright/data/target_bins.h"
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
  std::string name = lower(path);
  drop_ending(name, ".gz");
  for (const char* ending : {".csv", ".tsv", ".txt", ".data"}) {
    if (drop_ending(name, ending)) return FileFormat::csv;
  }
  for (const char* ending : {".libsvm", ".svm"}) {
    if (drop_ending(name, ending)) return FileFormat::libsvm;
  }
  if (drop_ending(name, ".arff")) return FileFormat::arff;
  for (const char* ending : {".xlsx", ".xlsm", ".xls", ".ods"}) {
    if (drop_ending(name, ending)) throw Error(path, "spreadsheets are not read", "save the sheet as CSV in the program that made it");
  }
  for (const char* ending : {".parquet", ".pq"}) {
    if (drop_ending(name, ending)) throw Error(path, "Parquet files are not read", parquet_to_csv(path));
  }
  if (system::kind_of(path) == system::FileKind::folder) throw Error(path, "is a folder", "name a file in it", ErrorKind::file);
  throw Error(path, "the extension does not tell the format",
              "name the format (csv, libsvm or arff), or use .csv .tsv .txt .data .libsvm .svm .arff, with "
              ".gz if packed");
}

Dataset parse(const FileText& file, const ReadOptions& options) {
  switch (file.format) {
    case FileFormat::libsvm:
      return parse_libsvm(file.text, file.origin, options);
    case FileFormat::arff:
      return parse_arff(file.text, file.origin, options);
    case FileFormat::csv:
    case FileFormat::automatic:
      break;
  }
  return parse_csv(file.text, file.origin, options);
}

}  // namespace

FileText file_text(const std::string& path, FileFormat format) {
  FileText file{format == FileFormat::automatic ? format_of(path) : format, read_file(path), path == "-" ? "standard input" : path, ""};
  file.remark = recode(file.text);
  return file;
}

Dataset read_text(const FileText& file, const ReadOptions& options) {
  Dataset data = parse(file, options);
  if (!file.remark.empty()) data.reading.remarks.push_back(file.remark);
  order_levels(data, file.origin, options);
  group_target(data, file.origin, options);
  if (options.training) refuse_quantity(data, file.origin, options);
  take_against_rest(data, options);
  return data;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return read_text(file_text(path, options.format), options);
}

}  // namespace treewright
