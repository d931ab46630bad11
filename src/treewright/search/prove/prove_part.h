#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/stop_point.h"
#include "treewright/proof/proof.h"
#include "treewright/search/depth_two/stump_kernel.h"
#include "treewright/search/depth_two/sum_columns.h"
#include "treewright/search/node/node_search.h"
#include "treewright/search/root/exact_options.h"

namespace treewright::search {

/// A cut with bounds on its two sides. The first and the last one of a list send all items the same way.
struct NamedCut {
  std::int64_t cut = 0;
  double reach_left = 0;
  ChildBounds bounds;
  std::shared_ptr<const Evidence> left, right;  ///< of the bounds, where this program has solved them; may be null
};

/// What is written of one ordering of a part for one share of its splits.
struct Closed {
  std::size_t ordering = 0;
  proof::Share splits;
  Cuts cuts;
  CutRange fitting;  ///< cuts that leave each side the rows of a leaf
  std::vector<NamedCut> named;
};

/// By how much a claim on trees of that depth and so many splits must be below what they cost, as the search counts it, so that it can be
/// shown: see prove_part.cpp.
double slack(const Problem& problem, int depth, std::int64_t splits);

/// The limits of a proof in which a split costs no more than `price`, in units of the search. Returns k: a step of the proof is 2^-k of
/// these.
int limits_of_proof(const Problem& problem, const ExactSearchOptions& options, double price, SearchLimits& limits);

/// Proves claims of parts; one for each thread.
class Prover {
 public:
  Prover(const Problem& problem, const SearchLimits& limits, double grid, Deadline& deadline)
      : problem_(problem),
        limits_(limits),
        nodes_(problem, limits),
        grid_(grid),
        worker_{DepthTwo(problem, limits), {}},
        limits_of_all_(limits) {
    worker_.deadline = &deadline;
    if (!limited()) return;
    limits_of_all_.min_rows = 1;
    of_all_ = std::make_unique<Prover>(problem, limits_of_all_, grid, deadline);
  }

  /// The bytes that show that no tree of that depth and so many splits on the subset costs less than `claim`. `evidence`: of such a bound;
  /// may be null.
  std::string part(const Subset& subset, int depth, std::int64_t splits, double claim, const Evidence* evidence);

  // The steps of `part` for depths and splits of three and more, for those who share them between threads.
  /// The optimum of so many levels and splits.
  SubproblemResult best(const Subset& subset, int depth, std::int64_t splits);
  /// The optimum one level shallower, with one split less.
  SubproblemResult shallow(const Subset& subset, int depth, std::int64_t splits);
  /// Each ordering with each share of the splits.
  std::vector<Closed> all_open(int depth, std::int64_t splits) const;
  /// Names cuts of an ordering that leave nothing open.
  void close(Closed& closed, const Subset& subset, int depth, double claim, const SubproblemResult& shallow, const Evidence* evidence);
  /// Lowers what the orderings claim. Returns the bound one level shallower that they need.
  double lower_claims(std::vector<Closed>& closed, double shallow, double claim) const;
  /// One side of a cut.
  std::string side(const Subset& subset, const Closed& of, const NamedCut& cut, bool left, int depth);
  bool trivial(const Subset& subset, std::int64_t splits, double claim) const {
    if (problem_.sums) return claim <= 0;
    return proof::trivial_bound(subset.total_reach, subset.class_weights(problem_.classes), splits + 1, limits_.split_price) >= claim;
  }
  /// `recounted`: the checker finds the bounds of the sides by itself.
  void write(proof::Writer& out, const Closed& closed, bool recounted) const;

 private:
  struct Kernels {
    KernelColumns<std::int16_t> narrow;
    KernelColumns<std::int32_t> wide;
    KernelColumns<double> real;
    SumColumns sums;
  };

  std::string stumps(const Subset& subset, int depth, std::int64_t splits, double claim);
  template <class Columns>
  std::string stumps_by(Columns& columns, const Subset& subset, int depth, std::int64_t splits, double claim);
  template <class Columns>
  void evaluate(Columns& columns, Closed& closed, double claim);
  template <class T>
  void lay_out(KernelColumns<T>& columns, const ItemRange& range) const {
    columns.assign(range, problem_.classes, limits_.min_rows);
  }
  void lay_out(SumColumns& columns, const ItemRange& range) const { columns.assign(range, *problem_.sums, limits_.min_rows); }
  bool limited() const { return limits_.min_rows > 1; }
  // After a search: the bounds of one that was stopped are true, but too weak for a proof.
  void go_on() const {
    if (worker_.deadline->stopped()) throw Stopped{};
  }
  void begin(Closed& closed, const Subset& subset) const;
  CutRange between(const Closed& closed, std::size_t i, std::size_t j) const;
  bool holds(const Closed& closed, std::size_t i, std::size_t j, double claim) const;
  void drop_needless(Closed& closed, double claim) const;
  double least(double from, const std::function<bool(double)>& enough) const;

  const Problem& problem_;
  const SearchLimits& limits_;
  const NodeSearch nodes_;
  const double grid_;
  Worker worker_;
  Kernels kernels_;
  SearchLimits limits_of_all_;
  std::unique_ptr<Prover> of_all_;  // with a limit on the rows of leaves: for claims without it
};

}  // namespace treewright::search
