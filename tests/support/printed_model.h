#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/make_data.h"
#include "treewright/mip/model.h"

namespace treewright::testing {

/// A programme written down from a paper's formulas, to be compared with a model of ours: every row, cost, bound and kind of variable. Rows
/// are compared whatever their order, names and sense.
class PrintedModel {
 public:
  using Terms = std::map<std::string, double>;  // by variable

  void variable(const std::string& name, double lower, double upper, double cost = 0, bool integer = false) {
    variables_[name] = text_of({name, lower, upper, cost, integer});
  }
  void binary(const std::string& name, double cost = 0) { variable(name, 0, 1, cost, true); }

  /// `kind`: the number of the constraint in the paper.
  void at_most(const std::string& kind, const Terms& terms, double upper) { add(kind, terms, -kInfinity, upper); }
  void at_least(const std::string& kind, const Terms& terms, double lower) { add(kind, terms, lower, kInfinity); }
  void equal(const std::string& kind, const Terms& terms, double value) { add(kind, terms, value, value); }

  std::size_t rows() const { return rows_.size(); }
  /// Number of rows of each kind.
  const std::map<std::string, int>& kinds() const { return kinds_; }

  void expect_same(const mip::MipModel& model) const {
    std::map<std::string, std::string> variables;
    for (const mip::MipModel::Variable& v : model.variables) variables[v.name] = text_of(v);
    EXPECT_EQ(variables, variables_);
    std::multiset<std::string> rows;
    for (const mip::MipModel::Row& row : model.rows) {
      Terms terms;
      for (const mip::MipModel::Term& term : row.terms) terms[model.variables[term.variable].name] += term.coefficient;
      EXPECT_TRUE(row.quadratic.empty());
      rows.insert(text_of(terms, row.lower, row.upper));
    }
    EXPECT_EQ(rows.size(), rows_.size());
    for (const std::string& row : rows_) {
      const auto at = rows.find(row);
      if (at == rows.end()) {
        ADD_FAILURE() << "the model lacks " << row;
      } else {
        rows.erase(at);
      }
    }
    for (const std::string& row : rows) ADD_FAILURE() << "the paper has no row " << row;
  }

 private:
  static constexpr double kInfinity = mip::MipModel::kInfinity;

  static std::string text_of(const mip::MipModel::Variable& v) {
    return fmt::format("{}..{} cost {:.9g}{}", v.lower, v.upper, v.cost, v.integer ? " integer" : "");
  }
  // As "terms <= value" or "first term positive ... = value".
  static std::string text_of(const Terms& terms, double lower, double upper) {
    const bool equality = lower == upper;
    double sign = lower == -kInfinity ? 1 : -1;
    std::string text;
    for (const auto& [name, coefficient] : terms) {
      if (std::abs(coefficient) < 1e-12) continue;
      if (equality && text.empty()) sign = coefficient > 0 ? 1 : -1;
      text += fmt::format("{:+.9g} {} ", sign * coefficient, name);
    }
    const double value = sign > 0 ? upper : -lower;
    return text + fmt::format("{} {:.9g}", equality ? "=" : "<=", value + 0.0);
  }
  void add(const std::string& kind, const Terms& terms, double lower, double upper) {
    ++kinds_[kind];
    rows_.insert(text_of(terms, lower, upper));
  }

  std::map<std::string, std::string> variables_;
  std::multiset<std::string> rows_;
  std::map<std::string, int> kinds_;
};

inline std::string name(const char* symbol, std::size_t a) {
  return fmt::format("{}_{}", symbol, a);
}

inline std::string name(const char* symbol, std::size_t a, std::size_t b) {
  return fmt::format("{}_{}_{}", symbol, a, b);
}

/// Eight rows with gaps of all sizes, two of them equal.
inline Dataset eight_rows() {
  return make_data(
      {numbers("x", {0, 1, 4, 9, 16, 25, 36, 36}), numbers("y", {3, 1, 4, 1, 5, 9, 2, 2}), numbers("z", {2.5, 7, 1.75, 8, 2.5, 8, 1, 1})},
      {0, 1, 2, 0, 1, 2, 0, 1}, 3);
}

/// x_ij, scaled to [0, 1].
inline std::vector<std::vector<double>> scaled(const Dataset& data) {
  std::vector<std::vector<double>> x(data.rows());
  for (const Column& column : data.columns) {
    const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
    for (std::size_t i = 0; i < data.rows(); ++i) x[i].push_back((column.values[i] - *low) / (*high - *low));
  }
  return x;
}

/// The complete tree of depth `depth`, with the nodes numbered as in BD17.
struct Shape {
  int depth;
  std::size_t nodes_end() const { return std::size_t{1} << depth; }   // inner nodes: 1 <= t < nodes_end
  std::size_t leaves_end() const { return std::size_t{2} << depth; }  // leaves: nodes_end <= t < leaves_end
  void for_nodes(const std::function<void(std::size_t)>& visit) const {
    for (std::size_t t = 1; t < nodes_end(); ++t) visit(t);
  }
  void for_leaves(const std::function<void(std::size_t)>& visit) const {
    for (std::size_t t = nodes_end(); t < leaves_end(); ++t) visit(t);
  }
  // The ancestors of a leaf, with whether the path goes left there.
  static void for_ancestors(std::size_t leaf, const std::function<void(std::size_t, bool)>& visit) {
    for (std::size_t t = leaf; t > 1; t /= 2) visit(t / 2, t % 2 == 0);
  }
};

}  // namespace treewright::testing
