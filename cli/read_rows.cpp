// What a tree file remembers of the file that the tree was trained on, and reading other files alike: a user who has said once that "-" is
// a missing value does not have to say it again. Also the parts of the training data, and the costs of labels.

#include "read_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "notes.h"
#include "treewright/base/file.h"
#include "treewright/base/name_list.h"
#include "treewright/data/read/column_plan.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/data/read/written_numbers.h"
#include "treewright/error.h"
#include "treewright/explain/row_notes.h"
#include "treewright/explain/text.h"
#include "treewright/task/cost_objective.h"

namespace treewright::cli {

namespace {

std::vector<std::string> added_markers(const std::vector<std::string>& markers) {
  const std::vector<std::string> usual = ReadOptions().missing;
  std::vector<std::string> out;
  for (const std::string& marker : markers) {
    if (std::find(usual.begin(), usual.end(), marker) == usual.end()) out.push_back(marker);
  }
  return out;
}

// The index of a column that is called as those of LIBSVM files are, x1, x2, ...; else 0.
int libsvm_index(const std::string& name) {
  int index = 0;
  const char* const end = name.data() + name.size();
  return name.starts_with('x') && std::from_chars(name.data() + 1, end, index).ptr == end ? index : 0;
}

enum class Needed { asked_columns, all_columns };

// What the flags do not say is as in the training. Names and kinds of columns are the tree's: `align` sees to them. But levels such as 01
// and 1 must not be read as numbers first, and a word among numbers has its line here.
ReadOptions as_trained(const Result& result, ReadOptions options, Needed needed) {
  const TrainingFile& file = result.file;
  const std::vector<FeatureId> used = result.tree.features_used();
  for (std::size_t f = 0; f < result.tree.features.size(); ++f) {
    if (needed == Needed::asked_columns && !std::binary_search(used.begin(), used.end(), FeatureId{static_cast<std::int32_t>(f)})) continue;
    const Feature& feature = result.tree.features[f];
    (feature.has_levels() ? options.categories : options.numbers).push_back(feature.name);
    options.libsvm_features = std::max(options.libsvm_features, libsvm_index(feature.name));
  }
  options.only_listed = true;
  options.missing.insert(options.missing.end(), file.missing.begin(), file.missing.end());
  std::erase_if(options.missing, [&](const std::string& text) { return is_in(file.present, text); });
  if (options.decimal == '\0') options.decimal = file.decimal;
  if (options.doubtful_decimal == '\0') options.doubtful_decimal = file.doubtful_decimal;
  if (options.date_order == '\0') options.date_order = file.date_order;
  options.drop_unlabeled |= file.drop_unlabeled;
  if (options.bins == 0 && options.edges.empty()) options.edges = file.edges;
  if (options.against_rest.empty()) options.against_rest = file.against_rest;
  if (options.cost_columns.empty()) options.cost_columns = file.costs;
  options.loss = result.tree.loss;
  if (!options.exposure) options.exposure = file.exposure;
  if (!options.event) options.event = file.event;
  return options;
}

// The rows in the tree's columns. Prints notes on what was read, unless `quiet`.
Dataset aligned(const Dataset& read, const Tree& tree, bool quiet) {
  Dataset rows = align(read, tree);
  if (quiet) return rows;
  for (const explain::RowNote& note : explain::look_at_rows(read, rows, tree))
    fmt::print(stderr, "{}\n", explain::printable(fmt::format("note: {}; {}", note.problem, note.remedy)));
  return rows;
}

}  // namespace

TrainingFile training_file(const ReadOptions& options, const Dataset& data, double test_share, std::size_t all_rows) {
  TrainingFile file;
  file.missing = added_markers(options.missing);
  for (const std::string& marker : ReadOptions().missing) {
    if (!is_in(options.missing, marker)) file.present.push_back(marker);
  }
  if (options.target != ReadOptions().target) file.target = options.target;
  file.weights = options.weights;
  file.exposure = options.exposure;
  file.event = options.event;
  file.costs = options.cost_columns;
  file.drop = options.drop;
  for (const auto& [name, kind] : options.kinds) (kind == ColumnKind::numeric ? file.numeric : file.categorical).push_back(name);
  file.decimal = options.decimal;
  file.date_order = options.date_order;
  file.drop_unlabeled = options.drop_unlabeled;
  file.edges = data.reading.edges;
  file.target_classes = options.target_classes;
  file.against_rest = options.against_rest;
  for (const Column& column : data.columns) {
    if (column.date_order != '\0') file.date_order = column.date_order;
  }
  if (file.decimal == '\0') file.doubtful_decimal = data.reading.decimal;
  file.test_share = test_share;
  if (test_share > 0) file.rows = static_cast<std::int64_t>(all_rows);
  return file;
}

TrainingFile training_file(const ReadOptions& options, const DataParts& parts, double test_share) {
  return training_file(options, parts.train, test_share, parts.train.rows() + parts.test.rows());
}

namespace {

// New rows may come without labels: the target column is read like any other and then ignored.
Dataset read_all(const Result& result, const std::string& path, const ReadOptions& options) {
  ReadOptions unlabeled = as_trained(result, options, Needed::asked_columns);
  unlabeled.target.reset();
  unlabeled.loss.reset();
  unlabeled.exposure.reset();
  unlabeled.event.reset();
  unlabeled.cost_columns.clear();
  unlabeled.drop_unlabeled = false;
  return read_dataset(path, unlabeled);
}

}  // namespace

Dataset read_rows(const Result& result, const std::string& path, const ReadOptions& options, bool quiet) {
  const Dataset read = read_all(result, path, options);
  for (const std::string& remark : read.reading.remarks) {
    // Of single columns the training has told. But lines that are no rows have no label in the output.
    if (!quiet && !remark.starts_with("column '")) fmt::print(stderr, "{}\n", explain::printable("note: " + remark));
  }
  return aligned(read, result.tree, quiet);
}

Dataset read_row(const Result& result, const std::string& path, const ReadOptions& options, std::size_t row) {
  const Dataset rows = align(read_all(result, path, options), result.tree);
  if (row >= rows.rows()) throw Error(fmt::format("row {}", row), fmt::format("{} has {} rows", path, rows.rows()), "count from 0");
  const std::int32_t only[] = {static_cast<std::int32_t>(row)};
  return rows.subset(only);
}

namespace {

// Where nobody named the target of a file, it must be `target`. Trees from Python know no name.
void check_target(const Dataset& read, const std::string& target, const std::string& path) {
  if (!read.has_target() || !read.row_costs.empty() || read.target_name == target || target == Dataset().target_name) return;
  throw Error(path, fmt::format("the target '{}' is missing", target), "add it, or name another column with --target");
}

// `costs_of_training`: the user did not name the columns of costs; an error about them then says where they come from.
Dataset read_with_costs(const std::string& path, const ReadOptions& options, bool costs_of_training) {
  try {
    return read_dataset(path, options);
  } catch (const Error& error) {
    if (!costs_of_training || error.where().find("--cost-columns") == std::string::npos) throw;
    throw Error(path, fmt::format("{} of costs, as this tree was trained with", error.problem()),
                "add it, name other columns with --cost-columns, or use predict, which needs no costs");
  }
}

struct LabeledOptions {
  Needed needed{};
  bool quiet = false;
  std::function<void(const Dataset&, const Dataset&)> look = {};
};

Dataset read_with_labels(const Result& result, const std::string& path, const ReadOptions& options, const LabeledOptions& how) {
  ReadOptions labeled = as_trained(result, options, how.needed);
  const std::string& target = result.tree.target_name;
  const bool named = labeled.target != ReadOptions().target;
  if (!named) {
    if (result.file.target) labeled.target = result.file.target;
    labeled.known_target = target;
  }
  const Dataset read = read_with_costs(path, labeled, options.cost_columns.empty() && !labeled.cost_columns.empty());
  if (!named) check_target(read, target, path);
  Dataset data = aligned(read, result.tree, how.quiet);
  if (how.look) how.look(read, data);
  if (!data.has_target()) throw Error(path, "has no target column", "name it with --target");
  return data;
}

}  // namespace

Dataset read_labeled(const Result& result, const std::string& path, const ReadOptions& options, bool quiet,
                     const std::function<void(const Dataset&, const Dataset&)>& look) {
  const std::optional<std::string> weights = options.weights ? std::nullopt : result.file.weights;
  std::vector<double> found;
  const auto look_for_weights = [&](const Dataset& read, const Dataset& rows) {
    if (look) look(read, rows);
    const auto column =
        std::find_if(read.columns.begin(), read.columns.end(), [&](const Column& c) { return weights && c.name == *weights; });
    if (column != read.columns.end() && column->kind == ColumnKind::numeric) found = column->values;
  };
  Dataset data = read_with_labels(result, path, options, {Needed::asked_columns, quiet, look_for_weights});
  if (!found.empty()) {
    data.weights = std::move(found);
    if (data.response && data.response->loss == Loss::survival) set_hazards(data);
    data.validate();
  } else if (weights) {
    fmt::print(stderr, "note: the tree was trained on weighted rows, and {} has no numbers '{}': each row counts once\n", path, *weights);
  }
  return data;
}

namespace {

// Levels that are others to the tree: the rows that hold them have no value there, or that of another level.
std::vector<std::string> unlike_training(const Dataset& read, const Dataset& rows) {
  std::vector<std::string> unlike;
  for (const Column& column : read.columns) {
    const auto own = std::find_if(rows.columns.begin(), rows.columns.end(), [&](const Column& other) { return other.name == column.name; });
    if (own == rows.columns.end() || !column.has_levels() || !own->has_levels()) continue;
    std::vector<std::int32_t> first(own->levels.size(), -1);
    std::vector<bool> told(column.levels.size());
    for (std::size_t row = 0; row < column.size(); ++row) {
      const std::int32_t code = column.code(row), to = own->code(row);
      if (code < 0 || told[static_cast<std::size_t>(code)]) continue;
      told[static_cast<std::size_t>(code)] = true;
      const std::string& level = column.levels[static_cast<std::size_t>(code)];
      if (to < 0) {
        unlike.push_back(fmt::format("column '{}': the tree does not know '{}'", column.name, level));
      } else if (std::int32_t& other = first[static_cast<std::size_t>(to)]; other < 0) {
        other = code;
      } else {
        unlike.push_back(fmt::format("column '{}': '{}' and '{}' are one to the tree", column.name,
                                     column.levels[static_cast<std::size_t>(other)], level));
      }
    }
  }
  return unlike;
}

// Whether the texts would be read as numbers or dates if nobody said otherwise.
bool look_like_amounts(const std::vector<std::string>& texts) {
  return read_written_numbers(texts, '\0') || read_written_dates(texts, '\0');
}

// What the tree's file alone says of the reading; the user knows what he has named.
std::vector<std::string> changed_by_file(const Result& result, const ReadOptions& named, Dataset& data) {
  std::vector<std::string> changed;
  Reading& reading = data.reading;
  std::vector<std::string> others = reading.costs;
  others.push_back(reading.weights);
  if (reading.costs.empty()) others.push_back(data.target_name);
  for (const auto& spec : {named.exposure ? named.exposure : result.file.exposure, named.event ? named.event : result.file.event}) {
    if (spec) others.push_back(reading.columns[find_column(reading.columns, *spec, "column of the target", "the data")]);
  }
  reading.left_out.clear();
  for (const std::string& name : reading.columns) {
    const auto is_feature = [&](const Column& column) { return column.name == name; };
    if (is_in(others, name) || std::any_of(data.columns.begin(), data.columns.end(), is_feature)) continue;
    reading.left_out.push_back(name);
  }
  const std::vector<std::string> usual = ReadOptions().missing;
  std::vector<std::string> left_out = reading.left_out, missing = reading.missing;
  std::erase_if(left_out, [&](const std::string& name) { return is_in(named.drop, name); });
  std::erase_if(missing, [&](const std::string& text) { return is_in(named.missing, text) && !is_in(usual, text); });
  if (!left_out.empty()) changed.push_back(fmt::format("columns left out: '{}'", fmt::join(left_out, "', '")));
  if (const auto added = added_markers(missing); !added.empty())
    changed.push_back(fmt::format("read as missing: '{}'", fmt::join(added, "', '")));
  std::vector<std::string> present = usual;
  std::erase_if(present, [&](const std::string& text) { return !reading.of_file || is_in(missing, text) || !is_in(named.missing, text); });
  if (!present.empty()) changed.push_back(fmt::format("not read as missing: '{}'", fmt::join(present, "', '")));
  if (!named.drop_unlabeled && reading.unlabeled > 0)
    changed.push_back(fmt::format("rows left out without a label: {}", reading.unlabeled));
  if (named.against_rest.empty() && !result.file.against_rest.empty())
    changed.push_back(fmt::format("class '{}' against the rest", result.file.against_rest));
  std::vector<std::string> categories, ordered;
  for (const Column& column : data.columns) {
    if (column.notation == Notation::ordered && !named.ordered.contains(column.name)) ordered.push_back(column.name);
    if (column.kind == ColumnKind::categorical && !named.kinds.contains(column.name) && look_like_amounts(column.levels))
      categories.push_back(column.name);
  }
  if (!categories.empty()) changed.push_back(fmt::format("read as categories: '{}'", fmt::join(categories, "', '")));
  if (!ordered.empty()) changed.push_back(fmt::format("read as ordered levels: '{}'", fmt::join(ordered, "', '")));
  return changed;
}

}  // namespace

DataParts read_for(const Result& result, const std::string& path, ReadOptions options) {
  const ReadOptions named = options;
  if (!options.weights) options.weights = result.file.weights;
  DataParts parts;
  const auto look = [&](const Dataset& read, const Dataset& rows) { parts.unlike = unlike_training(read, rows); };
  parts.train = read_with_labels(result, path, options, {Needed::all_columns, false, look});
  parts.changed = changed_by_file(result, named, parts.train);
  const std::string& target = result.tree.target_name;
  const std::vector<std::string>& columns = parts.train.reading.columns;
  if (named.target == ReadOptions().target && parts.train.row_costs.empty()) {
    if (parts.train.target_name != target)
      parts.changed.push_back(fmt::format("the target is '{}', and the tree's is '{}'", parts.train.target_name, target));
    else if (is_in(columns, target) && columns.back() != target)
      parts.changed.push_back(fmt::format("the target is '{}'", target));
  }
  parts.train.costs = costs_of(*result.objective_function);
  if (result.file.test_share > 0 && static_cast<std::int64_t>(parts.train.rows()) == result.file.rows)
    hold_out(parts, result.file.test_share);
  if (!result.file.weights) parts.train.reading.weights.clear();  // a proof does not name them then
  if (const std::string* weights = result.option("class_weight")) apply_class_weights(parts.train, *weights);
  return parts;
}

namespace {

// Throws Error before a long training whose tree may then ask for any of the columns.
void check_same_columns(const Dataset& train, const Dataset& test, const std::string& path) {
  for (const Column& column : train.columns) {
    const auto same =
        std::find_if(test.columns.begin(), test.columns.end(), [&](const Column& other) { return other.name == column.name; });
    if (same == test.columns.end()) {
      throw Error(path, fmt::format("the column '{}' of the training rows is missing", column.name),
                  "give the test rows the same columns, or leave the column out with --drop");
    }
    if ((column.notation == Notation::date) != (same->notation == Notation::date) || column.zoned != same->zoned) {
      throw Error(path, fmt::format("the column '{}' holds dates or times as the training rows do not", column.name),
                  "write the column as in the training rows, or leave it out with --drop");
    }
  }
}

}  // namespace

DataParts read_train_and_test(const std::string& path, const std::string& test_path, double test_share, ReadOptions& read,
                              const PartsOptions& how) {
  read.training = true;
  DataParts parts{read_dataset(path, read), {}};
  if (!how.one_class.empty() && parts.train.classes() > 2 && read.against_rest.empty()) {
    one_against_rest(parts.train, how.one_class);
    read.against_rest = how.one_class;
  }
  prepare(parts.train, path, how.quiet);
  if (test_share > 0) {
    hold_out(parts, test_share);
  } else if (!test_path.empty()) {
    ReadOptions as_train = read;
    as_train.training = false;
    const TrainingFile file = training_file(read, parts.train);
    as_train.doubtful_decimal = file.doubtful_decimal;
    as_train.date_order = file.date_order;
    for (const Column& column : parts.train.columns) {
      (column.has_levels() ? as_train.categories : as_train.numbers).push_back(column.name);
      as_train.libsvm_features = std::max(as_train.libsvm_features, libsvm_index(column.name));
    }
    as_train.edges = file.edges;
    as_train.guess_numbers = false;
    if (parts.train.response) as_train.loss = parts.train.response->loss;
    as_train.known_target = read.target == ReadOptions().target ? parts.train.target_name : "";
    const Dataset test = read_dataset(test_path, as_train);
    if (!as_train.known_target.empty()) check_target(test, as_train.known_target, test_path);
    check_same_columns(parts.train, test, test_path);
    parts.test = align(test, Tree(parts.train));
  }
  return parts;
}

std::vector<RowNumbers> rows_of_parts(const Dataset& data, double share) {
  const double shares[] = {1 - share, share};
  return split_rows(data, shares);
}

void add_costs_flag(CLI::App& command, std::string& path) {
  command
      .add_option("--costs", path,
                  "CSV file with what each label costs: a column for each label, a line for each true class; leaves get the cheapest label")
      ->type_name("FILE")
      ->group("Data");
}

void take_costs(DataParts& parts, const std::string& path, const ReadOptions& read) {
  if (path.empty()) return;
  if (!read.cost_columns.empty())
    throw Error("--costs, --cost-columns", "costs of classes and of rows at once", "give one of them", ErrorKind::usage);
  read_costs(parts.train, path);
  if (parts.tested()) parts.test.costs = parts.train.costs;
}

void hold_out(DataParts& parts, double share) {
  const std::vector<RowNumbers> rows = rows_of_parts(parts.train, share);
  parts.test = parts.train.subset(rows[1]);
  parts.train = parts.train.subset(rows[0]);
}

Result load_tree(const std::string& path) {
  return from_json(read_file(path), path);
}

}  // namespace treewright::cli
