#pragma once

#include "treewright/base/random.h"
#include "treewright/methods/margot/search.h"

namespace treewright::margot {

/// Good trees for MARGOT, and the best of all that were offered. See margot_heuristic.cpp.
class MargotHeuristic {
 public:
  /// `better` is called after each better tree.
  MargotHeuristic(const MargotProblem& problem, Deadline& deadline, std::function<void()> better);

  const MargotTree& best() const { return best_; }
  std::int64_t solved() const { return solved_; }  ///< soft-margin problems so far

  /// Keeps the planes if their tree is the best so far. Whether it is.
  bool offer(std::vector<MargotTree::Plane> planes);

  /// DGMP23's Local SVM (Algorithm 1). No planes where the numbers do not allow it.
  MargotTree local_svm() const;

  /// Local SVM, after which single rows change sides and planes change in turn while that helps.
  void first_tree();

  /// The rows as a tree's planes part them, all machines anew, and improved like the first tree. Planes without weights are found by Local SVM.
  void begin_from(const std::vector<MargotTree::Plane>& planes);

  /// Another tree, from the best one: some rows are pushed across a plane and the rest follows. No planes where that fails.
  MargotTree shaken();

 private:
  using Plane = MargotTree::Plane;
  struct Fitted {
    std::vector<Plane> planes;
    std::vector<std::vector<std::size_t>> rows;  // that reach each node
    std::vector<double> cost;                    // of each node
    double total = std::numeric_limits<double>::infinity();
  };

  double height(const Plane& plane, std::size_t row) const { return plane.height(problem_.points.row(row)); }
  svm::SoftMargin machine(std::size_t t, const std::vector<svm::MarginConstraint>& constraints, double give_up, bool thorough) const;
  bool fit_node(Fitted& fitted, std::size_t t, const std::vector<bool>* right, double give_up, bool thorough) const;
  Fitted fit(const std::vector<Plane>& guides, double give_up, bool thorough) const;
  double below(const Fitted& fitted, std::size_t t, std::size_t row) const;
  Plane guide(const Fitted& fitted, std::size_t t, double pull, const std::vector<bool>& pushed) const;
  void alternate(Fitted& fitted, std::span<const double> pulls);
  void change_sides(Fitted& fitted);
  void improve(Fitted fitted);

  const MargotProblem& problem_;
  Deadline& deadline_;
  const std::function<void()> better_;
  Random random_{0};
  mutable std::int64_t solved_ = 0;
  MargotTree best_;
  Fitted fitted_;          // the best tree, as it was when its objective was
  double fitted_of_ = -1;  // this
};

}  // namespace treewright::margot
