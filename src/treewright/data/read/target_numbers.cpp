// A target whose numbers are predicted. Readers take every target as text first, because labels may look like anything: here the distinct
// texts become numbers, as those of any column do.

#include "treewright/data/read/target_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "treewright/data/read/column_plan.h"
#include "treewright/data/read/notes.h"
#include "treewright/data/read/parse_number.h"
#include "treewright/data/read/target_bins.h"
#include "treewright/error.h"

namespace treewright {

namespace {

constexpr std::size_t kMostWholeClasses = 20;
constexpr std::size_t kCodes = 4;  // so many whole numbers are codes of classes; more may be counts or grades
constexpr const char* kRemedy = "give a finite number or leave the row out, or name another column with --target";

bool says_classes(const ReadOptions& options) {
  return options.bins > 0 || !options.edges.empty() || options.target_classes || !options.against_rest.empty() ||
         !options.cost_columns.empty();
}

// As the options say, or squared error for many different numbers and for some that are not whole.
std::optional<Loss> loss_of(Dataset& data, const std::string& where, const ReadOptions& options) {
  if (options.loss || !options.guess_numbers || says_classes(options)) return options.loss;
  if (!std::ranges::all_of(data.class_names, is_number)) return std::nullopt;
  const std::vector<double> numbers = numbers_of_classes(data, where, options.decimal, kRemedy);
  const bool are_whole = std::ranges::all_of(numbers, [](double number) { return !std::isfinite(number) || number == std::floor(number); });
  if (!are_whole || numbers.size() > kMostWholeClasses) return Loss::squared;
  if (numbers.size() > kCodes)
    data.reading.remarks.push_back(
        fmt::format("the {} different numbers of the target '{}' are taken as classes; to predict the number add --loss squared",
                    numbers.size(), data.target_name));
  return std::nullopt;
}

// The numbers of a column of categories that are all written as numbers, such as {0,1} of an ARFF file. Others stay as they are.
void take_codes_for_numbers(Column& column) {
  if (column.kind != ColumnKind::categorical) return;
  std::vector<double> of_level(column.levels.size());
  for (std::size_t level = 0; level < of_level.size(); ++level) {
    if (parse_number(column.levels[level], of_level[level]) != NumberText::number) return;
  }
  for (const std::int32_t code : column.codes) column.values.push_back(code < 0 ? std::nan("") : of_level[static_cast<std::size_t>(code)]);
  column.codes.clear();
  column.kind = ColumnKind::numeric;
}

// Numbers of a column, which leaves the features. `what` it is to be, by which `flag`, and what each row needs.
std::vector<double> take_column(Dataset& data, const std::string& spec, const std::string& what, const std::string& flag,
                                const std::string& needed, const std::string& origin) {
  const std::string name = data.reading.columns[find_column(data.reading.columns, spec, fmt::format("{} ({})", what, flag), origin)];
  const auto found = std::ranges::find_if(data.columns, [&](const Column& column) { return column.name == name; });
  const std::string where = fmt::format("{}, column '{}'", origin, name);
  if (found == data.columns.end())
    throw Error(where, fmt::format("is no feature, and cannot be the {}", what), fmt::format("name another column with {}", flag));
  take_codes_for_numbers(*found);
  if (found->kind == ColumnKind::numeric && found->has_missing()) {
    const auto missing = std::ranges::find_if(found->values, [](double cell) { return std::isnan(cell); });
    throw Error(where, fmt::format("the cell of row {} is missing", missing - found->values.begin() + 1),
                fmt::format("give each row {}, or leave the row out", needed));
  }
  if (found->kind != ColumnKind::numeric || found->notation != Notation::plain)
    throw Error(where, fmt::format("holds something else than numbers, and cannot be the {}", what),
                fmt::format("give each row {}", needed));
  std::vector<double> numbers = std::move(found->values);
  data.columns.erase(found);
  return numbers;
}

}  // namespace

void take_numbers(Dataset& data, const std::string& origin, const ReadOptions& options) {
  const std::string where = fmt::format("{}, target '{}'", origin, data.target_name);
  if (options.loss && says_classes(options))
    throw Error(where, "is to be classes and a number", "leave --loss out, or what makes classes of the target", ErrorKind::usage);
  if (options.exposure && options.loss != Loss::poisson)
    throw Error("--exposure", "is read for the loss poisson alone", "add --loss poisson, or leave it out", ErrorKind::usage);
  if (options.event && options.loss != Loss::survival)
    throw Error("--event", "is read for the loss survival alone", "add --loss survival, or leave it out", ErrorKind::usage);
  if (options.loss == Loss::survival && !options.event)
    throw Error("--loss survival", "the target is a time, and nothing says where the event was seen",
                "name the column that holds 1 for these rows and 0 for the others with --event", ErrorKind::usage);
  const std::optional<Loss> loss = data.labeled() ? loss_of(data, where, options) : std::nullopt;
  if (!loss) return;
  const std::vector<double> numbers = numbers_of_classes(data, where, options.decimal, kRemedy);
  Response response{*loss, {}, {}};
  response.values.reserve(data.labels.size());
  for (const std::int32_t label : data.labels) response.values.push_back(numbers[static_cast<std::size_t>(label)]);
  if (options.exposure) response.exposure = take_column(data, *options.exposure, "exposure", "--exposure", "a number above 0", origin);
  if (options.event) {
    response.times = std::move(response.values);
    response.values =
        take_column(data, *options.event, "column of events", "--event", "1 where the event was seen, and 0 where it was not", origin);
  }
  data.labels.clear();
  data.class_names.clear();
  data.response = std::move(response);
  if (*loss == Loss::survival) set_hazards(data);
  if (options.loss) return;
  data.reading.remarks.push_back(fmt::format(
      "the target '{}' is taken as a number, whose mean is predicted; for classes add --target-classes, or --bins 3", data.target_name));
}

}  // namespace treewright
