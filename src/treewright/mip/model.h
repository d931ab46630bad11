#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace treewright::mip {

/// A mixed-integer program as plain data: minimize the sum of cost * x + 1/2 x'Qx + offset over rows lower <= coefficients * x
/// + 1/2 x'Rx <= upper and variables lower <= x <= upper; R is a row's own, and mostly empty. Names hold letters, digits and underscores
/// only, begin with a letter that no format takes for a number (never e or E), and are unique: then every LP and MPS reader takes them as
/// they are.
struct MipModel {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  struct Variable {
    std::string name;
    double lower = 0, upper = kInfinity, cost = 0;
    bool integer = false;
  };
  struct Term {
    int variable;
    double coefficient;
  };
  /// Entry of Q or R, one of each symmetric pair: a >= b.
  struct QuadraticTerm {
    int a, b;
    double coefficient;
  };
  struct Row {
    std::string name;
    double lower = -kInfinity, upper = kInfinity;
    std::vector<Term> terms;  ///< each variable at most once
    std::vector<QuadraticTerm> quadratic = {};
  };

  std::string name = "model";
  std::vector<Variable> variables;
  std::vector<Row> rows;
  std::vector<QuadraticTerm> quadratic;
  double offset = 0;
  /// Two feasible integer points of different objective differ by more than this: what a solver may leave unproved.
  double step = 0;

  int add(std::string variable, double lower, double upper, double cost = 0, bool integer = false);
  int add_binary(std::string variable, double cost = 0) { return add(std::move(variable), 0, 1, cost, true); }
  /// Terms of equal variables are added up, zeros dropped. A stop_point: large models take a while.
  void add_row(std::string row, double lower, std::vector<Term> terms, double upper, std::vector<QuadraticTerm> square = {});
  void at_most(std::string row, std::vector<Term> terms, double upper) { add_row(std::move(row), -kInfinity, std::move(terms), upper); }
  void at_least(std::string row, std::vector<Term> terms, double lower) { add_row(std::move(row), lower, std::move(terms), kInfinity); }
  void equal(std::string row, std::vector<Term> terms, double value) { add_row(std::move(row), value, std::move(terms), value); }

  bool has_quadratic_rows() const;
  /// At `values`, one per variable.
  double objective(std::span<const double> values) const;
  /// Names of the rows, bounds and integrality demands that `values` break by more than the tolerance; empty = feasible.
  std::vector<std::string> broken(std::span<const double> values, double tolerance = 1e-6) const;
};

}  // namespace treewright::mip
