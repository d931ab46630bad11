// The one entry for files: which format, then its parser.

#include "treewright/data/read/read.h"

#include "treewright/base/file.h"
#include "treewright/base/system.h"
#include "treewright/base/zip.h"
#include "treewright/data/read/column_builder.h"
#include "treewright/data/read/encoding.h"
#include "treewright/data/read/ordered_levels.h"
#include "treewright/data/read/target_bins.h"
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
  for (const char* ending : {".xz", ".bz2", ".zst", ".7z", ".rar"}) {
    if (drop_ending(name, ending))
      throw Error(path, "files that are packed so are not read", "unpack it first, or pack it with gzip or zip");
  }
  for (const char* ending : {".parquet", ".pq"}) {
    if (drop_ending(name, ending)) throw Error(path, "Parquet files are not read", parquet_to_csv(path));
  }
  const system::FileKind kind = system::kind_of(path);
  if (kind == system::FileKind::absent) return FileFormat::csv;  // the reader says that it is not there
  if (kind == system::FileKind::folder) throw Error(path, "is a folder", "name a file in it", ErrorKind::file);
  throw Error(path, "the extension does not tell the format",
              "name the format (csv, libsvm or arff), or use .csv .tsv .txt .data .libsvm .svm .arff, with "
              ".gz or .zip if packed");
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
  FileText file{format, "", path == "-" ? "standard input" : path, ""};
  PackedFile read{path, ""};
  // The name inside an archive tells the format; of other files the name is looked at before they are read.
  const bool zipped = lower(path).ends_with(".zip");
  if (zipped) read = unzip(read_file(path), path);
  if (file.format == FileFormat::automatic) file.format = format_of(read.name);
  file.text = zipped ? std::move(read.content) : read_file(path);
  // DOS ends texts with Ctrl-Z.
  if (const std::size_t last = file.text.find_last_not_of(" \t\r\n"); last != std::string::npos && file.text[last] == '\x1A')
    file.text.resize(last);
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
