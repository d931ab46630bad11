#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "treewright/options.h"
#include "treewright/result.h"
#include "treewright/task/column_prices.h"

namespace treewright {

/// The parameter of this name. Throws std::out_of_range where it is missing or of another type.
template <class Value>
const Value& parameter(const Parameters& parameters, std::string_view name) {
  for (const auto& [key, value] : parameters) {
    if (key == name && std::holds_alternative<Value>(value)) return std::get<Value>(value);
  }
  throw std::out_of_range("the objective has no usable '" + std::string(name) + "'");
}

/// The name of the prices of columns among the parameters.
inline constexpr const char* kColumnPrices = "column_prices";
/// The prices of columns among the parameters; without them no column has one. Throws std::out_of_range on prices that are none.
ColumnPrices column_prices_of(const Parameters& parameters);
/// "", or " + prices of columns / scale".
std::string column_prices_term(const ColumnPrices& prices, double scale);

/// How objectives of one kind are made.
struct ObjectiveKind {
  std::string_view name;
  /// The objective that the options describe. `data`: the training rows with their class weights. Throws Error on bad options.
  ObjectivePtr (*from_options)(const Options& options, const Dataset& data);
  /// The inverse of Objective::parameters. Throws std::out_of_range where one is missing.
  ObjectivePtr (*from_parameters)(const Parameters& parameters);
};

/// (errors + prices of the columns asked) / error_scale + alpha * terms: BD17's (23) and (28), where an axis or category split is one term
/// and a hyperplane has one for each feature it uses (Tree::terms). Weighted rows count as their weight.
class ErrorObjective final : public Objective {
 public:
  explicit ErrorObjective(double alpha = 0, double error_scale = 1, ColumnPrices prices = {})
      : alpha_(alpha), error_scale_(error_scale), prices_(std::move(prices)) {}

  /// Reads ccp_alpha and alpha_scale. BD17 calls L^ the "baseline accuracy": majority-errors takes it as the errors of the tree
  /// that predicts the majority class, baseline-correct as the weight that this tree classifies correctly (V23's Table 1 needs this one).
  /// Reads column_costs as well.
  static ErrorObjective from(const Options& options, const Dataset& data);
  static const ObjectiveKind kKind;

  std::string_view kind() const override { return kKind.name; }
  double of(const Tree& tree, const Dataset& data) const override;
  std::optional<double> of_counts(double errors, std::size_t terms) const override;
  std::string formula() const override;
  Parameters parameters() const override;
  double price() const override { return alpha_; }
  double error_scale() const override { return error_scale_; }
  KnownSums known_sums(const Dataset& data) const override;

  /// Without the prices of columns.
  double value(double errors, std::size_t terms) const { return errors / error_scale_ + alpha_ * static_cast<double>(terms); }
  const ColumnPrices& column_prices() const { return prices_; }

 private:
  double alpha_, error_scale_;
  ColumnPrices prices_;
};

/// Equal sums of weights may differ by this share: the last digits of doubles.
inline constexpr double kLastDigits = 1e-12;

/// The scales of alpha_scale: the errors of always predicting the largest class, the weight that this classifies correctly, and the total
/// weight.
std::array<double, 3> error_scales(const Dataset& data);

/// Whether a bound is close enough to the objective of a tree for "optimal" on these rows. It may differ by the last digits of sums, and by
/// the objective's own gap and 1e-9 of what the tree pays above what every tree pays. Where weights have no common unit, it may differ by
/// what is lost when they are rounded to one, but never by more than 1e-6 of that.
bool closes_gap(const Objective& function, double objective, double bound, const Dataset& data);

/// Throws Error if a split that costs `alpha` * `scale` errors vanishes beside the weights of the rows.
void check_price(double alpha, double scale, const Dataset& data);

/// Smallest number of rows in a leaf: `min_samples_leaf` itself, or that share of the rows, rounded up; at least 1.
std::int64_t min_leaf_rows(double min_samples_leaf, std::size_t rows);

}  // namespace treewright
