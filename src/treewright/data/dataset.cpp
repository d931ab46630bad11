#include "treewright/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "treewright/base/compensated_sum.h"
#include "treewright/base/error.h"
#include "treewright/base/named_numbers.h"

namespace treewright {

namespace {

// Differences of values must be numbers, and a threshold above every value must exist.
constexpr double kLargestValue = std::numeric_limits<double>::max() / 2;

// A total over the smallest weight. Sums of weights are doubles of 53 bits: beyond this, the smallest weights are lost to rounding.
constexpr double kLargestRatio = 1e12;

constexpr std::size_t kMostClasses = 65535;

}  // namespace

std::size_t Dataset::rows() const {
  if (!labels.empty()) return labels.size();
  if (response) return response->values.size();
  return columns.empty() ? 0 : columns.front().size();
}

bool Column::has_missing() const {
  if (kind == ColumnKind::numeric) return std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  return std::any_of(codes.begin(), codes.end(), [](std::int32_t c) { return c < 0; });
}

std::size_t Column::levels_present() const {
  std::vector<bool> present(levels.size() + 1, false);  // missing first
  for (const std::int32_t code : codes) present[static_cast<std::size_t>(code + 1)] = true;
  return static_cast<std::size_t>(std::count(present.begin(), present.end(), true));
}

double Dataset::total_weight() const {
  CompensatedSum total;
  for (std::size_t row = 0; row < rows(); ++row) total += weight(row);
  return total.value();
}

bool Dataset::is_weighted() const {
  return std::ranges::any_of(weights, [](double weight) { return weight != 1; });
}

std::vector<double> Dataset::class_totals() const {
  std::vector<CompensatedSum> sums(classes());
  for (std::size_t row = 0; row < labels.size(); ++row) sums[labels[row]] += weight(row);
  std::vector<double> totals;
  for (const CompensatedSum& sum : sums) totals.push_back(sum.value());
  return totals;
}

Dataset Dataset::subset(std::span<const std::int32_t> rows) const {
  Dataset part;
  part.class_names = class_names;
  part.target_name = target_name;
  part.reading = reading;
  part.costs = costs;
  std::size_t needed = 0;  // rows that everything must have
  for (const std::int32_t row : rows) {
    if (row < 0 || static_cast<std::size_t>(row) >= this->rows()) {
      throw Error("rows", fmt::format("row {} is none of the {} rows", row, this->rows()), "number the rows from 0", ErrorKind::usage);
    }
    needed = std::max(needed, static_cast<std::size_t>(row) + 1);
  }
  const auto take = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    if (from.size() < needed) validate();
    to.reserve(rows.size());
    for (const std::int32_t row : rows) to.push_back(from[row]);
  };
  for (const Column& column : columns) {
    Column& copy = part.columns.emplace_back();
    copy.name = column.name;
    copy.kind = column.kind;
    copy.levels = column.levels;
    copy.declared = column.declared;
    copy.notation = column.notation;
    copy.date_order = column.date_order;
    copy.point = column.point;
    copy.written = column.written;
    copy.padded = column.padded;
    copy.unit = column.unit;
    copy.zoned = column.zoned;
    take(column.values, copy.values);
    take(column.codes, copy.codes);
  }
  take(labels, part.labels);
  if (response) {
    part.response.emplace().loss = response->loss;
    take(response->values, part.response->values);
    take(response->exposure, part.response->exposure);
    take(response->times, part.response->times);
  }
  take(weights, part.weights);
  if (response && response->loss == Loss::survival) set_hazards(part);
  take(counts, part.counts);
  const std::size_t k = classes();
  if (!row_costs.empty() && row_costs.size() < needed * k) validate();
  part.row_costs.reserve(row_costs.empty() ? 0 : rows.size() * k);
  for (const std::int32_t row : rows) {
    if (row_costs.empty()) break;
    const auto from = row_costs.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * k);
    part.row_costs.insert(part.row_costs.end(), from, from + static_cast<std::ptrdiff_t>(k));
  }
  return part;
}

namespace {

// A zero character ends a name wherever C reads it, so that two names may become one.
void check_names(const std::vector<std::string>& names, const std::string& where, const char* what) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.find('\0') != std::string::npos)
      throw Error(where, fmt::format("the name of a {} holds a zero character", what), "use a name without it");
    if (!seen.insert(name).second) throw Error(where, fmt::format("the {} '{}' occurs twice", what, name), "give each its own name");
  }
}

void check_column(const Column& column) {
  const std::string where = fmt::format("column '{}'", column.name);
  const bool numeric = column.kind == ColumnKind::numeric;
  if (numeric && !column.codes.empty()) throw Error(where, "is numeric, but has codes", "give it values, or make it categorical");
  if (!numeric && !column.values.empty()) throw Error(where, "is categorical, but has values", "give it codes, or make it numeric");
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    const double value = column.values[row];
    if (std::abs(value) > kLargestValue) {
      throw Error(fmt::format("{}, row {}", where, row),
                  std::isinf(value) ? "the value is infinite" : fmt::format("the value {} is too large", value),
                  "leave it empty if it means a missing value; otherwise use another unit for the column");
    }
  }
  const auto levels = static_cast<std::int32_t>(column.levels.size());
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (column.codes[row] < -1 || column.codes[row] >= levels) {
      throw Error(fmt::format("{}, row {}", where, row), fmt::format("code {} is outside 0..{}", column.codes[row], levels - 1),
                  "use codes of the column's levels, or -1 for a missing value");
    }
  }
  for (std::size_t row = 0; numeric && column.has_levels() && row < column.size(); ++row) {
    const double place = column.values[row];
    if (std::isnan(place) || (place >= 0 && place < levels)) continue;  // means of places lie between them
    throw Error(fmt::format("{}, row {}", where, row), fmt::format("{} is the place of none of {} levels", place, levels),
                "use places of the column's levels, or NaN for a missing value");
  }
  check_names(column.levels, where, "level");
}

void check_times(const Response& response, const std::string& target) {
  if (response.loss != Loss::survival) return;
  const std::string where = fmt::format("target '{}'", target);
  if (response.times.size() != response.values.size()) {
    throw Error(where, fmt::format("{} times for {} rows", response.times.size(), response.values.size()), "give one per row");
  }
  for (std::size_t row = 0; row < response.times.size(); ++row) {
    if (!std::isfinite(response.times[row]) || response.times[row] < 0)
      throw Error(fmt::format("{}, row {}", where, row), fmt::format("the time is {}", response.times[row]),
                  "give the time up to the event, or up to where the row was seen last, 0 or more");
  }
}

void check_response(const Response& response, const std::string& target) {
  const auto refuse = [&](std::size_t row, const char* problem, const char* fix) {
    throw Error(fmt::format("target '{}', row {}", target, row), problem, fix);
  };
  for (std::size_t row = 0; row < response.values.size(); ++row) {
    const double value = response.values[row];
    if (!std::isfinite(value)) refuse(row, "the number is missing or infinite", "leave the row out, or give its number");
    if (response.loss == Loss::poisson && value < 0) refuse(row, "there are fewer than 0 events", "give numbers of events, 0 or more");
    if (response.loss == Loss::survival && value != 0 && value != 1)
      refuse(row, "what says whether the event was seen (--event) is neither 0 nor 1", "give 1 where it was seen, and 0 where it was not");
  }
  check_times(response, target);
  if (response.exposure.empty()) return;
  if (response.loss == Loss::squared) throw Error("exposure", "the loss is squared error, which knows none", "leave it out, or weigh rows");
  if (response.exposure.size() != response.values.size()) {
    throw Error("exposure", fmt::format("{} numbers for {} rows", response.exposure.size(), response.values.size()), "give one per row");
  }
  for (std::size_t row = 0; row < response.exposure.size(); ++row) {
    const double exposure = response.exposure[row];
    if (!std::isfinite(exposure) || exposure < 0 || (response.loss == Loss::poisson && exposure == 0))
      throw Error(fmt::format("exposure, row {}", row), fmt::format("it is {}", exposure), "use numbers above 0");
  }
}

// Squares and their sums must be numbers, and differences must not drown in the last digits.
void check_varies(const Response& response, const std::string& target, const std::function<double(std::size_t)>& weight) {
  const std::string where = fmt::format("target '{}'", target);
  constexpr double kLargest = 1e100, kLeastSpread = 1e-100, kLeastSquares = 1e-280, kMostSquares = 1e280;
  double least = std::numeric_limits<double>::infinity(), largest = -least, events = 0;
  for (std::size_t row = 0; row < response.values.size(); ++row) {
    if (weight(row) == 0) continue;
    least = std::min(least, response.values[row]);
    largest = std::max(largest, response.values[row]);
    events += response.values[row];
  }
  const double magnitude = std::max(std::abs(least), std::abs(largest)), spread = largest - least;
  if (magnitude > kLargest) throw Error(where, fmt::format("holds {}, which is too large", magnitude), "use another unit");
  if (response.loss != Loss::squared) {
    if (events == 0 && response.loss == Loss::survival)
      throw Error(where, "no event was seen: all rows are censored", "check that the column of events has 1 where the event was seen");
    if (events == 0) throw Error(where, "no event occurs", "give rows with events, or choose another target");
    return;
  }
  if (spread == 0) throw Error(where, "all its numbers are equal", "choose a target whose numbers differ");
  if (spread < kLeastSpread || magnitude > kLargestRatio * spread)
    throw Error(where, fmt::format("its numbers differ by {} at most", spread),
                "subtract a constant from all of them, or use another unit");
  double total = 0;
  for (std::size_t row = 0; row < response.values.size(); ++row) total += weight(row);
  const double squares = total * (spread * spread);
  if (!(kLeastSquares <= squares && squares <= kMostSquares))
    throw Error(where, "its squares times the weights are too large or too small for a computer's numbers",
                "multiply the weights by a constant, or use another unit");
}

}  // namespace

void Dataset::validate() const {
  const std::size_t n = rows();
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  check_names(names, "data", "column");
  // Where all columns agree, it is the labels that are too few or too many.
  const auto has_as_many = [&](const Column& column) { return column.size() == columns.front().size(); };
  if (has_target() && !columns.empty() && columns.front().size() != n && std::all_of(columns.begin(), columns.end(), has_as_many)) {
    throw Error(fmt::format("target '{}'", target_name),
                fmt::format("{} {} for {} rows", n, response ? "numbers" : "labels", columns.front().size()),
                response ? "give one number per row" : "give one label per row, or none");
  }
  if (response) {
    if (labeled() || classes() > 0) throw Error(fmt::format("target '{}'", target_name), "has classes and numbers", "give one of them");
    check_response(*response, target_name);
  }
  for (const Column& column : columns) {
    check_column(column);
    if (column.size() == n) continue;
    throw Error(fmt::format("column '{}'", column.name), fmt::format("has {} rows, but the data have {}", column.size(), n),
                "give every column the same number of rows");
  }
  check_names(class_names, fmt::format("target '{}'", target_name), "class");
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] < 0 || labels[row] >= static_cast<std::int32_t>(classes())) {
      throw Error(fmt::format("target '{}', row {}", target_name, row), fmt::format("label {} is not a class", labels[row]),
                  "use labels 0..classes-1");
    }
  }
  if (!weights.empty() && weights.size() != n) {
    throw Error("weights", fmt::format("{} weights for {} rows", weights.size(), n), "give one weight per row");
  }
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!std::isfinite(weights[row]) || weights[row] < 0) {
      throw Error(fmt::format("weights, row {}", row), "the weight is negative or not finite", "use weights >= 0");
    }
  }
  if (!counts.empty() && (counts.size() != n || *std::min_element(counts.begin(), counts.end()) < 0)) {
    throw Error("counts", fmt::format("there are {} for {} rows, or one is negative", counts.size(), n), "give one of at least 0 per row");
  }
  if (!costs.empty() && costs.size() != classes() * classes()) {
    throw Error("costs", fmt::format("{} costs for {} classes", costs.size(), classes()), "give one for each true class and label");
  }
  if (!row_costs.empty() && row_costs.size() != n * classes()) {
    throw Error("costs", fmt::format("{} costs for {} rows and {} labels", row_costs.size(), n, classes()),
                "give one for each row and label");
  }
  if (!costs.empty() && !row_costs.empty()) throw Error("costs", "there are costs of classes and of rows", "give one of them");
  const auto finite = [](double cost) { return std::isfinite(cost); };
  if (!std::all_of(costs.begin(), costs.end(), finite) || !std::all_of(row_costs.begin(), row_costs.end(), finite))
    throw Error("costs", "a cost is not finite", "use finite numbers");
}

void Dataset::validate_for_training() const {
  validate();
  if (columns.empty()) throw Error("data", "there is no feature column", "give at least one column besides the target");
  if (rows() > 0 && !has_target()) throw Error("data", "the rows have no labels", "name the target column");
  if (rows() < 2) throw Error("data", fmt::format("too few rows to train on: {}", rows()), "give at least 2 rows");
  if (classes() > kMostClasses) {
    throw Error(fmt::format("target '{}'", target_name),
                fmt::format("has {} classes, but at most {} are possible", classes(), kMostClasses),
                "choose a target with few different values");
  }
  double smallest = std::numeric_limits<double>::infinity();
  for (const double weight : weights) smallest = weight > 0 ? std::min(smallest, weight) : smallest;
  const double total = total_weight();
  if (!std::isfinite(total) || (!weights.empty() && total > kLargestRatio * smallest)) {
    throw Error("weights", fmt::format("the total {} is more than {:.0e} times the smallest weight {}", total, kLargestRatio, smallest),
                "use weights that differ less; a row of weight 0 weighs nothing");
  }
  if (total == 0 && row_costs.empty()) throw Error("weights", "all of them are 0", "give some row a weight above 0");
  if (response) return check_varies(*response, target_name, [&](std::size_t row) { return weight(row); });
  if (!row_costs.empty()) return;  // a label may be worth a split that is the cheapest of no row or of all
  const std::vector<double> totals = class_totals();
  if (std::count_if(totals.begin(), totals.end(), [](double of_class) { return of_class > 0; }) < 2) {
    throw Error(fmt::format("target '{}'", target_name), "only one class occurs",
                "give rows of at least two classes, or choose another target");
  }
}

void apply_class_weights(Dataset& data, const std::string& spec) {
  if (spec.empty()) return;
  if (data.response)
    throw Error("class_weight", "weighs classes, and the target is a number", "leave it out, or weigh rows", ErrorKind::usage);
  std::vector<double> factor(data.classes(), 1.0);
  if (spec == "balanced") {
    const std::vector<double> totals = data.class_totals();
    double total = 0;
    std::size_t occurring = 0;
    for (const double t : totals) total += t, occurring += t > 0;
    for (std::size_t k = 0; k < factor.size(); ++k) {
      if (totals[k] > 0) factor[k] = total / (static_cast<double>(occurring) * totals[k]);
    }
  } else {
    const NamedNumbers option{"class_weight", "class", "classes", "weight", "yes=2,no=1, or balanced"};
    for (const auto& [k, weight] : option.read(spec, data.class_names)) factor[k] = weight;
  }
  if (!data.weights.empty() && data.reading.weights.empty()) data.reading.weights = "row weights";  // those of a program have no name
  if (data.weights.empty()) data.weights.assign(data.rows(), 1.0);
  for (std::size_t row = 0; row < data.rows(); ++row) data.weights[row] *= factor[data.labels[row]];
  data.reading.class_weights = std::move(factor);
}

}  // namespace treewright
