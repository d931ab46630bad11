#pragma once

#include <functional>

#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/methods/margot/problem.h"

namespace treewright::margot {

/// Makes good trees for MARGOT and keeps the best tree. See heuristic.cpp.
class MargotHeuristic {
 public:
  /// `better` is called after each better tree.
  MargotHeuristic(const MargotProblem& problem, Deadline& deadline, std::function<void()> better);

  const MargotTree& best() const { return best_; }
  std::int64_t solved() const { return solved_; }  ///< soft-margin problems so far

  /// Keeps the hyperplanes if their tree is the best so far; returns whether it is.
  bool offer(std::vector<Hyperplane> planes);

  /// DGMP23's Local SVM (Algorithm 1). No hyperplanes if an SVM fails numerically.
  MargotTree local_svm() const;

  /// Local SVM, followed by local search.
  void first_tree();

  /// Keeps the tree of the given hyperplanes if it is the best so far; nodes without weights split nothing.
  void offer_as_is(const std::vector<Hyperplane>& planes) { offer(with_unsplit_nodes(problem_, planes)); }

  /// The same. Then routes rows by the given hyperplanes, retrains every node SVM and applies the same local search. There Local SVM fills
  /// in hyperplanes without weights.
  void begin_from(const std::vector<Hyperplane>& planes);

  /// Cost of the tree that `begin_from` improves; infinite if it cannot be fitted.
  double cost_from(const std::vector<Hyperplane>& planes) const;

  /// Perturbation: pushes some rows of the best tree across a hyperplane and fits the tree again. No hyperplanes if that fails.
  MargotTree perturbed();
  /// Routes rows by the given hyperplanes, retrains every node SVM, then applies a short local search. No hyperplanes if that fails.
  MargotTree improved(const std::vector<Hyperplane>& planes);

 private:
  struct Fitted {
    std::vector<Hyperplane> planes;
    std::vector<std::vector<std::size_t>> rows;  // that reach each node
    std::vector<double> cost;                    // of each node
    double total = std::numeric_limits<double>::infinity();
  };

  double decision_value(const Hyperplane& plane, std::size_t row) const { return plane.decision_value(problem_.points.row(row)); }
  svm::SoftMargin node_svm(std::size_t t, const std::vector<svm::MarginConstraint>& constraints, const Hyperplane& guess, double give_up,
                           bool thorough) const;
  bool fit_node(Fitted& fitted, std::size_t t, const std::vector<bool>* right, double give_up, bool thorough) const;
  Fitted fit(const std::vector<Hyperplane>& guides, double give_up, bool thorough) const;
  Fitted refit(const Fitted& fitted, std::size_t t, Hyperplane guide, double give_up) const;
  Fitted fit_subtree(Fitted fitted, std::size_t top, double give_up, bool thorough) const;
  double below(const Fitted& fitted, std::size_t t, std::size_t row) const;
  Hyperplane guide(const Fitted& fitted, std::size_t t, double pull, const std::vector<bool>& pushed) const;
  void alternate(Fitted& fitted, std::span<const double> pulls);
  void change_sides(Fitted& fitted);
  void improve(Fitted fitted);
  MargotTree improved(Fitted next);

  const MargotProblem& problem_;
  Deadline& deadline_;
  const std::function<void()> better_;
  const bool deep_;  // three levels or more
  Random random_{0};
  mutable std::int64_t solved_ = 0;
  MargotTree best_;
  Fitted fitted_;          // fit of the best tree, or of the last best one that could be fitted
  double fitted_of_ = -1;  // objective of the best tree when that was tried
};

}  // namespace treewright::margot
