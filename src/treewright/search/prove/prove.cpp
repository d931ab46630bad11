// Writes the proof of a bound.
//
// The search has found the bound b. Knowing it, the proof is made anew, part by part, from the whole down (prove_part.cpp; proof/check.cpp
// says what follows from what). The orderings of the whole, and then the sides of its named cuts, are shared between threads. A long proof
// is written side by side, and sides that are written are kept (ProofParts): what the search has solved is the same in the next run, and so
// are they.
//
// Columns that sort the items alike, or in reverse, have one ordering in the body: what is shown of its cuts holds for all of them.

#include "treewright/search/prove/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "treewright/base/stop_point.h"
#include "treewright/base/thread_pool.h"
#include "treewright/error.h"
#include "treewright/search/node/node_search.h"
#include "treewright/search/prove/proof_claim.h"
#include "treewright/search/prove/prove_part.h"

namespace treewright::search {

namespace {

// Proves the claim for all items. The orderings and then the sides of their cuts are shared between threads.
class RootProver {
 public:
  RootProver(const Problem& problem, const SearchLimits& limits, double grid, int threads, Deadline& deadline, ProofParts* parts,
             const ProofListener& listener)
      : problem_(problem), limits_(limits), grid_(grid), deadline_(deadline), parts_(parts), listener_(listener), pool_(threads) {}

  std::string prove(int depth, std::int64_t splits, double claim, const Evidence* evidence) {
    const Subset all = Subset::all(problem_);
    std::unique_ptr<Prover> first = borrow();
    if (depth <= 2 || splits <= 2 || first->trivial(all, splits, claim)) return first->part(all, depth, splits, claim, {});
    const SubproblemResult shallow = first->shallow(all, depth, splits);
    std::vector<Closed> closed = first->all_open(depth, splits);
    if (closed.size() > problem_.orderings.size()) evidence = nullptr;  // it is of one share of the splits
    for_each(closed.size(), [&](Prover& prover, std::size_t k) { prover.close(closed[k], all, depth, claim, shallow, evidence); });
    const double needed = first->lower_claims(closed, shallow.lower.strict, claim);
    std::vector<Side> sides{{{0, 0, false, depth - 1, splits - 1, needed, needed}, nullptr, nullptr}};
    for (const Closed& of : closed) {
      for (std::size_t i = 1; i + 1 < of.named.size(); ++i) {
        const NamedCut& cut = of.named[i];
        const std::uint32_t rank = of.cuts.high(static_cast<std::size_t>(cut.cut));
        sides.push_back({{of.ordering, rank, true, depth - 1, of.splits.left, cut.bounds.left.strict, cut.bounds.left.relaxed}, &of, &cut});
        sides.push_back(
            {{of.ordering, rank, false, depth - 1, of.splits.right, cut.bounds.right.strict, cut.bounds.right.relaxed}, &of, &cut});
      }
    }
    std::vector<std::string> bytes(sides.size());
    std::size_t written = 0;
    for_each(sides.size(), [&](Prover& prover, std::size_t k) {
      const Side& side = sides[k];
      bytes[k] = recall(side.part, [&] {
        return side.of == nullptr ? prover.part(all, depth - 1, splits - 1, needed, shallow.evidence.get())
                                  : prover.side(all, *side.of, *side.cut, side.part.left, depth - 1);
      });
      const std::lock_guard lock(mutex_);
      if (listener_) listener_(++written, sides.size());
    });
    proof::Writer out;
    out.number(static_cast<std::uint64_t>(needed / grid_));
    out.append(bytes[0]);
    for (const Closed& of : closed) first->write(out, of, false);
    for (std::size_t k = 1; k < bytes.size(); ++k) out.append(bytes[k]);
    return out.take();
  }

 private:
  struct Side {
    ProofPart part;
    const Closed* of;  // null: all items one level shallower
    const NamedCut* cut;
  };

  // The bytes of a part, as an earlier run or `write` gives them.
  std::string recall(const ProofPart& part, const std::function<std::string()>& write) {
    if (parts_ == nullptr) return write();
    if (const std::string* known = parts_->find(part)) return *known;
    const double begin = deadline_.elapsed();
    std::string bytes = write();
    parts_->add(part, bytes, deadline_.elapsed() - begin);
    return bytes;
  }

  std::unique_ptr<Prover> borrow() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Prover>(problem_, limits_, grid_, deadline_);
    std::unique_ptr<Prover> prover = std::move(idle_.back());
    idle_.pop_back();
    return prover;
  }
  void for_each(std::size_t count, const std::function<void(Prover&, std::size_t)>& body) {
    pool_.parallel_for(count, [&](std::size_t i) {
      std::unique_ptr<Prover> prover = borrow();
      body(*prover, i);
      const std::lock_guard lock(mutex_);
      idle_.push_back(std::move(prover));
    });
  }

  const Problem& problem_;
  const SearchLimits& limits_;
  const double grid_;
  Deadline& deadline_;
  ProofParts* parts_;
  const ProofListener& listener_;
  ThreadPool pool_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Prover>> idle_;
};

// The evidence of the search for the orderings of `problem`. Null where the search saw other items, or paid another price.
std::shared_ptr<const Evidence> evidence_for(const Problem& problem, const Dataset& data, const ExactSearchOptions& options,
                                             const ExactSearchResult& found, double price) {
  // It has no bounds of all trees.
  if (options.min_rows > 1 || !found.exact.evidence || !options.rules.merge_rows || !options.rules.reach || found.exact.price != price)
    return {};
  auto evidence = std::make_shared<Evidence>(*found.exact.evidence);
  if (!options.rules.merge_orderings) {
    // The search has kept orderings that sort alike. Of these `problem` has the first.
    const Problem searched = make_problem(data, false, true, false, options.family);
    evidence->solved.clear();
    for (const Ordering& ordering : problem.orderings) {
      const auto at = std::find_if(searched.orderings.begin(), searched.orderings.end(),
                                   [&](const Ordering& other) { return other.rank == ordering.rank; });
      const auto g = static_cast<std::size_t>(at - searched.orderings.begin());
      evidence->solved.push_back(at == searched.orderings.end() ? std::vector<BoundedCut>() : found.exact.evidence->solved[g]);
    }
  }
  return evidence;
}

// Of a bound on trees that predict a number what can be shown where splits cost so much less. `bound` may be of rows that were not merged:
// then what is lost in every tree was rounded otherwise, by a step for each row at most.
double provable(const Problem& problem, double bound, int depth, std::int64_t splits, double cheaper) {
  const auto most_splits = static_cast<double>(std::min(splits, static_cast<std::int64_t>(problem.items())));
  const double rounding = 2 + 0x1p-14 * static_cast<double>(problem.total_rows);
  return std::max(0.0, bound - slack(problem, depth, splits) - cheaper * most_splits - rounding);
}

}  // namespace

std::optional<proof::Proof> prove(const Dataset& data, const Dataset& searched, const ExactSearchOptions& options,
                                  const ExactSearchResult& found, Deadline& deadline, ProofParts* parts, const ProofListener& listener) {
  if (const std::optional<Dataset> less = without_absent_classes(data)) {
    // What was solved counts rows otherwise.
    ExactSearchResult bound = found;
    bound.exact.evidence.reset();
    return prove(*less, *less, options, bound, deadline, parts, listener);
  }
  try {
    const std::optional<SplitFamily> own = options.family == nullptr ? std::make_optional<SplitFamily>(searched) : std::nullopt;
    const SplitFamily& family = own ? *own : *options.family;
    const Problem problem = make_problem(searched, options.min_rows > 1, true, true, &family);
    const auto look = static_cast<std::int64_t>(problem.items() * problem.orderings.size()) * std::max(1, problem.classes - 1);
    if (look > deadline.work_left()) return {};
    Deadline looks = deadline.task(deadline.work_left() / std::max<std::int64_t>(1, look));
    SearchLimits limits;
    // What more than all errors costs is in no tree, whatever its price.
    const double price = std::min(found.exact.price, problem.total_weight + 1);
    const int fine = limits_of_proof(problem, options, price, limits);
    const auto steps = [&](double units) { return std::floor(std::ldexp(units, fine)); };
    const auto evidence = evidence_for(problem, searched, options, found, limits.split_price);
    const std::int64_t full = full_splits(options.max_depth), splits = options.max_splits < 0 ? full : std::min(options.max_splits, full);
    // The search may have counted less, or more, as lost in every tree.
    double claim = found.exact.items + (found.exact.lost - problem.base_errors);
    if (problem.sums) claim = provable(problem, claim, options.max_depth, splits, price - limits.split_price);
    claim = std::ldexp(steps(claim), -fine);
    proof::Proof proof = describe(data, searched, problem, family);
    proof.depth = options.max_depth;
    if (splits < full) proof.max_splits = splits;
    if (proof.max_splits > proof::kMostSplits) {
      throw Error("proof", fmt::format("is of trees with {} splits at most, and it can speak of {}", splits, proof::kMostSplits),
                  "allow fewer splits, or any number", ErrorKind::limit);
    }
    proof.min_rows = std::max<std::int64_t>(1, options.min_rows);
    proof.grid += fine;
    proof.price = static_cast<std::int64_t>(steps(limits.split_price));
    proof.bound = static_cast<std::int64_t>(steps(claim));
    RootProver prover(problem, limits, std::ldexp(1.0, -fine), options.threads, looks, parts, listener);
    proof.body = prover.prove(options.max_depth, splits, claim, evidence.get());
    return proof;
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace treewright::search
