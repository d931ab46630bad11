#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/read/notes.h"
#include "treewright/options.h"
#include "treewright/report.h"
#include "treewright/result.h"

namespace treewright::cli {

/// Exit codes of the command.
enum ExitCode { kOk = 0, kCheckFailed = 1, kUsage = 2, kBadData = 3 };

/// Each adds its subcommand to `app`; running it stores the exit code in `code`.
void add_fit(CLI::App& app, int& code);
void add_predict(CLI::App& app, int& code);
void add_show(CLI::App& app, int& code);
void add_export(CLI::App& app, int& code);
void add_explain(CLI::App& app, int& code);
void add_report(CLI::App& app, int& code);
void add_score(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);
void add_describe(CLI::App& app, int& code);
void add_table(CLI::App& app, int& code);
void add_generate(CLI::App& app, int& code);
void add_methods(CLI::App& app, int& code);
void add_tune(CLI::App& app, int& code);
void add_tradeoff(CLI::App& app, int& code);
void add_alternatives(CLI::App& app, int& code);
void add_partition(CLI::App& app, int& code);
void add_completion(CLI::App& app, int& code);
void add_manual(CLI::App& app, int& code);

/// The flags that say how to read a data file; `options` must outlive the parsing.
void add_read_flags(CLI::App& command, ReadOptions& options);

/// Which lines of the option table: all, or those named; without those left out.
struct OptionChoice {
  std::vector<std::string> names, left_out;
};

/// A flag for each of these options; `options` must outlive the parsing.
void add_option_flags(CLI::App& command, Options& options, const OptionChoice& which = {});

/// A flag that the first Ctrl-C, SIGTERM or SIGHUP sets; the second one ends the program as usual.
const std::atomic<bool>* stop_on_interrupt();
/// The exit code of a run that one of these ended, after its outputs were written; kOk if none did.
int code_of_interrupt();

/// Reads a tree file.
Result load_tree(const std::string& path);

bool is_in(const std::vector<std::string>& names, const std::string& name);

/// Notes on the data, a line each, with what to do about them.
std::string notes_text(const std::vector<DataNote>& notes);

/// Before training: prints notes on the data unless `quiet`, and removes the columns that training does better without. Throws Error if
/// none is left. `origin` is what messages call the data.
void prepare(Dataset& data, const std::string& origin, bool quiet);

/// The rows to train on, and those to test on if there are any.
struct DataParts {
  Dataset train, test;
  /// Of rows that are read again: how they are no rows that the tree was trained on, and what the tree's file has left out of them or
  /// changed, a sentence each.
  std::vector<std::string> unlike = {}, changed = {};
  bool tested() const { return test.labeled(); }
};

/// The rows to train on and those to test on, where this share of them is held out, of each class alike. Equal rows give equal parts.
std::vector<RowNumbers> rows_of_parts(const Dataset& data, double share);
/// Moves that share of `parts.train` to `parts.test`.
void hold_out(DataParts& parts, double share);

/// The flag --quiet of commands that read rows for a tree.
void add_quiet_flag(CLI::App& command);

/// How `read_train_and_test` reads.
struct PartsOptions {
  std::string one_class;  ///< of more than two classes this one is taken against the rest; "" = all are kept
  bool quiet = false;     ///< print no notes on the data
};

/// Reads and prepares the rows of a file to train on. Tests are a share of them, or the rows of another file, or none. `read` becomes how
/// the file was read.
DataParts read_train_and_test(const std::string& path, const std::string& test_path, double test_share, ReadOptions& read,
                              const PartsOptions& how);

/// Throws Error where a folder is named that is not there; "" names none. `flag`: where it was named.
void check_folder(const std::string& path, const char* flag);

/// The flag --costs; `path` must outlive the parsing.
void add_costs_flag(CLI::App& command, std::string& path);
/// Reads the costs of labels from this file, if there is one, for all parts.
void take_costs(DataParts& parts, const std::string& path, const ReadOptions& read);

/// What a tree file is to remember of the file that was read into `data`.
TrainingFile training_file(const ReadOptions& options, const Dataset& data);

/// Reads rows for a tree: its columns in its order. What the flags do not say is read as in its training. Prints notes on columns that are
/// probably written otherwise than in training.
Dataset read_rows(const Result& result, const std::string& path, const ReadOptions& options);

/// A row of the file by its number from 0, also where the training has left out rows before it. Prints no notes.
Dataset read_row(const Result& result, const std::string& path, const ReadOptions& options, std::size_t row);

/// As `read_rows`, with labels. `look` sees the rows as they were read, with all columns of the file, and in the tree's columns.
Dataset read_labeled(const Result& result, const std::string& path, const ReadOptions& options,
                     const std::function<void(const Dataset& read, const Dataset& rows)>& look = {});

/// Reads the file that a tree was trained on: weighted by class as in its training, and parted as there if rows were held out. What the
/// tree's file alone says of the reading, and not `options`, is told.
DataParts read_for(const Result& result, const std::string& path, ReadOptions options);

/// Checks that an argument is a share from 0.01 to 0.99.
CLI::Validator is_share();
/// Checks that it is a finite number from 0 on, or above 0.
CLI::Validator is_not_negative();
CLI::Validator is_positive();

/// The flag --shrinkage of commands that use probabilities, or train; `shrinkage` must outlive the parsing. `otherwise`: what holds
/// without the flag.
CLI::Option* add_shrinkage_flag(CLI::App& command, std::optional<double>& shrinkage,
                                const std::string& otherwise = "what the tree's file says");

/// How rows are labeled: by which probabilities, and of two classes which is predicted from which probability on (by the leaf if empty).
struct Decision {
  std::optional<double> shrinkage;  ///< the tree's own if empty
  std::optional<double> threshold;
  std::string positive;

  std::vector<double> probabilities(const Tree& tree, const Dataset& data) const;
  std::vector<std::int32_t> labels(const Tree& tree, const Dataset& data) const;
};

/// The flags --threshold and --positive; `decision` must outlive the parsing.
CLI::Option* add_decision_flags(CLI::App& command, Decision& decision);

/// How a tree does on labeled rows: accuracy, AUC, scores of the probabilities, measures of each class with intervals, the confusion
/// matrix. `data` must be aligned to it.
std::string score_text(const Tree& tree, const Dataset& data, const Decision& choice = {});
nlohmann::ordered_json score_json(const Tree& tree, const Dataset& data, const Decision& choice = {});

/// The report of a tree as a page. Trains the greedy tree on `parts.train` to compare with and, if `path_seconds` is given, in that time
/// the complexity path.
std::string page_of(ReportParts parts, std::optional<double> path_seconds = {});

/// --title and --author of the page that `page` writes; nullptr = the command writes one anyhow.
void add_page_flags(CLI::App& command, std::string& title, std::string& author, CLI::Option* page);

/// The day in Greenwich.
std::string today();

/// SHA-256 of a data file; "" for standard input.
std::string checksum(const std::string& path);

/// What a proof file shows of a tree.
struct Verification {
  std::string sentence;  ///< "" if Ctrl-C ended the check
  bool optimal = false;
};
/// Checks the proof file. Throws Error if it does not hold.
Verification verification(const std::string& path, const Result& result, const DataParts& parts);

/// Before long work: throws Error where `path` cannot be written or is one of the files that the command reads.
void check_output(const std::string& path, std::initializer_list<std::string> inputs);
/// The same for the files that training writes: models, rows, proofs.
void check_model_outputs(const Options& options, std::initializer_list<std::string> inputs);

/// The name of a file without its folder: a page for others shows no path of this machine.
std::string file_name(const std::string& path);

/// Writes to the file, or to standard output for "" and "-".
void write_output(const std::string& path, const std::string& content);

/// The outputs at the end of a run.
class Outputs {
 public:
  /// Writes one. Its Error, if it is the first, waits for `end`.
  void write(const std::function<void()>& output);
  /// The tree with its claims, if there is a path; in a temporary folder if that cannot be written.
  void write_tree(const std::string& path, const Result& result);
  /// Throws the first Error.
  void end() const;

 private:
  std::optional<Error> first_;
};

}  // namespace treewright::cli
