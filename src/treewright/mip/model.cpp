#include "treewright/mip/model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/stop_point.h"

namespace treewright::mip {

namespace {

// 1/2 x'Qx. Q is symmetric and holds each pair once: an entry off the diagonal counts twice, and half of that is itself.
double half_square(std::span<const MipModel::QuadraticTerm> q, std::span<const double> x) {
  double total = 0;
  for (const MipModel::QuadraticTerm& term : q) total += (term.a == term.b ? 0.5 : 1.0) * term.coefficient * x[term.a] * x[term.b];
  return total;
}

}  // namespace

int MipModel::add(std::string variable, double lower, double upper, double cost, bool integer) {
  variables.push_back({std::move(variable), lower, upper, cost, integer});
  return static_cast<int>(variables.size()) - 1;
}

void MipModel::add_row(std::string row, double lower, std::vector<Term> terms, double upper, std::vector<QuadraticTerm> square) {
  stop_point();
  std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.variable < b.variable; });
  std::vector<Term> sums;
  for (const Term& term : terms) {
    if (!sums.empty() && sums.back().variable == term.variable) {
      sums.back().coefficient += term.coefficient;
    } else {
      sums.push_back(term);
    }
  }
  std::erase_if(sums, [](const Term& term) { return term.coefficient == 0; });
  rows.push_back({std::move(row), lower, upper, std::move(sums), std::move(square)});
}

bool MipModel::has_quadratic_rows() const {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.quadratic.empty(); });
}

double MipModel::objective(std::span<const double> values) const {
  assert(values.size() == variables.size());
  double total = offset;
  for (std::size_t i = 0; i < variables.size(); ++i) total += variables[i].cost * values[i];
  return total + half_square(quadratic, values);
}

std::vector<std::string> MipModel::broken(std::span<const double> values, double tolerance) const {
  assert(values.size() == variables.size());
  std::vector<std::string> names;
  const auto within = [&](double lower, double value, double upper) {
    return value >= lower - tolerance && value <= upper + tolerance && !std::isnan(value);
  };
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& variable = variables[i];
    if (!within(variable.lower, values[i], variable.upper)) names.push_back(variable.name + " (bounds)");
    if (variable.integer && std::abs(values[i] - std::round(values[i])) > tolerance) names.push_back(variable.name + " (integer)");
  }
  for (const Row& row : rows) {
    stop_point();
    double sum = half_square(row.quadratic, values);
    for (const Term& term : row.terms) sum += term.coefficient * values[term.variable];
    if (!within(row.lower, sum, row.upper)) names.push_back(row.name);
  }
  return names;
}

}  // namespace treewright::mip
