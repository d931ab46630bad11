// Writes the proof of a bound.
//
// The search has found the bound b. Knowing it, the proof is made anew, part by part, from the whole down (proof/check.cpp says what follows
// from what). For a part with a claim, every ordering is gone through as the search does: the middle cut of a range that the bounds leave open is
// solved, until none is left. Then cuts that are not needed are dropped, and the bounds of those that stay are lowered as far as the part's
// claim allows. These lowered bounds are the claims for the two sides, and the proof goes on with them. So it holds less than the search has
// seen.
//
// Evidence. The search hands over the cuts of the root that it has solved, and a side that is solved here brings those of its own orderings
// (SubproblemResult::evidence). A part begins with what is known of it. So the root and every other level below need next to no solving: a proof
// of depth three takes a part of the search's time, and one of depth four or five about as long as the search.
//
// A long proof is written part by part, the sides of the root's cuts, and parts that are written are kept (ProofParts): what the search has
// solved is the same in the next run, and so are the parts.
//
// Children are solved with all rules of the search, whatever these rest on: the proof takes only the values and shows them by cuts. If a rule
// were wrong, some claim would be false. Then a cut turns up that costs less, and there is no proof; or the checker refuses it.

#include "treewright/search/prove.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "treewright/base/stop_point.h"
#include "treewright/base/thread_pool.h"
#include "treewright/error.h"
#include "treewright/search/node_search.h"
#include "treewright/search/proof_claim.h"
#include "treewright/search/stump_kernel.h"

namespace treewright::search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// An ordering of so few cuts in a part of depth two is written down as all of them: nothing needs to be solved for that.
constexpr std::int64_t kFewCuts = 3;

// A cut with bounds on its two sides. The first and the last one of a list send all items the same way.
struct NamedCut {
  std::int64_t cut = 0;
  double weight_left = 0;
  ChildBounds bounds;
  std::shared_ptr<const Evidence> left, right;  ///< of the bounds, where this program has solved them; may be null
};

[[noreturn]] void refuted() {
  throw Error("proof", "the bound that the search states does not hold", "this is a defect of treewright: report it with the data",
              ErrorKind::limit);
}

// What is written of one ordering of a part.
struct Closed {
  std::size_t ordering = 0;
  Cuts cuts;
  std::vector<NamedCut> named;
};

// Proves claims of parts; one for each thread.
class Prover {
 public:
  Prover(const Problem& problem, const SearchLimits& limits, double grid, Deadline& deadline)
      : problem_(problem),
        limits_(limits),
        nodes_(problem, limits),
        bounds_(limits.rules),
        grid_(grid),
        worker_{DepthTwo(problem, limits), {}} {
    worker_.deadline = &deadline;
  }

  /// The bytes that show that no tree of that depth on the subset costs less than `claim`. `evidence`: of such a bound; may be null.
  std::string part(const Subset& subset, int depth, double claim, const Evidence* evidence);

  // The steps of `part` for depths of three and more, for those who share them between threads.
  /// The optimum one level shallower.
  SubproblemResult shallow(const Subset& subset, int depth) {
    worker_.evidence_depth = depth - 1;
    return nodes_.solve(worker_, ItemRange::all(subset), depth - 1, full_splits(depth - 1), kInfinity, {});
  }
  /// Cuts of an ordering that leave nothing open.
  Closed close(const Subset& subset, std::size_t f, int depth, double claim, const SubproblemResult& shallow, const Evidence* evidence);
  /// Lowers what the orderings claim. Returns the bound one level shallower that they need.
  double lower_claims(std::vector<Closed>& closed, double shallow, double claim) const;
  /// One side of a cut.
  std::string side(const Subset& subset, const Closed& of, const NamedCut& cut, bool left, int depth);
  bool trivial(const Subset& subset, int depth, double claim) const {
    return proof::trivial_bound(subset.class_weights(problem_.classes), depth, limits_.split_price) >= claim;
  }
  void write(proof::Writer& out, const Closed& closed, int depth) const;

 private:
  struct Kernels {
    KernelColumns<std::int16_t> narrow;
    KernelColumns<std::int32_t> wide;
    KernelColumns<double> real;
  };

  std::string stumps(const Subset& subset, double claim);
  template <class T>
  std::string stumps_by(KernelColumns<T>& columns, const Subset& subset, double claim);
  template <class T>
  void evaluate(KernelColumns<T>& columns, Closed& closed, double claim);
  bool holds(const Closed& closed, std::size_t i, std::size_t j, double claim) const;
  void drop_needless(Closed& closed, double claim) const;
  double least(double from, const std::function<bool(double)>& enough) const;

  const Problem& problem_;
  const SearchLimits& limits_;
  const NodeSearch nodes_;
  const IntervalBounds bounds_;
  const double grid_;
  Worker worker_;
  Kernels kernels_;
};

// Whether named cuts i and j exclude all cuts between them.
bool Prover::holds(const Closed& closed, std::size_t i, std::size_t j, double claim) const {
  const NamedCut &a = closed.named[i], &b = closed.named[j];
  const auto weight = [&](std::int64_t t) { return closed.cuts.weight_left(static_cast<std::size_t>(t)); };
  return bounds_.open(a.bounds, b.bounds, a.weight_left, b.weight_left, {a.cut + 1, b.cut}, claim - limits_.split_price, weight).size() ==
         0;
}

void Prover::drop_needless(Closed& closed, double claim) const {
  std::vector<NamedCut>& named = closed.named;
  for (std::size_t i = 1; i + 1 < named.size();) {
    if (holds(closed, i - 1, i + 1, claim)) {
      named.erase(named.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

// The least multiple of the grid, from 0 to `from`, that is enough; `from` is.
double Prover::least(double from, const std::function<bool(double)>& enough) const {
  auto low = std::int64_t{0}, high = static_cast<std::int64_t>(from / grid_);
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    enough(static_cast<double>(middle) * grid_) ? high = middle : low = middle + 1;
  }
  return static_cast<double>(high) * grid_;
}

ChildBounds bounds_of(double left, double right) {
  return {left, right, left, right};
}

Closed Prover::close(const Subset& subset, std::size_t f, int depth, double claim, const SubproblemResult& shallow,
                     const Evidence* evidence) {
  Closed closed{f, {}, {}};
  closed.cuts.assign(subset, f);
  if (closed.cuts.size() == 0) return closed;
  const std::int64_t most = full_splits(depth - 1);
  OrderingSearch search{f, most, most, {}};
  nodes_.open(search, closed.cuts, subset, shallow, depth, claim);
  using Sides = std::pair<std::shared_ptr<const Evidence>, std::shared_ptr<const Evidence>>;
  std::map<std::int64_t, Sides> sides;
  const auto add = [&](NodeSearch::Solved& solved) {
    sides[solved.cut] = {solved.left.evidence, solved.right.evidence};
    nodes_.add(search, closed.cuts, subset, solved, depth, claim);
  };
  if (evidence != nullptr && evidence->depth == depth) {
    for (const BoundedCut& known : evidence->solved[f]) {
      // The claim may rest on more than this part's own cuts.
      if (limits_.split_price + known.left + known.right < claim) continue;
      NodeSearch::Solved solved;
      solved.cut = known.cut;
      solved.left.lower = solved.left.relaxed = known.left;
      solved.right.lower = solved.right.relaxed = known.right;
      add(solved);
    }
  }
  worker_.evidence_depth = depth - 1;
  for (std::vector<Candidate> open; !(open = nodes_.candidates(search, closed.cuts, claim)).empty();) {
    stop_point();
    if (worker_.deadline->stopped()) throw Stopped{};
    const Candidate& widest =
        *std::max_element(open.begin(), open.end(), [](const Candidate& x, const Candidate& y) { return x.open_weight < y.open_weight; });
    NodeSearch::Solved solved = nodes_.recall_cut(worker_, subset, closed.cuts, search, widest, depth, claim);
    if (solved.cost(limits_.split_price) < claim) refuted();
    add(solved);
  }
  for (const SolvedCut& cut : search.solved) {
    auto& [left, right] = sides[cut.cut];
    closed.named.push_back({cut.cut, cut.weight_left, bounds_of(cut.bounds.left, cut.bounds.right), std::move(left), std::move(right)});
  }
  drop_needless(closed, claim);
  return closed;
}

double Prover::lower_claims(std::vector<Closed>& closed, double shallow, double claim) const {
  const auto use = [](Closed& of, double bound) {
    of.named.front().bounds = bounds_of(0, bound);
    of.named.back().bounds = bounds_of(bound, 0);
  };
  const double needed = least(shallow, [&](double bound) {
    return std::all_of(closed.begin(), closed.end(), [&](Closed& of) {
      if (of.named.empty()) return true;
      use(of, bound);
      return holds(of, 0, 1, claim) && holds(of, of.named.size() - 2, of.named.size() - 1, claim);
    });
  });
  for (Closed& of : closed) {
    if (of.named.empty()) continue;
    use(of, needed);
    for (std::size_t i = 1; i + 1 < of.named.size(); ++i) {
      const ChildBounds solved = of.named[i].bounds;
      ChildBounds& now = of.named[i].bounds;
      const auto enough = [&] {
        return limits_.split_price + now.left + now.right >= claim && holds(of, i - 1, i, claim) && holds(of, i, i + 1, claim);
      };
      const double left = least(solved.left, [&](double value) { return now = bounds_of(value, solved.right), enough(); });
      const double right = least(solved.right, [&](double value) { return now = bounds_of(left, value), enough(); });
      now = bounds_of(left, right);
    }
  }
  return needed;
}

// The number of cuts plus one, and for each one the ranks since the last one and what it claims.
void Prover::write(proof::Writer& out, const Closed& closed, int depth) const {
  if (closed.cuts.size() == 0) return;
  const auto whole = [&](double bound) { return static_cast<std::uint64_t>(bound / grid_); };
  std::uint32_t rank = closed.cuts.low(0);
  out.number(closed.named.size() - 1);
  for (std::size_t i = 1; i + 1 < closed.named.size(); ++i) {
    const NamedCut& cut = closed.named[i];
    const std::uint32_t high = closed.cuts.high(static_cast<std::size_t>(cut.cut));
    out.number(high - std::exchange(rank, high));
    if (depth == 2) continue;
    out.number(whole(cut.bounds.left));
    out.number(whole(cut.bounds.right));
  }
}

std::string Prover::side(const Subset& subset, const Closed& of, const NamedCut& cut, bool left, int depth) {
  const std::uint32_t place = of.cuts.place(static_cast<std::size_t>(cut.cut));
  const double claim = left ? cut.bounds.left : cut.bounds.right;
  if (claim <= 0) return {};
  Subset child;
  (left ? ItemRange{subset, of.ordering, 0, place} : ItemRange{subset, of.ordering, place, subset.size}).copy_to(child);
  return part(child, depth, claim, (left ? cut.left : cut.right).get());
}

std::string Prover::part(const Subset& subset, int depth, double claim, const Evidence* evidence) {
  if (depth <= 1 || trivial(subset, depth, claim)) return {};
  if (depth == 2) return stumps(subset, claim);
  const SubproblemResult shallower = shallow(subset, depth);
  std::vector<Closed> closed;
  for (std::size_t f = 0; f < problem_.orderings.size(); ++f) closed.push_back(close(subset, f, depth, claim, shallower, evidence));
  const double needed = lower_claims(closed, shallower.lower, claim);
  proof::Writer out;
  out.number(static_cast<std::uint64_t>(needed / grid_));
  out.append(part(subset, depth - 1, needed, shallower.evidence.get()));
  for (const Closed& of : closed) write(out, of, depth);
  for (const Closed& of : closed) {
    for (std::size_t i = 1; i + 1 < of.named.size(); ++i) {
      out.append(side(subset, of, of.named[i], true, depth - 1));
      out.append(side(subset, of, of.named[i], false, depth - 1));
    }
  }
  return out.take();
}

std::string Prover::stumps(const Subset& subset, double claim) {
  const double largest = std::max(subset.total_weight, static_cast<double>(subset.size));
  if (largest <= std::numeric_limits<std::int16_t>::max()) return stumps_by(kernels_.narrow, subset, claim);
  if (largest <= std::numeric_limits<std::int32_t>::max()) return stumps_by(kernels_.wide, subset, claim);
  return stumps_by(kernels_.real, subset, claim);
}

template <class T>
std::string Prover::stumps_by(KernelColumns<T>& columns, const Subset& subset, double claim) {
  stop_point();
  if (worker_.deadline->poll()) throw Stopped{};
  proof::Writer out;
  double one_split = -1;
  for (std::size_t f = 0; f < problem_.orderings.size(); ++f) {
    Closed closed{f, {}, {}};
    closed.cuts.assign(subset, f);
    if (closed.cuts.size() <= kFewCuts) {
      if (closed.cuts.size() > 0) out.number(0);  // all of them
      continue;
    }
    if (one_split < 0) {
      columns.assign(ItemRange::all(subset), problem_.classes, 1);
      one_split = worker_.depth_two.solve(ItemRange::all(subset), 1, 1, kInfinity, {}, *worker_.deadline).lower;
    }
    closed.named = {{-1, 0, bounds_of(0, one_split), {}, {}}, {closed.cuts.size(), subset.total_weight, bounds_of(one_split, 0), {}, {}}};
    evaluate(columns, closed, claim);
    drop_needless(closed, claim);
    write(out, closed, 2);
  }
  return out.take();
}

// Evaluates cuts, spread evenly over those that are open, until none is.
template <class T>
void Prover::evaluate(KernelColumns<T>& columns, Closed& closed, double claim) {
  const auto weight = [&](std::int64_t t) { return closed.cuts.weight_left(static_cast<std::size_t>(t)); };
  while (true) {
    std::vector<CutRange> ranges;
    std::int64_t open = 0;
    for (std::size_t i = 0; i + 1 < closed.named.size(); ++i) {
      const NamedCut &a = closed.named[i], &b = closed.named[i + 1];
      ranges.push_back(
          bounds_.open(a.bounds, b.bounds, a.weight_left, b.weight_left, {a.cut + 1, b.cut}, claim - limits_.split_price, weight));
      open += ranges.back().size();
    }
    if (open == 0) return;
    const std::int64_t count = std::min<std::int64_t>(open, kLanes);
    std::int64_t chosen[kLanes], before = 0;
    std::size_t range = 0;
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const std::int64_t pick = (2 * lane + 1) * open / (2 * count);
      while (pick >= before + ranges[range].size()) before += ranges[range++].size();
      chosen[lane] = ranges[range].first + pick - before;
    }
    T places[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      places[lane] = static_cast<T>(
          closed.cuts.place(static_cast<std::size_t>(chosen[std::min<std::size_t>(lane, static_cast<std::size_t>(count) - 1)])));
    }
    CutErrors errors;
    if (worker_.deadline->poll(1)) throw Stopped{};
    best_stumps(columns, closed.ordering, places, errors);
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const double left = std::min(errors.left_leaf[lane], errors.left[lane] + limits_.split_price);
      const double right = std::min(errors.right_leaf[lane], errors.right[lane] + limits_.split_price);
      if (limits_.split_price + left + right < claim) refuted();
      closed.named.push_back({chosen[lane], weight(chosen[lane]), bounds_of(left, right), {}, {}});
    }
    std::sort(closed.named.begin(), closed.named.end(), [](const NamedCut& x, const NamedCut& y) { return x.cut < y.cut; });
  }
}

// Proves the claim for all items. The orderings and then the sides of their cuts are shared between threads.
class RootProver {
 public:
  RootProver(const Problem& problem, const SearchLimits& limits, double grid, int threads, Deadline& deadline, ProofParts* parts,
             const ProofListener& listener)
      : problem_(problem), limits_(limits), grid_(grid), deadline_(deadline), parts_(parts), listener_(listener), pool_(threads) {}

  std::string prove(int depth, double claim, const Evidence* evidence) {
    const Subset all = Subset::all(problem_);
    std::unique_ptr<Prover> first = borrow();
    if (depth <= 2 || first->trivial(all, depth, claim)) return first->part(all, depth, claim, {});
    const SubproblemResult shallow = first->shallow(all, depth);
    std::vector<Closed> closed(problem_.orderings.size());
    for_each(closed.size(), [&](Prover& prover, std::size_t f) { closed[f] = prover.close(all, f, depth, claim, shallow, evidence); });
    const double needed = first->lower_claims(closed, shallow.lower, claim);
    std::vector<Side> sides{{{0, 0, false, depth - 1, needed}, nullptr, nullptr}};
    for (const Closed& of : closed) {
      for (std::size_t i = 1; i + 1 < of.named.size(); ++i) {
        const NamedCut& cut = of.named[i];
        const std::uint32_t rank = of.cuts.high(static_cast<std::size_t>(cut.cut));
        sides.push_back({{of.ordering, rank, true, depth - 1, cut.bounds.left}, &of, &cut});
        sides.push_back({{of.ordering, rank, false, depth - 1, cut.bounds.right}, &of, &cut});
      }
    }
    std::vector<std::string> bytes(sides.size());
    std::size_t written = 0;
    for_each(sides.size(), [&](Prover& prover, std::size_t k) {
      const Side& side = sides[k];
      bytes[k] = recall(side.part, [&] {
        return side.of == nullptr ? prover.part(all, depth - 1, needed, shallow.evidence.get())
                                  : prover.side(all, *side.of, *side.cut, side.part.left, depth - 1);
      });
      const std::lock_guard lock(mutex_);
      if (listener_) listener_(++written, sides.size());
    });
    proof::Writer out;
    out.number(static_cast<std::uint64_t>(needed / grid_));
    out.append(bytes[0]);
    for (const Closed& of : closed) first->write(out, of, depth);
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
  if (!found.exact.evidence || !options.rules.merge_rows || found.exact.price != price) return {};
  if (options.rules.merge_orderings) return found.exact.evidence;
  // The search has kept orderings that sort alike. Of these `problem` has the first.
  const Problem searched = make_problem(data, false, true, false, options.family);
  auto evidence = std::make_shared<Evidence>();
  evidence->depth = found.exact.evidence->depth;
  for (const Ordering& ordering : problem.orderings) {
    const auto at = std::find_if(searched.orderings.begin(), searched.orderings.end(),
                                 [&](const Ordering& other) { return other.rank == ordering.rank; });
    const auto g = static_cast<std::size_t>(at - searched.orderings.begin());
    evidence->solved.push_back(at == searched.orderings.end() ? std::vector<BoundedCut>() : found.exact.evidence->solved[g]);
  }
  return evidence;
}

}  // namespace

std::optional<proof::Proof> prove(const Dataset& data, const ExactSearchOptions& options, const ExactSearchResult& found,
                                  Deadline& deadline, ProofParts* parts, const ProofListener& listener) {
  if (const std::optional<Dataset> less = without_absent_classes(data)) {
    // What was solved counts rows otherwise.
    ExactSearchResult bound = found;
    bound.exact.evidence.reset();
    return prove(*less, options, bound, deadline, parts, listener);
  }
  const std::optional<SplitFamily> own = options.family == nullptr ? std::make_optional<SplitFamily>(data) : std::nullopt;
  const SplitFamily& family = own ? *own : *options.family;
  const Problem problem = make_problem(data, false, true, true, &family);
  const auto look = static_cast<std::int64_t>(problem.items() * problem.orderings.size() * std::max<std::size_t>(1, problem.classes - 1));
  if (look > deadline.work_left()) return {};
  Deadline looks = deadline.task(deadline.work_left() / std::max<std::int64_t>(1, look));
  SearchLimits limits;
  // What more than all errors costs is in no tree, whatever its price. A bound at a lower price is one at the true price.
  limits.split_price = std::min(found.exact.price, problem.total_weight + 1);
  limits.rules = options.rules;
  // A search that does not merge rows has lost nothing.
  const double claim = found.exact.items + (found.exact.lost - problem.base_errors);
  proof::Proof proof = describe(data, problem.row_weights, family);
  proof.depth = options.max_depth;
  proof.grid = proof::grid_of(limits.split_price);
  proof.price = static_cast<std::int64_t>(std::ldexp(limits.split_price, proof.grid));
  proof.bound = static_cast<std::int64_t>(std::ldexp(claim, proof.grid));
  const auto evidence = evidence_for(problem, data, options, found, limits.split_price);
  try {
    RootProver prover(problem, limits, std::ldexp(1.0, -proof.grid), options.threads, looks, parts, listener);
    proof.body = prover.prove(options.max_depth, claim, evidence.get());
  } catch (const Stopped&) {
    return {};
  }
  return proof;
}

}  // namespace treewright::search
