#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace treewright::svm {

/// The cost of features in one SVM: `budget` features are free, each further one costs `price`. An infinite price makes the budget hard.
struct FeaturePrice {
  std::size_t budget = std::numeric_limits<std::size_t>::max();
  double price = std::numeric_limits<double>::infinity();

  double of(std::size_t features) const { return features <= budget ? 0 : price * static_cast<double>(features - budget); }
  double of(const std::vector<double>& weights) const;
  bool all_free(std::size_t axes) const { return budget >= axes || price <= 0; }
};

/// Whether an SVM may use a feature, does so in any case, or must not.
enum class FeatureUse : std::uint8_t { open, in, out };

/// What features add at least to the bound of a dual point on all axes that are not out. `dual`: the sum of multiplier * sign * x. See
/// feature_shares.cpp.
double least_feature_cost(std::span<const double> dual, std::span<const FeatureUse> use, FeaturePrice price);

/// The shares of the features that are cheapest for these weights: 1 of those in, 0 of those out. Shape (weights).
std::vector<double> cheapest_shares(std::span<const double> weights, std::span<const FeatureUse> use, FeaturePrice price);

/// From these shares towards the cheapest of their weights, by a step of this exponent. `shares`: empty = 1 each.
std::vector<double> further(std::span<const double> shares, std::vector<double> cheapest, double stride);

/// What shares cost: sum of w_j^2 / (2 share_j), and the price of the shares beyond the budget.
double cost_of_shares(std::span<const double> weights, std::span<const double> shares, FeaturePrice price);

}  // namespace treewright::svm
