#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/splits.h"
#include "treewright/result.h"

namespace treewright::cli {

/// Reads a tree file.
Result load_tree(const std::string& path);

/// The rows to train on, and those to test on if there are any.
struct DataParts {
  Dataset train, test;
  /// Of rows that are read again: how they are no rows that the tree was trained on, and what the tree's file has left out of them or
  /// changed, a sentence each.
  std::vector<std::string> unlike = {}, changed = {};
  bool tested() const { return test.has_target(); }
};

/// The rows to train on and those to test on, where this share of them is held out, of each class alike. Equal rows give equal parts.
std::vector<RowNumbers> rows_of_parts(const Dataset& data, double share);
/// Moves that share of `parts.train` to `parts.test`.
void hold_out(DataParts& parts, double share);

/// How `read_train_and_test` reads.
struct PartsOptions {
  std::string one_class;  ///< of more than two classes this one is taken against the rest; "" = all are kept
  bool quiet = false;     ///< print no notes on the data
};

/// Reads and prepares the rows of a file to train on. Tests are a share of them, or the rows of another file, or none. `read` becomes how
/// the file was read.
DataParts read_train_and_test(const std::string& path, const std::string& test_path, double test_share, ReadOptions& read,
                              const PartsOptions& how);

/// The flag --costs; `path` must outlive the parsing.
void add_costs_flag(CLI::App& command, std::string& path);
/// Reads the costs of labels from this file, if there is one, for all parts.
void take_costs(DataParts& parts, const std::string& path, const ReadOptions& read);

/// What a tree file is to remember of the file that was read into `data`. `test_share`: of its rows, `all_rows` of them, that are held out;
/// 0 = none.
TrainingFile training_file(const ReadOptions& options, const Dataset& data, double test_share = 0, std::size_t all_rows = 0);
/// The same of what was read in parts.
TrainingFile training_file(const ReadOptions& options, const DataParts& parts, double test_share);

/// Reads rows for a tree: its columns in its order. What the flags do not say is read as in its training. Prints notes on columns that are
/// probably written otherwise than in training, unless `quiet`.
Dataset read_rows(const Result& result, const std::string& path, const ReadOptions& options, bool quiet);

/// A row of the file by its number from 0, also where the training has left out rows before it. Prints no notes.
Dataset read_row(const Result& result, const std::string& path, const ReadOptions& options, std::size_t row);

/// As `read_rows`, with labels. `look` sees the rows as they were read, with all columns of the file, and in the tree's columns.
Dataset read_labeled(const Result& result, const std::string& path, const ReadOptions& options, bool quiet,
                     const std::function<void(const Dataset& read, const Dataset& rows)>& look = {});

/// Reads the file that a tree was trained on: weighted by class as in its training, and parted as there if rows were held out. What the
/// tree's file alone says of the reading, and not `options`, is told.
DataParts read_for(const Result& result, const std::string& path, ReadOptions options);

}  // namespace treewright::cli
