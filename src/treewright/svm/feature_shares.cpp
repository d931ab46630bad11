// The perspective relaxation of an SVM whose features have a budget or a price (Frangioni & Gentile 2006; for regression Atamtuerk & Gomez
// 2019): the bound that FeatureRegion works with.
//
// A feature that is out has weight 0. Let s_j be 1 for a feature that is used and 0 for one that is not. The SVM with features is
//
//     min  sum_j w_j^2 / (2 s_j) + cost of slacks + price * max(0, sum_j s_j - budget),      0 / 0 = 0, and 1 / 0 = infinite.
//
// With 0 <= s_j <= 1 it is convex, and its minimum is a bound. For the weights w alone the best shares s follow from a formula
// (`cheapest_shares`), and for the shares alone it is an SVM: with v_j = w_j / s_j it is the SVM of points whose axis j is multiplied by
// the root of s_j. Both in turn come near the minimum in a few steps.
//
// A bound needs no minimum. Theorem: let a be any dual point of the SVM (multipliers within their limits, sum a_i s_i = 0), m its margins,
// and v = sum a_i s_i x_i. Then no weights cost less, features included, than
//
//     m.a - sum_j v_j^2 / 2 + sum over the features beyond the budget, the smallest v_j^2, of min(v_j^2 / 2, price).
//
// Proof. For weights w that use the features of a set S, the slacks cost at least m.a - w.v, because each multiplier is at most the cost of
// its slack, and the offset drops out. So the cost is at least m.a + sum over S of (w_j^2 / 2 - w_j v_j) + price of S, which is at least
// m.a - sum over S of v_j^2 / 2 + price of S. The set S for which this is least has the largest v_j^2 for nothing up to the budget, and of
// the others those with v_j^2 / 2 above the price; what is in anyway counts first, and what is out is in no S. Nothing here depends on the
// shares: they only choose the dual point. A dual point of all shares 1 ignores what features cost; that of the best shares has the bound
// of the relaxation.

#include "treewright/svm/feature_shares.h"

#include <algorithm>
#include <cmath>

#include "treewright/base/infinity.h"

namespace treewright::svm {

namespace {

// Least share of an open feature: with 0 the dual point would say nothing about it, and the steps would never take it up again.
constexpr double kLeastShare = 1e-6;

constexpr int kHalvings = 60;

}  // namespace

double FeaturePrice::of(const std::vector<double>& weights) const {
  return of(static_cast<std::size_t>(std::count_if(weights.begin(), weights.end(), [](double w) { return w != 0; })));
}

double least_feature_cost(std::span<const double> dual, std::span<const FeatureUse> use, FeaturePrice price) {
  std::vector<double> worth;
  std::size_t in = 0;
  for (std::size_t j = 0; j < use.size(); ++j) {
    if (use[j] == FeatureUse::in) ++in;
    if (use[j] == FeatureUse::open) worth.push_back(dual[j] * dual[j] / 2);
  }
  std::sort(worth.begin(), worth.end(), std::greater<>());
  double features = price.of(in);
  for (std::size_t k = in < price.budget ? price.budget - in : 0; k < worth.size(); ++k) features += std::min(worth[k], price.price);
  return features;
}

// For a price of a share of mu, the best share of an open feature is |w_j| / root(2 mu), at most 1. mu is the price if these shares exceed
// the budget, and else the one for which they are the budget.
std::vector<double> cheapest_shares(std::span<const double> weights, std::span<const FeatureUse> use, FeaturePrice price) {
  double largest = 0, in = 0;
  for (std::size_t j = 0; j < use.size(); ++j) {
    if (use[j] == FeatureUse::in) ++in;
    if (use[j] == FeatureUse::open) largest = std::max(largest, std::abs(weights[j]));
  }
  const double room = static_cast<double>(price.budget) - in;
  const auto total = [&](double unit) {
    double sum = 0;
    for (std::size_t j = 0; j < use.size(); ++j) {
      if (use[j] == FeatureUse::open) sum += std::min(1.0, std::abs(weights[j]) / unit);
    }
    return sum;
  };
  // `unit`: the weight at and above which a share is 1.
  double unit = std::sqrt(2 * price.price);
  if (room > 0 && largest > 0 && total(unit) < room) {
    double low = 0, high = std::min(unit, largest * static_cast<double>(use.size()) / room);
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (low + high) / 2;
      (total(middle) < room ? high : low) = middle;
    }
    unit = high;
  }
  std::vector<double> shares(use.size(), 0.0);
  for (std::size_t j = 0; j < use.size(); ++j) {
    if (use[j] == FeatureUse::in) shares[j] = 1;
    if (use[j] == FeatureUse::open) shares[j] = unit > 0 ? std::clamp(std::abs(weights[j]) / unit, kLeastShare, 1.0) : 1;
  }
  return shares;
}

std::vector<double> further(std::span<const double> shares, std::vector<double> cheapest, double stride) {
  for (std::size_t j = 0; j < shares.size(); ++j) {
    if (cheapest[j] > 0 && cheapest[j] < 1)
      cheapest[j] = std::clamp(shares[j] * std::pow(cheapest[j] / shares[j], stride), kLeastShare, 1.0);
  }
  return cheapest;
}

double cost_of_shares(std::span<const double> weights, std::span<const double> shares, FeaturePrice price) {
  double cost = 0, total = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    total += shares[j];
    if (weights[j] != 0) cost += weights[j] * weights[j] / (2 * shares[j]);
  }
  const double beyond = total - static_cast<double>(price.budget);
  return beyond > 0 && price.price < kInfinity ? cost + price.price * beyond : cost;
}

}  // namespace treewright::svm
