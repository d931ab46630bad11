// Other classes than the file has: a quantity as the target, and one class against the rest.
//
// Where classes are wanted, its numbers are grouped or each is a class, and the user says which.
//
// Edges are numbers of the data: class k holds what is at least edge k and below edge k + 1. They are the values at the ranks i * n / bins,
// so the classes have about equally many rows; equal numbers stay together, which may leave fewer classes than were asked for.

#include "treewright/data/read/target_bins.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/did_you_mean.h"
#include "treewright/data/read/column_builder.h"
#include "treewright/data/read/notes.h"
#include "treewright/data/read/parse_number.h"
#include "treewright/data/read/written_numbers.h"
#include "treewright/error.h"

namespace treewright {

static std::ptrdiff_t first_row_of(const Dataset& data, std::size_t label) {
  return std::ranges::find(data.labels, static_cast<std::int32_t>(label)) - data.labels.begin();
}

void note_reading_of_target(Dataset& data, const std::string& cell) {
  const char mark = data.reading.decimal, other = mark == ',' ? '.' : ',';
  data.reading.remarks.push_back(fmt::format("the target '{}' holds numbers such as {}, read with {}; --decimal {} reads {}",
                                             data.target_name, cell, words_of_reading(cell, mark), other, words_of_reading(cell, other)));
}

std::vector<double> numbers_of_classes(const Dataset& data, const std::string& where, char decimal, const char* remedy) {
  const auto written = read_written_numbers(data.class_names, decimal, data.reading.decimal != '\0' ? data.reading.decimal : '.');
  if (written) return written->values;
  std::vector<double> numbers(data.classes());
  for (std::size_t k = 0; k < data.classes(); ++k) {
    if (parse_number(data.class_names[k], numbers[k]) != NumberText::number || std::isnan(numbers[k]))
      throw Error(fmt::format("{}, row {}", where, first_row_of(data, k)), fmt::format("'{}' is no number", data.class_names[k]), remedy);
  }
  return numbers;
}

namespace {

std::vector<double> edges_of(std::vector<double> values, int bins) {
  std::sort(values.begin(), values.end());
  std::vector<double> edges;
  for (int i = 1; i < bins; ++i) {
    const double edge = values[values.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(bins)];
    if (edge > values.front() && (edges.empty() || edge > edges.back())) edges.push_back(edge);
  }
  return edges;
}

std::vector<std::string> names_of(const std::vector<double>& edges) {
  std::vector<std::string> names{fmt::format("below {}", edges.front())};
  for (std::size_t k = 1; k < edges.size(); ++k) names.push_back(fmt::format("{} to below {}", edges[k - 1], edges[k]));
  names.push_back(fmt::format("from {}", edges.back()));
  return names;
}

}  // namespace

void group_target(Dataset& data, const std::string& origin, const ReadOptions& options) {
  if (!data.labeled() || (options.bins == 0 && options.edges.empty())) return;
  const std::string where = fmt::format("{}, target '{}'", origin, data.target_name);
  const std::vector<double> numbers =
      numbers_of_classes(data, where, options.decimal, "leave --bins out, or name another column with --target");
  std::vector<double> edges = options.edges;
  if (edges.empty()) {
    std::vector<double> values;
    for (const std::int32_t label : data.labels) values.push_back(numbers[label]);
    edges = edges_of(std::move(values), options.bins);
  }
  if (edges.empty()) throw Error(where, fmt::format("its numbers make one class of {}", options.bins), "ask for more classes with --bins");
  for (std::int32_t& label : data.labels)
    label = static_cast<std::int32_t>(std::upper_bound(edges.begin(), edges.end(), numbers[label]) - edges.begin());
  data.class_names = names_of(edges);
  data.reading.edges = std::move(edges);
}

void take_against_rest(Dataset& data, const ReadOptions& options) {
  const std::string& positive = options.against_rest;
  if (positive.empty() || !data.labeled()) return;
  const bool occurs = std::find(data.class_names.begin(), data.class_names.end(), positive) != data.class_names.end();
  if (!occurs && !options.training) data.class_names.push_back(positive);
  one_against_rest(data, positive);
}

void one_against_rest(Dataset& data, const std::string& positive) {
  const auto found = std::find(data.class_names.begin(), data.class_names.end(), positive);
  if (found == data.class_names.end()) {
    throw Error(fmt::format("target '{}'", data.target_name),
                fmt::format("has no class '{}'{}", positive, did_you_mean(positive, data.class_names)),
                fmt::format("the classes are {}", fmt::join(data.class_names, ", ")));
  }
  const auto one = static_cast<std::int32_t>(found - data.class_names.begin());
  for (std::int32_t& label : data.labels) label = label == one ? 1 : 0;
  data.class_names = {"not " + positive, positive};
  data.costs.clear();
  data.reading.against_rest = positive;
}

void refuse_quantity(const Dataset& data, const std::string& origin, const ReadOptions& options) {
  if (options.target_classes || !is_quantity(data)) return;
  throw Error(
      fmt::format("{}, target '{}'", origin, data.target_name),
      fmt::format("there are {} different numbers in {} rows: a quantity, and classes are wanted here", data.classes(), data.rows()),
      "predict the number (fit with --loss squared), name another column with --target, group the numbers into classes with --bins "
      "3, or take each number as a class with --target-classes" +
          guess_of_target(data.target_name, options));
}

}  // namespace treewright
