// What a validation row adds to the score of a tree: one number a row, so that scores of two trees differ with a standard error.
//
// Accuracy, cost and log loss are means over rows. Balanced accuracy, F1 and the area under the ROC curve are not: they are functions of
// sums. A row's gain is then the score plus the first-order effect of the row on it (its influence, Hampel 1974; for the area under the
// curve these are the placements of DeLong, DeLong & Clarke-Pearson 1988). These effects sum to 0, so the mean of the gains is the score,
// and the variance of their mean is that of the score to first order.
//
// Notation: w_i the weight of row i, W the weight of all rows. The mean over C classes of a measure S_k = a_k / b_k has the effect
// W / C * sum over k of (a_ik - S_k b_ik) / b_k, where a_k and b_k are sums of w_i a_ik and w_i b_ik.

#include "treewright/methods/auto/gains.h"

#include <algorithm>
#include <numeric>

#include "treewright/probabilities.h"

namespace treewright::automatic {

namespace {

using Gains = std::vector<double>;

// A measure of each class, a / b, of whose sums a row belongs to those of its class and of its label alone.
struct Ratio {
  double a = 0, b = 0;
};

// The mean of the ratios and each row's effect on it. `parts_of(row, add)` calls `add(class, a, b)` for what the row adds to the two sums.
template <class Parts>
Gains gains_of_ratios(const Dataset& rows, const Parts& parts_of) {
  std::vector<Ratio> ratios(rows.classes());
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    parts_of(row, [&](std::size_t k, double a, double b) {
      ratios[k].a += rows.weight(row) * a;
      ratios[k].b += rows.weight(row) * b;
    });
  }
  double mean = 0, count = 0;
  for (const Ratio& one : ratios) {
    if (!(one.b > 0)) continue;
    mean += one.a / one.b;
    ++count;
  }
  if (count == 0) return Gains(rows.rows(), 0.0);
  mean /= count;
  Gains gains(rows.rows(), mean);
  const double scale = rows.total_weight() / count;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    parts_of(row, [&](std::size_t k, double a, double b) {
      if (ratios[k].b > 0) gains[row] += scale * (a - ratios[k].a / ratios[k].b * b) / ratios[k].b;
    });
  }
  return gains;
}

Gains balanced_gains(const std::vector<std::int32_t>& label, const Dataset& rows) {
  return gains_of_ratios(rows, [&](std::size_t row, const auto& add) {
    add(static_cast<std::size_t>(rows.labels[row]), label[row] == rows.labels[row] ? 1 : 0, 1);
  });
}

// F1 of a class = 2 tp / (rows of the class + rows predicted as it).
Gains f1_gains(const std::vector<std::int32_t>& label, const Dataset& rows) {
  return gains_of_ratios(rows, [&](std::size_t row, const auto& add) {
    const bool right = label[row] == rows.labels[row];
    add(static_cast<std::size_t>(rows.labels[row]), right ? 2 : 0, right ? 2 : 1);
    if (!right) add(static_cast<std::size_t>(label[row]), 0, 1);
  });
}

Gains log_gains(const Tree& tree, const Dataset& rows) {
  const std::vector<double> probabilities = tree.predict_proba(rows);
  Gains gains(rows.rows());
  for (std::size_t row = 0; row < gains.size(); ++row) {
    gains[row] = -log_loss_of(probabilities[row * rows.classes() + static_cast<std::size_t>(rows.labels[row])]);
  }
  return gains;
}

// Of one class against the others: for a row of the class the share of the others' weight with a smaller probability, for another row that
// of the class's weight with a larger one; equal ones count half.
struct Placements {
  std::vector<double> of_rows;
  double area = 0, inside = 0, outside = 0;  // area under the curve; weight of the class and of the others

  Placements(const std::vector<double>& probabilities, const Dataset& rows, std::size_t k) : of_rows(rows.rows(), 0.0) {
    const auto is = [&](std::size_t row) { return rows.labels[row] == static_cast<std::int32_t>(k); };
    const auto p = [&](std::size_t row) { return probabilities[row * rows.classes() + k]; };
    for (std::size_t row = 0; row < of_rows.size(); ++row) (is(row) ? inside : outside) += rows.weight(row);
    if (!defined()) return;
    std::vector<std::size_t> order(of_rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p(a) < p(b); });
    double below_in = 0, below_out = 0;
    for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
      double in = 0, out = 0;
      for (; to < order.size() && p(order[to]) == p(order[from]); ++to) (is(order[to]) ? in : out) += rows.weight(order[to]);
      for (std::size_t i = from; i < to; ++i) {
        of_rows[order[i]] = is(order[i]) ? (below_out + out / 2) / outside : (inside - below_in - in / 2) / inside;
      }
      area += in / inside * (below_out + out / 2) / outside;
      below_in += in;
      below_out += out;
    }
  }

  bool defined() const { return inside > 0 && outside > 0; }
};

Gains area_gains(const Tree& tree, const Dataset& rows) {
  const std::vector<double> probabilities = tree.predict_proba(rows);
  const std::size_t k = rows.classes();
  std::vector<Placements> of_classes;  // of two classes one says all
  for (std::size_t one = k == 2 ? 1 : 0; one < k; ++one) of_classes.emplace_back(probabilities, rows, one);
  double sum = 0, count = 0;
  for (const Placements& one : of_classes) {
    if (!one.defined()) continue;
    sum += one.area;
    ++count;
  }
  // Rows of one class say nothing of an order.
  Gains gains(rows.rows(), count > 0 ? sum / count : 0.5);
  for (std::size_t one = 0; one < of_classes.size(); ++one) {
    const Placements& here = of_classes[one];
    if (!here.defined()) continue;
    const auto label = static_cast<std::int32_t>(k == 2 ? 1 : one);
    for (std::size_t row = 0; row < gains.size(); ++row) {
      const double weight = rows.labels[row] == label ? here.inside : here.outside;
      gains[row] += rows.total_weight() / count * (here.of_rows[row] - here.area) / weight;
    }
  }
  return gains;
}

}  // namespace

double gain_of(std::int32_t label, const Dataset& data, std::size_t row) {
  const auto l = static_cast<std::size_t>(label), k = data.classes();
  if (!data.row_costs.empty()) return -data.row_costs[row * k + l];
  if (!data.costs.empty()) return -data.costs[static_cast<std::size_t>(data.labels[row]) * k + l];
  return label == data.labels[row] ? 1 : 0;
}

Gains gains_of(const Tree& tree, const Dataset& rows, std::string_view scoring) {
  if (scoring == "log-loss") return log_gains(tree, rows);
  if (scoring == "auc") return area_gains(tree, rows);
  const std::vector<std::int32_t> label = tree.predict(rows);
  if (scoring == "balanced-accuracy") return balanced_gains(label, rows);
  if (scoring == "f1") return f1_gains(label, rows);
  Gains gains(rows.rows());
  for (std::size_t row = 0; row < gains.size(); ++row) gains[row] = gain_of(label[row], rows, row);
  return gains;
}

Measure measure_of(const Dataset& data, std::string_view scoring) {
  if (data.has_costs()) return {"mean cost", -1, false};
  if (scoring == "balanced-accuracy") return {"balanced accuracy", 1, true};
  if (scoring == "f1") return {"mean F1", 1, false};
  if (scoring == "log-loss") return {"log loss", -1, false};
  if (scoring == "auc") return {"AUC", 1, false};
  return {"accuracy", 1, true};
}

}  // namespace treewright::automatic
