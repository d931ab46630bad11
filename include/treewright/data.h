#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace treewright {

/// The index of a column among the features. A strong index: a feature can never be passed where a node is meant. Unary plus gives the
/// plain number.
enum class FeatureId : std::int32_t {};

constexpr std::int32_t operator+(FeatureId id) {
  return static_cast<std::int32_t>(id);
}

enum class ColumnKind { numeric, categorical };

/// What the numbers of a numeric column stand for. All are compared as numbers, and said as what they are.
enum class Notation {
  plain,
  date,     ///< days since 1970-01-01
  days,     ///< durations in days
  ordered,  ///< places of ordered levels: 0, 1, 2, ...
};

/// One feature of all rows, in raw units.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::numeric;
  std::vector<double> values;       ///< numeric: one per row, NaN = missing; empty for categorical columns
  std::vector<std::int32_t> codes;  ///< categorical: index into `levels` per row, -1 = missing; empty for numeric columns
  std::vector<std::string> levels;  ///< categorical and ordered: names of the levels
  bool declared = false;            ///< the user or the file has named the kind; otherwise it was guessed from the cells
  Notation notation = Notation::plain;
  char point = '\0';          ///< numeric, written for people (1,5): the decimal point, '.' or ','
  char date_order = '\0';     ///< dates like 25/03/2020: 'd' = the day comes first, 'm' = the month
  std::string doubtful = {};  ///< a cell such as 1,234, which `point` decided; "" = all cells can be read in one way only
  bool written = false;       ///< numeric: some cell is no plain number, but a date, 1,5 or 45 %
  std::string padded = {};    ///< numeric: a cell such as 00501, which a quantity would not be written as; "" = none
  std::string unit = {};      ///< numeric, written for people: what stands beside each number ($, kg, %); "hours" of times of day
  bool zoned = false;         ///< dates: written with a time zone; the values are days in UTC

  std::size_t size() const { return kind == ColumnKind::numeric ? values.size() : codes.size(); }
  bool missing(std::size_t row) const { return kind == ColumnKind::numeric ? std::isnan(values[row]) : codes[row] < 0; }
  /// Categorical or ordered.
  bool has_levels() const { return kind == ColumnKind::categorical || notation == Notation::ordered; }
  /// The level of a row where there are levels; -1 = missing.
  std::int32_t code(std::size_t row) const {
    return missing(row) ? -1 : kind == ColumnKind::categorical ? codes[row] : static_cast<std::int32_t>(values[row]);
  }
  bool has_missing() const;
  /// Categorical: levels that occur in some row, "missing" counted as one; numeric: 0.
  std::size_t levels_present() const;
};

/// How a table was read, as far as its rows do not show it: proofs of bounds say it.
struct Reading {
  bool of_file = false;               ///< the members below are known
  std::vector<std::string> missing;   ///< texts that stand for a missing value
  std::vector<std::string> left_out;  ///< columns of the file that are no features, in its order
  std::string weights;                ///< the column of the row weights; "" = none
  std::vector<double> class_weights;  ///< what apply_class_weights has multiplied the weights of each class by; empty = nothing
  std::vector<double> edges;          ///< the target's numbers were grouped into classes at these numbers; empty = they were not
  std::vector<std::string> columns;   ///< all of the file, in order
  std::string against_rest;           ///< the class that one_against_rest has kept; "" = it was not asked
  std::vector<std::string> costs;     ///< the columns of `row_costs`, in their order
  std::size_t unlabeled = 0;          ///< rows that were left out, because they have no label
  char decimal = '\0';                ///< the decimal mark of the file's numbers, '.' or ','; '\0' = they show none
  std::vector<std::string> remarks;   ///< what was done so that the text could be read, a sentence each
};

/// What a tree loses that predicts a number.
enum class Loss { squared, poisson, survival };

/// The numbers that a tree predicts, where the target is not a class.
struct Response {
  Loss loss = Loss::squared;
  std::vector<double> values;      ///< squared: the number; poisson: events; survival: 1 = the event was seen. Shape (rows).
  std::vector<double> exposure;    ///< poisson: time or amount at risk, > 0; survival: see set_hazards. Empty = 1.
  std::vector<double> times = {};  ///< survival: when the event was seen, or the row was seen last without it. Shape (rows).

  double at_risk(std::size_t row) const { return exposure.empty() ? 1.0 : exposure[row]; }
};

/// From `time` on, this share is still without the event: a step of a survival curve.
struct SurvivalStep {
  double time = 0, share = 1;
  bool operator==(const SurvivalStep&) const = default;
};

/// Rows to train on or to predict: typed feature columns, class labels with names or numbers to predict, optional row weights.
///
/// Invariants (checked by `validate`): all columns, `labels`, `response` and `weights` have the same number of rows (labels and weights may
/// be empty: unlabeled, weight 1); there are labels or a response, not both; numbers of the response are finite; the names of columns, of
/// classes and of the levels of a column differ, and none holds a zero character; codes and labels index their names, places of ordered
/// levels too; numeric values are NaN or no larger than half the largest double; weights are finite and >= 0; costs are finite, and by
/// class or by row; counts are >= 0.
class Dataset {
 public:
  std::vector<Column> columns;
  std::vector<std::int32_t> labels;  ///< index into `class_names` per row; empty when the data have no target
  std::vector<std::string> class_names;
  std::optional<Response> response;  ///< instead of labels, which are empty then, as are `class_names`
  std::vector<double> weights;       ///< empty = every row weighs 1
  /// What a label costs a row that weighs 1, by true class and label; empty = 1 where the label is wrong. Shape (classes x classes). `fit`
  /// reads it.
  std::vector<double> costs;
  /// What each label costs each row that weighs 1; negative numbers are rewards. Shape (rows x classes), row after row; empty = as `costs`
  /// say. `labels` are the true classes, or what take_cheapest_labels makes of these numbers.
  std::vector<double> row_costs;
  /// How many rows of a leaf each row counts for; empty = 1. Training sets it on rows that stand for others.
  std::vector<std::int32_t> counts;
  std::string target_name = "class";
  Reading reading;

  std::size_t rows() const;
  std::size_t features() const { return columns.size(); }
  std::size_t classes() const { return class_names.size(); }
  bool labeled() const { return !labels.empty(); }
  /// Labels, or numbers to predict.
  bool has_target() const { return labeled() || response.has_value(); }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  std::int32_t count(std::size_t row) const { return counts.empty() ? 1 : counts[row]; }
  bool has_costs() const { return !costs.empty() || !row_costs.empty(); }

  /// Sum of all weights.
  double total_weight() const;
  bool is_weighted() const;  ///< some row does not weigh 1
  /// The last digits of sums of doubles as large as all weights together: less than the smallest weight of data that pass
  /// validate_for_training.
  double weight_tolerance() const { return 1e-13 * total_weight(); }
  /// Sum of the weights of each class. Shape (classes).
  std::vector<double> class_totals() const;

  /// The given rows in the given order; names and levels are kept whole. Rows may repeat. Throws Error on a row that is none of the data.
  Dataset subset(std::span<const std::int32_t> rows) const;

  /// Throws Error (naming the column and the row) unless the invariants above hold.
  void validate() const;
  /// `validate`, and what training needs besides: labels, at least 2 rows, and at least 2 classes that occur, or that have costs by row;
  /// or a response whose numbers differ.
  void validate_for_training() const;
};

/// Multiplies row weights by class weights. `spec`: "" (nothing), "balanced" (total / (classes * total of the class), as
/// scikit-learn), or "name=weight,name=weight" (unnamed classes keep 1). Throws Error on an unknown class or a bad weight.
void apply_class_weights(Dataset& data, const std::string& spec);

/// Of a response of survival: its exposures, the events that a row expects which is like all rows, observed up to its time. To be called
/// after every change of times, events or weights; readers and `subset` do.
void set_hazards(Dataset& data);

/// Gives each row the label that costs it least by `row_costs`, the first of equals: a tree that chooses among actions has no true classes.
void take_cheapest_labels(Dataset& data);

/// Merges all classes but this one into one class "not NAME", the first of the two. Throws Error where `positive` is no class.
void one_against_rest(Dataset& data, const std::string& positive);

enum class FileFormat { automatic, csv, libsvm, arff };
enum class Header { automatic, yes, no };

/// How to read a file. Wherever a column is asked for, give its name or, when no column has that name, its
/// index in the file as text: 0-based, negative from the end ("-1" is the last column).
struct ReadOptions {
  /// `automatic` goes by the extension (.csv .tsv .txt .data, .libsvm .svm, .arff, each also with .gz;
  /// standard input is CSV).
  FileFormat format = FileFormat::automatic;
  /// CSV: whether the first row holds names. `automatic` follows the rule told in csv.cpp. Without a header
  /// columns are called x0, x1, ... by position and the target "class".
  Header header = Header::automatic;
  /// CSV: '\0' finds out among comma, semicolon, tab and blanks; ' ' means runs of blanks.
  char separator = '\0';
  /// The column with the class names; nothing = unlabeled rows to predict on. LIBSVM: the label in front, or
  /// nothing to skip it.
  std::optional<std::string> target = "-1";
  /// The name of the target where the file has such a column, whatever `target` says: that of a tree which is to be applied.
  std::string known_target = {};
  /// Columns that are left out.
  std::vector<std::string> drop;
  /// Column with row weights (numbers >= 0).
  std::optional<std::string> weights;
  /// Columns of numbers: what each label costs the row. They become `row_costs`, their names the classes; there is no target then.
  std::vector<std::string> cost_columns = {};
  /// Kinds of columns, instead of what the file suggests. Column -> kind.
  std::map<std::string, ColumnKind> kinds;
  /// Columns of ordered levels, with all levels from the lowest to the highest. Another text is an Error in training; otherwise the column
  /// stays one of categories, for `align`.
  std::map<std::string, std::vector<std::string>> ordered = {};
  /// CSV: lines above the header that are no rows. -1 finds out: lines of one cell above names of several columns.
  int skip = -1;
  /// Columns that are read as categories where the file has them and `kinds` does not say otherwise: those of a tree that is to be applied.
  std::vector<std::string> categories = {};
  /// Columns of numbers or dates of such a tree: a cell that is neither throws an Error.
  std::vector<std::string> numbers = {};
  /// Faults of features that neither list names are passed over: their values say nothing then.
  bool only_listed = false;
  /// Cells that stand for a missing value. In a text column a marker in quotes is an ordinary level; an empty
  /// cell in quotes is missing in any column. One that is a number means it in all its writings among numbers.
  std::vector<std::string> missing = {"", "?", "NA", "NaN", "nan", "null", "NULL", "N/A", "N/a", "n/A", "n/a"};
  /// LIBSVM: the least number of feature columns. The format leaves out zeros, so a file may not show its
  /// last features.
  int libsvm_features = 0;
  /// Decimal mark of numbers, '.' or ','. '\0' finds out from the cells.
  char decimal = '\0';
  /// The same where the file leaves it open (1,234 or 1.234): that of a tree which is to be applied.
  char doubtful_decimal = '\0';
  /// Dates whose cells leave it open (03/04/2020): 'd' = the day comes first, 'm' = the month. '\0' throws an Error there.
  char date_order = '\0';
  /// Leave out rows without a label instead of throwing an Error.
  bool drop_unlabeled = false;
  /// Take infinite numbers (inf, 1e400) as missing values instead of throwing an Error. Not for weights and costs.
  bool infinite_missing = false;
  /// Group the numbers of the target into so many classes of about equally many rows; 0 = each text is a class.
  int bins = 0;
  /// Group the numbers of the target into classes at these ascending numbers, as an earlier reading with `bins` has (Reading::edges).
  std::vector<double> edges = {};
  /// Train even where the target holds so many numbers that it is a quantity: each number is a class.
  bool target_classes = false;
  /// Take all classes but this one as one class, `one_against_rest`; "" = keep them.
  std::string against_rest = {};
  /// Predict the numbers of the target (Dataset::response), with this loss.
  std::optional<Loss> loss = {};
  /// The same with squared error where nobody has said what the target is, and it has more than 20 different numbers or some that are not
  /// whole.
  bool guess_numbers = false;
  /// Column of exposures (numbers above 0), for the loss poisson.
  std::optional<std::string> exposure = {};
  /// Column that holds 1 where the event was seen and 0 elsewhere, for the loss survival, whose target is the time.
  std::optional<std::string> event = {};
  /// Also check what training needs (`Dataset::validate_for_training`), naming the file in the message.
  bool training = false;
};

/// Reads a file, packed by gzip or zip or not; `-` is standard input. Levels of text columns and class names are
/// sorted: by value when all of them are numbers, else by their bytes. The result satisfies
/// `Dataset::validate`. Throws Error naming file, line and column for whatever does not fit.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// The same for text in memory; `origin` is what messages call it. `options.format` is not looked at.
Dataset parse_csv(std::string_view text, const std::string& origin, const ReadOptions& options = {});
Dataset parse_libsvm(std::string_view text, const std::string& origin, const ReadOptions& options = {});
Dataset parse_arff(std::string_view text, const std::string& origin, const ReadOptions& options = {});

/// Reads `data.costs` from a CSV file: the first line names the labels, the first cell of each further line a true class, and the other
/// cells are what the label costs a row of that class. Every class of the data needs a line and a column. Throws Error naming file and
/// place.
void read_costs(Dataset& data, const std::string& path);
/// The same for text in memory.
void parse_costs(Dataset& data, std::string_view text, const std::string& origin);

/// The data as CSV: header; features, then a column "weight" if there are weights, then the target if there
/// are labels. Numbers have the digits that read back to the same value; missing values are empty cells;
/// names and levels are quoted where needed, also when they look like a missing marker. `parse_csv` gives the
/// data back if told the weights column, that there is a header (for names that are numbers), and which
/// columns are categorical (for levels that are all numbers); levels and classes that do not occur are lost,
/// and an empty level reads as missing.
std::string write_csv(const Dataset& data);

/// Row numbers of a Dataset, from 0; `Dataset::subset` takes them.
using RowNumbers = std::vector<std::int32_t>;

struct SplitOptions {
  std::uint64_t seed = 1;
  /// Spread every class over the parts in proportion (needs labels, or numbers, which are spread at random).
  bool stratified = true;
};

/// Draws disjoint parts at random. `fractions`: share of the rows for each part, each > 0 with sum <= 1
/// (below 1 the rest is left out): {0.75, 0.25} for train and test, {0.5, 0.25, 0.25} for train, valid and
/// test. Shape of the result: (fractions); each part's rows ascend. A part holds its share of the rows, or
/// stratified its share of each class, rounded up or down. Throws Error on bad fractions, on parts that would
/// be empty, and on stratification without labels.
std::vector<RowNumbers> split_rows(const Dataset& data, std::span<const double> fractions, const SplitOptions& options = {});

struct Fold {
  RowNumbers train, test;  ///< ascending, together all rows
};

/// k-fold cross-validation: each row is in the test part of one fold. Sizes of test parts differ by at most
/// one, stratified also those of each class. Throws Error unless 2 <= k <= rows.
std::vector<Fold> k_folds(const Dataset& data, int k, const SplitOptions& options = {});

}  // namespace treewright
