// Costs of labels as weights of errors: how a matrix of costs becomes a table that every method can train on which minimizes errors.
//
// Problem. Label a costs a row of the true class y the amount C(y, a) times its weight. A tree is to have the least cost; a leaf takes the
// label that costs its rows least, which need not be their majority. Each row may also have numbers of its own, C(i, a): then the labels
// need not be classes, but may be actions, and a tree of least cost is a policy. Below, y stands for the row i.
//
// The table of gains. For a row i of class y and weight w let g(a) = w (max C(y, .) - C(y, a)) be what label a gains over the dearest one.
// The row is replaced by a row for each label with a gain: the same features, true class a, weight g(a). A tree that gives row i the label
// l misclassifies all of them but l, so that its weighted errors on these rows are
//
//     sum over a of g(a) - g(l) = w C(y, l) + (sum over a of g(a) - w max C(y, .)).
//
// The bracket depends on the data alone. So a tree of least errors has the least cost, and a bound on errors is one on costs
// (loss_grid.cpp). A search, a heuristic and the writer of a proof serve costs without knowing of them; its checker counts the costs by
// itself. The majority label of a leaf by gains is its cheapest label.
//
// Tight bounds. Several rows in place of one would make bounds on errors loose, since all but one of them are lost in every tree. But they
// have equal features, and the search takes from rows of equal features at once what they must lose (search/loss/costs.cpp).
//
// Errors are the case C(y, a) = 1 for a != y: the only gain is that of the true class, and the table is the data. With
// two classes a row keeps one gain at most, so a matrix of costs is nothing but weights of the rows.
//
// Limits on leaves. A row has one row in the table or more, so that values, levels and missing values are the same in both. They have equal
// features and reach the same leaf. The first of them counts for the row, and the others for none (Dataset::counts). So a leaf counts as
// many rows in the table as in the data, and the least number of rows in a leaf allows the same trees in both. Weights of leaves are those
// of the data (task/leaf_weight.h). Gains that are as small as the last digits of the costs count as 0.
//
// Costs that differ too much are refused. With a cost of 1e14 that forbids a label, what all trees lose on the table is nearly everything:
// what is left, and what trees are compared by, may be less than the last digits of the sums. So the sums must tell
// apart any two labels of a row. Where the gains have no common unit (whole_weights.h), what is lost when they are rounded must be next to
// nothing beside the least differences of all rows.

#include "treewright/data/costs/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/compensated_sum.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/error.h"

namespace treewright {

using namespace std::string_literals;

namespace {

constexpr double kLastDigitsOfCosts = 4 * std::numeric_limits<double>::epsilon();
// A difference between two labels is so many times what sums are known up to, and rounding at most such a share of all differences.
constexpr double kTimes = 10, kMostRounding = 1e-7;
constexpr const char* kDifferLess =
    "use costs and weights that differ less: a cost that forbids a label need not be more than all rows cost otherwise";

std::span<const double> row_of(std::span<const double> costs, std::size_t label, std::size_t classes) {
  return costs.subspan(label * classes, classes);
}

double largest(std::span<const double> values) {
  return *std::max_element(values.begin(), values.end());
}

double least(std::span<const double> values) {
  return *std::min_element(values.begin(), values.end());
}

// Of a row that weighs 1, by line of `costs` and label.
std::vector<double> unit_gains(std::span<const double> costs, std::size_t classes) {
  std::vector<double> gains;
  gains.reserve(costs.size());
  for (std::size_t k = 0; k * classes < costs.size(); ++k) {
    const std::span<const double> row = row_of(costs, k, classes);
    const double dearest = largest(row), rounding = kLastDigitsOfCosts * std::max(std::abs(dearest), std::abs(least(row)));
    for (const double cost : row) gains.push_back(dearest - cost > rounding ? dearest - cost : 0);
  }
  return gains;
}

// The least difference between two labels, by line of `costs`; infinite where there is none.
std::vector<double> least_differences(std::span<const double> costs, std::size_t classes) {
  std::vector<double> differences, row;
  for (std::size_t k = 0; k * classes < costs.size(); ++k) {
    const std::span<const double> line = row_of(costs, k, classes);
    row.assign(line.begin(), line.end());
    std::sort(row.begin(), row.end());
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      const double difference = row[i + 1] - row[i];
      const bool is_equal = difference <= kLastDigitsOfCosts * std::max(std::abs(row[i]), std::abs(row[i + 1]));
      if (!is_equal) smallest = std::min(smallest, difference);
    }
    differences.push_back(smallest);
  }
  return differences;
}

// The lines of costs that the rows look at: one of each class, or one of each row.
class CostLines {
 public:
  CostLines(const Dataset& data, std::span<const double> costs)
      : data_(data), by_row_(costs.empty()), costs_(by_row_ ? std::span<const double>(data.row_costs) : costs) {
    if (costs_.empty()) {
      throw Error("costs", "the rows have none of their own, by which the tree was trained", "name their columns with --cost-columns");
    }
  }

  std::span<const double> all() const { return costs_; }
  std::size_t line(std::size_t row) const { return by_row_ ? row : static_cast<std::size_t>(data_.labels[row]); }
  std::span<const double> of(std::size_t row) const { return row_of(costs_, line(row), data_.classes()); }
  // Of the rows that look at each line.
  std::vector<double> weights() const {
    if (!by_row_) return data_.class_totals();
    return data_.weights.empty() ? std::vector<double>(data_.rows(), 1.0) : data_.weights;
  }

 private:
  const Dataset& data_;
  bool by_row_;
  std::span<const double> costs_;
};

// By how much the labels of the rows differ in cost.
class Differences {
 public:
  // `of_row`: infinite where all labels cost the same.
  void add(double weight, double of_row) {
    if (weight == 0 || std::isinf(of_row)) return;
    least_ = std::min(least_, weight * of_row);
    total_ += weight * of_row;
  }
  // `known`: up to what the sums of costs are known.
  void refuse_if_lost(double known) const {
    if (!std::isfinite(known)) throw Error("costs", "their total is beyond the largest double", kDifferLess);
    if (std::isfinite(least_) && kTimes * known > least_) {
      throw Error("costs",
                  fmt::format("they differ so much that sums are known up to {:.3g} only, and two labels of a row by as little as {:.3g}",
                              known, least_),
                  kDifferLess);
    }
  }
  // `rounding`: of gains without a common unit.
  void refuse_if_rounded(double rounding) const {
    if (rounding > kMostRounding * total_) {
      throw Error("costs", fmt::format("they differ so much, and have no common unit, that sums are known up to {:.3g} only", rounding),
                  kDifferLess + ", or round them to fewer digits"s);
    }
  }

 private:
  double least_ = std::numeric_limits<double>::infinity(), total_ = 0;
};

// What each label gains over the dearest one, of so much weight on each line.
std::vector<double> gains_of_lines(std::span<const double> weight, std::span<const double> costs, std::size_t classes) {
  const std::vector<double> unit = unit_gains(costs, classes);
  std::vector<double> gains(classes, 0.0);
  for (std::size_t k = 0; k < weight.size(); ++k) {
    for (std::size_t a = 0; a < classes; ++a) gains[a] += weight[k] * unit[k * classes + a];
  }
  return gains;
}

std::int32_t first_of_largest(std::span<const double> gains) {
  return static_cast<std::int32_t>(std::max_element(gains.begin(), gains.end()) - gains.begin());
}

// What the cost of a label above the cheapest one differs from so many units by, but for the last digits of the difference.
double off_units(double weight, double cost, double cheapest, double units, double unit) {
  const double above = cost - cheapest, back = above - cost, of_above = (cost - (above - back)) + (-cheapest - back);
  const double paid = weight * above, counted = units * unit;
  const double of_paid = std::fma(weight, above, -paid), of_counted = std::fma(units, unit, -counted);
  return std::abs((paid - counted) + (of_paid - of_counted) + weight * of_above);
}

// `origin`: of each row of the table, its row in the data; ascending. `labels`: of the table.
LossGrid grid_of(const Dataset& data, const CostLines& lines, const Dataset& table, const WholeWeights& whole,
                 const std::vector<std::int32_t>& origin) {
  CompensatedSum least;
  double certain = 0, off = 0, weights_off = 0;
  std::vector<double> gains(data.classes());
  for (std::size_t row = 0, i = 0; row < data.rows(); ++row) {
    std::fill(gains.begin(), gains.end(), 0.0);
    double sum = 0;
    for (; i < origin.size() && static_cast<std::size_t>(origin[i]) == row; ++i) {
      const double units = whole.of(i);
      gains[static_cast<std::size_t>(table.labels[i])] = units;
      sum += units;
      weights_off += std::abs(std::fma(units, whole.unit, -table.weight(i)));
    }
    const double most = largest(gains), weight = data.weight(row);
    const std::span<const double> costs = lines.of(row);
    const double cheapest = *std::min_element(costs.begin(), costs.end());
    double of_row = 0;
    for (std::size_t a = 0; a < gains.size(); ++a) {
      of_row = std::max(of_row, off_units(weight, costs[a], cheapest, most - gains[a], whole.unit));
    }
    certain += sum - most;
    const double paid = weight * cheapest;
    least += paid;
    off += of_row + std::abs(std::fma(weight, cheapest, -paid));
  }
  // The last digits of all these sums. A compensated sum is off by two of its own at most, where it is no whole number.
  const double sum = least.value(), digits = std::numeric_limits<double>::epsilon() * static_cast<double>(data.rows() + 8);
  if (sum != std::floor(sum)) off += 2 * std::numeric_limits<double>::epsilon() * std::abs(sum);
  return {whole.unit, GridUnits(certain), sum, off * (1 + digits), weights_off * (1 + digits)};
}

// The columns of `data`, with a row for each of these rows. How the file was read says nothing of these.
Dataset repeated(const Dataset& data, const std::vector<std::int32_t>& rows) {
  Dataset bare;
  bare.columns = data.columns;
  bare.labels = data.labels;
  bare.class_names = data.class_names;
  bare.target_name = data.target_name;
  const bool same = rows.size() == data.rows();  // each row has one at least
  return same ? bare : bare.subset(rows);
}

}  // namespace

std::vector<double> label_gains(std::span<const double> class_weight, std::span<const double> costs) {
  if (costs.empty()) return {class_weight.begin(), class_weight.end()};
  return gains_of_lines(class_weight, costs, class_weight.size());
}

std::int32_t best_label(std::span<const double> class_weight, std::span<const double> costs) {
  return costs.empty() ? first_of_largest(class_weight) : first_of_largest(label_gains(class_weight, costs));
}

double cost_of(std::span<const std::int32_t> labels, const Dataset& data, std::span<const double> costs) {
  const CostLines lines(data, costs);
  CompensatedSum sum;
  for (std::size_t row = 0; row < labels.size(); ++row) sum += data.weight(row) * lines.of(row)[labels[row]];
  return sum.value();
}

RootCosts root_costs(const Dataset& data, std::span<const double> costs) {
  const std::size_t classes = data.classes();
  const CostLines lines(data, costs);
  const std::vector<double> weights = lines.weights();
  const auto label = static_cast<std::size_t>(first_of_largest(gains_of_lines(weights, lines.all(), classes)));
  RootCosts root;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const std::span<const double> row = row_of(lines.all(), k, classes);
    root.best_label += weights[k] * (row[label] - least(row));
    root.least += weights[k] * least(row);
  }
  return root;
}

GainsTable gains_table(const Dataset& data) {
  const std::size_t classes = data.classes();
  const CostLines lines(data, data.costs);
  const std::vector<double> unit = unit_gains(lines.all(), classes), least_difference = least_differences(lines.all(), classes);
  std::vector<std::int32_t> rows, labels;
  std::vector<double> weights;
  CompensatedSum magnitude;
  Differences differences;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::size_t before = rows.size();
    const auto add = [&](std::size_t label, double weight) {
      rows.push_back(static_cast<std::int32_t>(row));
      labels.push_back(static_cast<std::int32_t>(label));
      weights.push_back(weight);
    };
    const double weight = data.weight(row);
    double gains = 0;
    for (std::size_t label = 0; label < classes; ++label) {
      const double gain = unit[lines.line(row) * classes + label];
      if (gain > 0) add(label, weight * gain);
      gains += gain;
    }
    if (rows.size() == before) add(static_cast<std::size_t>(data.labels[row]), 0);
    const double dearest = largest(lines.of(row));
    magnitude += weight * (gains + std::abs(dearest));
    differences.add(weight, least_difference[lines.line(row)]);
  }
  Dataset of_rows = repeated(data, rows);
  of_rows.labels = std::move(labels);
  if (rows.size() > data.rows()) {
    for (std::size_t i = 0; i < rows.size(); ++i) of_rows.counts.push_back(i == 0 || rows[i] != rows[i - 1] ? 1 : 0);
  }
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight != 1; })) of_rows.weights = std::move(weights);
  double last_digits = kLastDigitsOfCosts * magnitude.value();
  differences.refuse_if_lost(last_digits);
  const WholeWeights whole = whole_weights(of_rows);  // of finite weights
  last_digits = std::max(last_digits, sum_tolerance(of_rows, whole));
  differences.refuse_if_lost(last_digits);
  differences.refuse_if_rounded(whole.rounding);
  const LossGrid grid = grid_of(data, lines, of_rows, whole, rows);
  GainsTable table{std::move(of_rows), grid, last_digits, std::max({last_digits, 2 * whole.rounding, grid.off() + whole.rounding})};
  const std::vector<double> totals = table.rows.class_totals();
  table.constant = std::count_if(totals.begin(), totals.end(), [](double total) { return total > 0; }) < 2;
  if (table.constant) return table;
  try {
    table.rows.validate_for_training();
  } catch (const Error& error) {
    throw Error("costs", "what labels gain over one another, times the weights of the rows: " + error.problem(), kDifferLess);
  }
  return table;
}

double magnitude_of(std::span<const std::int32_t> labels, const Dataset& data, std::span<const double> costs) {
  const CostLines lines(data, costs);
  double sum = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) sum += data.weight(row) * std::abs(lines.of(row)[labels[row]]);
  return sum;
}

std::vector<std::int32_t> cheapest_labels(const Dataset& data) {
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row * data.classes() < data.row_costs.size(); ++row) {
    const std::span<const double> costs = row_of(data.row_costs, row, data.classes());
    labels.push_back(static_cast<std::int32_t>(std::min_element(costs.begin(), costs.end()) - costs.begin()));
  }
  return labels;
}

void take_cheapest_labels(Dataset& data) {
  data.labels = cheapest_labels(data);
}

void refuse_costs(const Dataset& data, const std::string& who) {
  if (!data.has_costs()) return;
  throw Error("costs", who + " cannot use them", "train one tree with them, or leave them out", ErrorKind::usage);
}

}  // namespace treewright
