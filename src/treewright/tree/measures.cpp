#include "treewright/tree/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/compensated_sum.h"
#include "treewright/data/losses.h"
#include "treewright/data/survival.h"
#include "treewright/error.h"
#include "treewright/tree/aligned.h"

namespace treewright {

double count_errors(const Tree& tree, const Dataset& data) {
  CompensatedSum errors;
  const std::vector<std::int32_t> predicted = tree.predict(data);
  for (std::size_t row = 0; row < data.labels.size(); ++row) {
    if (predicted[row] != data.labels[row]) errors += data.weight(row);
  }
  return errors.value();
}

double total_loss(const Tree& tree, const Dataset& data) {
  need_response(tree, data);
  const std::vector<double> predicted = tree.predict_values(data);
  CompensatedSum loss;
  for (std::size_t row = 0; row < predicted.size(); ++row) loss += row_loss(data, row, predicted[row]);
  return loss.value();
}

double errors_and_splits(const Tree& tree, const Dataset& data, double split_price) {
  return (tree.loss ? total_loss(tree, data) : count_errors(tree, data)) + split_price * static_cast<double>(tree.splits());
}

bool are_alike(const Dataset& data) {
  const Response& seen = *data.response;
  std::optional<double> first;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) == 0) continue;
    const double number = seen.values[row] / seen.at_risk(row);
    if (number != first.value_or(number)) return false;
    first = number;
  }
  return true;
}

NumberScores score_numbers(std::span<const double> predicted, const Dataset& data) {
  if (!data.response || predicted.size() != data.rows())
    throw Error("predictions", "there is not one for each number of the data", "give one for each row", ErrorKind::usage);
  const Response& seen = *data.response;
  CompensatedSum weights, exposure, values, loss, of_mean, squares, absolute;
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    weights += data.weight(row);
    exposure += data.weight(row) * seen.at_risk(row);
    values += data.weight(row) * seen.values[row];
  }
  const double total = weights.value(), mean = exposure.value() > 0 ? values.value() / exposure.value() : 0;
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    const double weight = data.weight(row), off = seen.values[row] - seen.at_risk(row) * predicted[row];
    loss += row_loss(data, row, predicted[row]);  // infinite where none was predicted, and there is an event
    of_mean += row_loss(data, row, mean);
    squares += weight * off * off;
    absolute += weight * std::abs(off);
  }
  if (!(total > 0)) return {};
  const double all = loss.value();
  const std::optional<double> ordered = seen.loss == Loss::survival ? concordance(predicted, data) : std::nullopt;
  const bool differ = of_mean.value() > 0 && !are_alike(data);  // the mean of equal numbers has digits of its own
  return {differ ? 1 - all / of_mean.value() : 0, std::sqrt(squares.value() / total), absolute.value() / total, all / total, ordered};
}

NumberScores score_numbers(const Tree& tree, const Dataset& data) {
  need_response(tree, data);
  return score_numbers(tree.predict_values(data), data);
}

double average_depth(const Tree& tree) {
  const std::vector<int> depth = tree.depths();
  double sum = 0;
  for (std::size_t i = 0; i < depth.size(); ++i) {
    if (tree.nodes()[i].is_leaf()) sum += depth[i];
  }
  return sum / static_cast<double>(tree.leaves());
}

double expected_depth(const Tree& tree, const Dataset& data) {
  const std::vector<int> depth = tree.depths();
  double sum = 0;
  for (const NodeId leaf : tree.apply(data)) sum += depth[+leaf];
  return data.rows() == 0 ? 0 : sum / static_cast<double>(data.rows());
}

double accuracy(const Tree& tree, const Dataset& data) {
  need_labels(tree, data);
  const double total = data.total_weight();
  return total > 0 ? 1 - count_errors(tree, data) / total : 0;
}

std::vector<std::vector<double>> confusion_matrix(const Tree& tree, const Dataset& data) {
  need_labels(tree, data);
  return confusion_matrix(tree.predict(data), data, tree.class_names.size());
}

std::vector<std::vector<double>> confusion_matrix(std::span<const std::int32_t> predicted, const Dataset& data, std::size_t classes) {
  assert(predicted.size() == data.labels.size());
  std::vector<std::vector<double>> matrix(classes, std::vector<double>(classes, 0.0));
  for (std::size_t row = 0; row < predicted.size(); ++row) matrix[data.labels[row]][predicted[row]] += data.weight(row);
  return matrix;
}

double balanced_accuracy(const Tree& tree, const Dataset& data) {
  return balanced_accuracy(confusion_matrix(tree, data));
}

double balanced_accuracy(const std::vector<std::vector<double>>& matrix) {
  double sum = 0;
  int occurring = 0;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    assert(matrix[k].size() == matrix.size());
    double total = 0;
    for (const double w : matrix[k]) total += w;
    if (total <= 0) continue;
    sum += matrix[k][k] / total;
    ++occurring;
  }
  return occurring == 0 ? 0 : sum / occurring;
}

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Of the classes whose value is a number.
template <class Value>
double mean_over(std::size_t classes, const Value& value) {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double one = value(k);
    if (std::isnan(one)) continue;
    sum += one;
    ++count;
  }
  return count > 0 ? sum / count : kNone;
}

}  // namespace

Interval wilson(double share, double trials) {
  if (!(trials > 0)) return {};
  assert(0 <= share && share <= 1);
  constexpr double z = 1.959963984540054;  // 97.5 % of the normal distribution lie below
  const double size = 1 + z * z / trials, middle = (share + z * z / (2 * trials)) / size;
  const double half = z / size * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

void Share::add(double weight, bool counts) {
  whole += weight;
  squares_ += weight * weight;
  ++whole_rows;
  if (!counts) return;
  part += weight;
  ++part_rows;
}

double Share::value() const {
  return whole > 0 ? part / whole : kNone;
}

double Share::trials() const {
  return whole > 0 ? whole * whole / squares_ : 0;
}

Interval Share::interval() const {
  return whole > 0 ? wilson(std::clamp(part / whole, 0.0, 1.0), trials()) : Interval{};
}

double ClassMeasures::f1() const {
  const double both = sensitivity.whole + ppv.whole;
  return both > 0 ? 2 * sensitivity.part / both : kNone;
}

double ClassMeasures::lift() const {
  const double all = sensitivity.whole + specificity.whole;
  return ppv.whole > 0 && sensitivity.whole > 0 ? ppv.value() / (sensitivity.whole / all) : kNone;
}

std::vector<ClassMeasures> class_measures(std::span<const std::int32_t> predicted, const Dataset& data) {
  assert(predicted.size() == data.labels.size());
  std::vector<ClassMeasures> classes(data.classes());
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    for (std::size_t k = 0; k < classes.size(); ++k) {
      const bool is = data.labels[row] == static_cast<std::int32_t>(k), said = predicted[row] == static_cast<std::int32_t>(k);
      (is ? classes[k].sensitivity : classes[k].specificity).add(data.weight(row), is == said);
      (said ? classes[k].ppv : classes[k].npv).add(data.weight(row), is == said);
    }
  }
  return classes;
}

Share right_rows(std::span<const std::int32_t> predicted, const Dataset& data) {
  assert(predicted.size() == data.labels.size());
  Share right;
  for (std::size_t row = 0; row < predicted.size(); ++row) right.add(data.weight(row), predicted[row] == data.labels[row]);
  return right;
}

double mean_f1(const std::vector<ClassMeasures>& classes) {
  return mean_over(classes.size(), [&](std::size_t k) { return classes[k].f1(); });
}

double auc(std::span<const double> probabilities, const Dataset& data, std::size_t label) {
  const std::size_t k = data.classes();
  assert(probabilities.size() == data.rows() * k && label < k);
  std::vector<std::size_t> order(data.rows());
  std::iota(order.begin(), order.end(), 0);
  const auto score = [&](std::size_t row) { return probabilities[row * k + label]; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score(a) < score(b); });
  double others = 0, of_class = 0, pairs = 0;
  for (std::size_t from = 0; from < order.size();) {
    double equal_others = 0, equal_of_class = 0;
    std::size_t to = from;
    for (; to < order.size() && score(order[to]) == score(order[from]); ++to) {
      (data.labels[order[to]] == static_cast<std::int32_t>(label) ? equal_of_class : equal_others) += data.weight(order[to]);
    }
    pairs += equal_of_class * (others + equal_others / 2);
    others += equal_others;
    of_class += equal_of_class;
    from = to;
  }
  return others > 0 && of_class > 0 ? pairs / (others * of_class) : kNone;
}

double auc(std::span<const double> probabilities, const Dataset& data) {
  if (data.classes() == 2) return auc(probabilities, data, 1);
  return mean_over(data.classes(), [&](std::size_t k) { return auc(probabilities, data, k); });
}

std::vector<std::int32_t> decide(std::span<const double> probabilities, std::int32_t positive, double threshold) {
  assert((positive == 0 || positive == 1) && probabilities.size() % 2 == 0);
  std::vector<std::int32_t> predicted(probabilities.size() / 2);
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    predicted[row] = probabilities[2 * row + static_cast<std::size_t>(positive)] >= threshold ? positive : 1 - positive;
  }
  return predicted;
}

std::int32_t positive_class(const Tree& tree, std::string_view name) {
  if (tree.class_names.size() != 2) {
    throw Error(name.empty() ? "threshold" : "positive",
                fmt::format("a decision between a positive class and the other one needs two classes, and the tree has {}",
                            tree.class_names.size()),
                "leave it out: the tree predicts the most frequent class of the leaf");
  }
  if (name.empty()) return 1;
  const auto found = std::find(tree.class_names.begin(), tree.class_names.end(), name);
  if (found != tree.class_names.end()) return static_cast<std::int32_t>(found - tree.class_names.begin());
  throw Error("positive", fmt::format("'{}' is no class of the tree", name),
              fmt::format("the classes are '{}' and '{}'", tree.class_names[0], tree.class_names[1]));
}

}  // namespace treewright
