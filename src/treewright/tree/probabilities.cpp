// Probabilities of the classes: hierarchical shrinkage (Agarwal, Tan, Ronen, Singh & Yu, "Hierarchical shrinkage: improving the accuracy
// and interpretability of tree-based models", ICML 2022), and how probabilities are scored.
//
// Idea. The shares of the classes in a small leaf are a bad estimate of probabilities: a leaf of three rows of one class claims that the
// others are impossible. On the path t_0, ..., t_L from the root to a leaf, let E_l be the shares of the classes in t_l and N_l its weight.
// The shares of the leaf are E_0 + sum over l of (E_l - E_{l-1}). Shrinkage divides each step by 1 + lambda / N_{l-1}. The splits and the
// training rows' counts stay as they are, so that no claim of a tree depends on it.
//
// Computation. Let k_0 = 1, and k_l = N_{l-1} / (N_{l-1} + lambda) the factor of step l. Then the sum is
//
//     E_0 (k_0 - k_1) + E_1 (k_1 - k_2) + ... + E_{L-1} (k_{L-1} - k_L) + E_L k_L.
//
// Weights never grow on a path, so neither do the k_l, and all factors are >= 0 with sum k_0 = 1: the result is a mean of distributions,
// hence a distribution. With lambda = 0 all k_l are 1, and exactly E_L remains.
//
// A node without weight has no shares. Its step is left out, so that it has the probabilities of its parent.
//
// Cost: nodes * classes.
//
// Within a leaf. A row far from a hyperplane is surer of its side than one beside it. A tree with hyperplanes may have a regression on that
// (fit by grow/probability_model.cpp): in the leaf t of a row x, class k has the logit
//
//     a_tk + sum over the hyperplanes j of the path of b_jk * d_j(x),    d_j(x) = (w_j . x - threshold_j) / reach_j, kept in [-1, 1],
//
// and d_j(x) = 0 where a value is missing. Where another class has a larger logit than the label of the leaf, the label's is raised to it,
// so that the label is the most probable class. The probabilities are the softmax.

#include "treewright/probabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/error.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/distances.h"
#include "treewright/tree/routing.h"

namespace treewright {

namespace {

// The factor of the steps to the children of a node of this weight.
double kept_share(double weight, double shrinkage) {
  return shrinkage == 0 ? 1 : weight / (weight + shrinkage);
}

}  // namespace

std::vector<double> node_probabilities(const Tree& tree, double shrinkage) {
  if (!(shrinkage >= 0))
    throw Error("shrinkage", fmt::format("{} is negative or no number", shrinkage), "give 0 or more", ErrorKind::usage);
  const std::size_t k = tree.class_names.size(), n = tree.nodes().size();
  std::vector<double> shares(n * k), above(n * k, 0.0), kept(n, 1.0), result(n * k);
  std::vector<std::size_t> parent(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = tree.nodes()[i];
    const double weight = std::accumulate(node.class_weight.begin(), node.class_weight.end(), 0.0);
    const bool takes_parents = !(weight > 0) && shrinkage > 0 && i > 0;
    for (std::size_t c = 0; c < k; ++c) {
      double& share = shares[i * k + c];
      if (takes_parents) {
        share = shares[parent[i] * k + c];
      } else {
        share = weight > 0 ? node.class_weight[c] / weight : static_cast<double>(c == static_cast<std::size_t>(node.label));
      }
      result[i * k + c] = above[i * k + c] + share * kept[i];
    }
    if (node.is_leaf()) continue;
    // The minimum holds by itself in a tallied tree, but a file may claim more rows in a child.
    const double below = std::min(kept[i], kept_share(weight, shrinkage));
    for (const NodeId child : {node.left, node.right}) {
      parent[+child] = i;
      kept[+child] = below;
      for (std::size_t c = 0; c < k; ++c) above[+child * k + c] = above[i * k + c] + shares[i * k + c] * (kept[i] - below);
    }
  }
  return result;
}

double usual_shrinkage(const Dataset& data) {
  if (data.weights.empty()) return kUsualShrinkage;
  const auto counted = std::count_if(data.weights.begin(), data.weights.end(), [](double weight) { return weight > 0; });
  return counted == 0 ? kUsualShrinkage : kUsualShrinkage * std::min(1.0, data.total_weight() / static_cast<double>(counted));
}

std::vector<double> predict_proba(const Tree& tree, const Dataset& data, double shrinkage) {
  const std::vector<double> of_nodes = node_probabilities(tree, shrinkage);
  const auto k = static_cast<std::ptrdiff_t>(tree.class_names.size());
  std::vector<double> result;
  result.reserve(data.rows() * tree.class_names.size());
  for (const NodeId leaf : tree.apply(data)) {
    const auto begin = of_nodes.begin() + +leaf * k;
    result.insert(result.end(), begin, begin + k);
  }
  return result;
}

namespace {

// The probabilities of such logits, where the label has the largest.
void to_probabilities(std::span<double> logits, std::size_t label) {
  double& own = logits[label];
  for (std::size_t c = 0; c < logits.size(); ++c) {
    if (c != label) own = std::max(own, logits[c] + kLeadOfLabel);
  }
  const double most = own;
  double sum = 0;
  for (double& one : logits) sum += one = std::exp(one - most);
  for (double& one : logits) one /= sum;
}

std::vector<double> by_distance(const Tree& tree, const ProbabilityModel& model, const Dataset& data) {
  need_aligned(tree, data);
  const std::size_t k = tree.class_names.size();
  std::vector<double> result(data.rows() * k, 0.0);
  const auto of_row = [&](std::uint32_t row) { return std::span(result).subspan(row * k, k); };
  // A node comes after those above it.
  visit_nodes(tree, data, [&](NodeId id, std::span<const std::uint32_t> rows) {
    const std::span<const double> logits = std::span(model.logits).subspan(static_cast<std::size_t>(+id) * k, k);
    const Node& node = tree.node(id);
    std::vector<double> factor(rows.size(), 1.0);
    if (!node.is_leaf()) {
      if (node.plane() == nullptr || !(model.reach[+id] > 0)) return;
      factor = distances(*node.plane(), model.reach[+id], data, rows);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t c = 0; c < k; ++c) of_row(rows[i])[c] += factor[i] * logits[c];
      if (node.is_leaf()) to_probabilities(of_row(rows[i]), static_cast<std::size_t>(node.label));
    }
  });
  return result;
}

}  // namespace

std::vector<double> distances(const HyperplaneSplit& plane, double reach, const Dataset& data, std::span<const std::uint32_t> rows) {
  std::vector<double> result = plane_sums(plane, data, rows);
  for (double& one : result) one = std::isnan(one) ? 0 : std::clamp((one - plane.threshold) / reach, -1.0, 1.0);
  return result;
}

std::vector<double> Tree::predict_proba(const Dataset& data) const {
  need_classes(*this);
  return probability_model ? by_distance(*this, *probability_model, data) : treewright::predict_proba(*this, data, shrinkage);
}

double log_loss_of(double probability) {
  return -std::log(std::max(probability, std::numeric_limits<double>::epsilon()));
}

ProbabilityScores score_probabilities(std::span<const double> probabilities, const Dataset& data) {
  const std::size_t k = data.classes();
  need_labels(data);
  if (probabilities.size() != data.rows() * k) {
    throw Error("probabilities", fmt::format("{} for {} rows and {} classes", probabilities.size(), data.rows(), k),
                "give one for each row and class", ErrorKind::usage);
  }
  ProbabilityScores scores;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::span<const double> here = probabilities.subspan(row * k, k);
    const auto truth = static_cast<std::size_t>(data.labels[row]);
    double distance = 0;
    for (std::size_t c = 0; c < k; ++c) distance += std::pow(here[c] - static_cast<double>(c == truth), 2);
    scores.brier += data.weight(row) * (k == 2 ? distance / 2 : distance);
    scores.log_loss += data.weight(row) * log_loss_of(here[truth]);
  }
  const double total = data.total_weight();
  if (!(total > 0)) return {};
  return {scores.brier / total, scores.log_loss / total};
}

}  // namespace treewright
