#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/compared_fit.h"

namespace treewright::testing {

using RowSet = std::vector<std::size_t>;

/// The rows of every leaf, for each tree of at most `depth` levels. Numbers without missing values.
inline std::vector<std::vector<RowSet>> all_partitions(const Dataset& data, const RowSet& rows, int depth) {
  std::vector<std::vector<RowSet>> found = {{rows}};
  for (std::size_t f = 0; f < data.features() && depth > 0; ++f) {
    const std::vector<double>& x = data.columns[f].values;
    for (const double threshold : std::set<double>(x.begin(), x.end())) {
      RowSet left, right;
      for (const std::size_t row : rows) (x[row] < threshold ? left : right).push_back(row);
      if (left.empty() || right.empty()) continue;
      for (const auto& below : all_partitions(data, left, depth - 1)) {
        for (const auto& above : all_partitions(data, right, depth - 1)) {
          found.push_back(below);
          found.back().insert(found.back().end(), above.begin(), above.end());
        }
      }
    }
  }
  return found;
}

/// Errors + price of the splits + fairness * weight * index of the best tree, by trying each with each of the heaviest labels in every
/// leaf. The index by its words.
class LeastFairCost {
 public:
  LeastFairCost(const Dataset& data, std::size_t column, const Options& options, double split_price)
      : data_(data), groups_(data.columns[column].values), options_(options), split_price_(split_price), label_(data.rows()) {}

  double operator()() {
    RowSet all(data_.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const auto& leaves : all_partitions(data_, all, static_cast<int>(options_.max_depth))) {
      const auto too_small = [&](const RowSet& leaf) { return static_cast<double>(leaf.size()) < options_.min_samples_leaf; };
      if (leaves.size() > 1 && std::any_of(leaves.begin(), leaves.end(), too_small)) continue;
      if (options_.max_splits >= 0 && static_cast<std::int64_t>(leaves.size()) - 1 > options_.max_splits) continue;
      choose(leaves, 0);
    }
    return best_;
  }

 private:
  void choose(const std::vector<RowSet>& leaves, std::size_t leaf) {
    if (leaf == leaves.size()) {
      best_ = std::min(best_, cost() + split_price_ * static_cast<double>(leaves.size() - 1));
      return;
    }
    std::vector<double> weights(data_.classes(), 0.0);
    for (const std::size_t row : leaves[leaf]) weights[data_.labels[row]] += data_.weight(row);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (weights[k] < *std::max_element(weights.begin(), weights.end()) - 1e-9) continue;
      for (const std::size_t row : leaves[leaf]) label_[row] = k;
      choose(leaves, leaf + 1);
    }
  }

  double cost() const {
    double errors = 0, index = 0;
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      errors += label_[row] != static_cast<std::size_t>(data_.labels[row]) ? data_.weight(row) : 0;
    }
    for (const double group : std::set<double>(groups_.begin(), groups_.end())) {
      for (std::size_t k = 0; k < data_.classes(); ++k) index += impact(group, k);
    }
    return errors + options_.fairness * data_.total_weight() * index;
  }

  // By how much the share of the rows that are given class k differs between the group and all rows.
  double impact(double group, std::size_t k) const {
    double in_group = 0, given = 0, given_in_group = 0;
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      const double weight = data_.weight(row);
      in_group += groups_[row] == group ? weight : 0;
      given += label_[row] == k ? weight : 0;
      given_in_group += groups_[row] == group && label_[row] == k ? weight : 0;
    }
    return std::abs(given / data_.total_weight() - given_in_group / in_group);
  }

  const Dataset& data_;
  const std::vector<double>& groups_;
  const Options& options_;
  double split_price_;
  std::vector<std::size_t> label_;
  double best_ = std::numeric_limits<double>::infinity();
};

/// What method fair says of errors + fairness, and of its least, against all trees and labels.
inline std::string compare_fair(const Case& c, const Result& base) {
  if (c.options.method != "fair" || c.options.fairness <= 0) return "";
  const auto said = [&](const std::string& words) {
    const std::size_t at = base.proved.find(words);
    return at == std::string::npos ? std::nan("") : std::strtod(base.proved.c_str() + at + words.size(), nullptr);
  };
  const double cost = said("errors + fairness is "), bound = said("no tree within the limits has less than ");
  const auto column = std::ranges::find(c.data.columns, c.options.protected_column, &Column::name) - c.data.columns.begin();
  const double least =
      LeastFairCost(c.data, static_cast<std::size_t>(column), c.options, base.objective_function->split_price())() / c.data.total_weight();
  constexpr double kDigits = 1e-6;  // of the texts, and of HiGHS
  if (base.proved.find("nothing is claimed") != std::string::npos) return "";
  if (std::isnan(cost) || std::isnan(bound)) return base.stopped() ? "" : "fair: says neither cost nor bound: " + base.proved;
  if (cost < least - kDigits || bound > least + kDigits) return sentence("fair: the least is ", least, ", and it says: ", base.proved);
  return base.stopped() || cost - least <= kDigits ? "" : sentence("fair: ends with more than ", least, ": ", base.proved);
}

}  // namespace treewright::testing
