// Checks a proof that no tree of depth D costs less than b.
//
// It knows nothing of the search. It reads the raw rows and goes through the proof part by part. A part is a set of rows, reached from the whole
// by cuts of the proof; its claim is a bound on all trees of its depth d on these rows. A claim follows
//   - from the weights of the classes (`trivial_bound`), or
//   - from cuts, since a tree with a split begins with a cut of some ordering, and one without errs as a leaf. For the cuts of one ordering the
//     proof names a few, s, with claims l(s), r(s) on the two sides for trees of depth d - 1. Let cut t lie between the named neighbors a and b,
//     and w(x, y) be the weight between two cuts. The left side of t holds that of a, and that of b without w(t, b), and a tree loses no more
//     than the weight of rows by leaving them out. So the two subtrees of t cost at least
//         max(l(a), l(b) - w(t, b)) + max(r(b), r(a) - w(a, t)),
//     and with the price of a split that must reach the claim, at t and at each named cut. Left of the first cut all rows are on the right side,
//     so "no cut" is a neighbor too: l = 0, and r the claim for all rows of the part at depth d - 1. The last cut has such a neighbor likewise.
// At d = 2 the sides are stumps. Their claims are not written down: each is recounted by going through the rows in every ordering.
//
// Rows with equal values reach the same leaf, whatever the tree. So of such rows the weight of the lightest class is lost for each class but
// one, and what remains counts (docs/optimal.md). All sums are whole multiples of the proof's grid, so they are exact.

#include "treewright/proof/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/data/whole_weights.h"
#include "treewright/error.h"
#include "treewright/proof/items.h"
#include "treewright/proof/stumps.h"

namespace treewright::proof {

namespace {

class Checker {
 public:
  Checker(const Proof& proof, const Items& items, const std::string& origin)
      : proof_(proof), items_(items), origin_(origin), stumps_(items, proof.price) {}

  /// Throws Error unless the body proves `claim` for all items.
  void run(double claim) {
    part(items_.all(), proof_.depth, claim);
    if (at_ != proof_.body.size()) refuse("bytes follow its end");
  }

  Verified counts;

 private:
  // A named cut of a part and the bounds on the trees on either side of it.
  struct Bounded {
    Cut cut;
    double weight_left = 0, left = 0, right = 0;
  };

  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error(fmt::format("{}: byte {} of the body", origin_, at_), problem, "the proof does not hold; write it anew with fit --proof",
                ErrorKind::file);
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      if (at_ == proof_.body.size()) refuse("ends too early");
      const auto byte = static_cast<unsigned char>(proof_.body[at_++]);
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    refuse("holds a number that is too large");
  }
  double bound() { return static_cast<double>(number()) * proof_.grid; }

  void part(const Part& part, int depth, double claim);
  std::vector<Bounded> named_cuts(const Part& part, std::size_t f, int depth);
  void recount(const Part& part, std::vector<std::vector<Bounded>>& cuts, double& shallow);
  void check_ordering(const Part& part, std::size_t f, const std::vector<Bounded>& named, double shallow, double claim) const;

  const Proof& proof_;
  const Items& items_;
  const std::string& origin_;
  std::size_t at_ = 0;
  Stumps stumps_;
};

void Checker::part(const Part& part, int depth, double claim) {
  stop_point();
  const std::vector<double> weights = items_.class_weights(part);
  if (trivial_bound(weights, depth, proof_.price) >= claim) return;
  ++counts.claims;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (total - *std::max_element(weights.begin(), weights.end()) < claim || depth == 0)
    refuse(fmt::format("a leaf costs less than {}", claim));
  double shallow = 0;
  std::vector<std::vector<Bounded>> cuts(items_.orderings());
  if (depth > 2) {
    shallow = bound();
    this->part(part, depth - 1, shallow);
  }
  if (depth > 1) {
    for (std::size_t f = 0; f < cuts.size(); ++f) cuts[f] = named_cuts(part, f, depth);
  }
  if (depth <= 2) recount(part, cuts, shallow);
  if (depth == 1) {
    if (shallow < claim) refuse(fmt::format("a single split costs {}, less than {}", shallow, claim));
    return;
  }
  for (std::size_t f = 0; f < cuts.size(); ++f) check_ordering(part, f, cuts[f], shallow, claim);
  if (depth == 2) return;
  for (std::size_t f = 0; f < cuts.size(); ++f) {
    for (const Bounded& named : cuts[f]) {
      this->part(items_.side(part, named.cut, true), depth - 1, named.left);
      this->part(items_.side(part, named.cut, false), depth - 1, named.right);
    }
  }
}

// In order; each sends rows to both sides.
std::vector<Checker::Bounded> Checker::named_cuts(const Part& part, std::size_t f, int depth) {
  std::vector<Bounded> named;
  const std::uint32_t first = items_.rank(f, part.order(f).front()), last = items_.rank(f, part.order(f).back());
  if (first == last) return named;
  const std::uint64_t written = number();
  if (written == 0) {  // all of them
    if (depth > 2) refuse("cuts without bounds");
    for (std::size_t i = 1; i < part.size(); ++i) {
      const std::uint32_t rank = items_.rank(f, part.order(f)[i]);
      if (rank != items_.rank(f, part.order(f)[i - 1])) named.push_back({{f, rank}});
    }
  }
  std::uint64_t rank = first;
  for (std::uint64_t i = 1; i < written; ++i) {
    const std::uint64_t step = number();
    if (step == 0 || step > last - rank) refuse("a cut that sends all rows of its part the same way");
    rank += step;
    Bounded& cut = named.emplace_back(Bounded{{f, static_cast<std::uint32_t>(rank)}});
    if (depth > 2) {
      cut.left = bound();
      cut.right = bound();
    }
  }
  std::size_t at = 0;
  double weight = 0;
  for (Bounded& cut : named) {
    for (; items_.rank(f, part.order(f)[at]) < cut.cut.rank; ++at) weight += items_.weight(part.order(f)[at]);
    cut.weight_left = weight;
  }
  return named;
}

// The best trees of one split on either side of each cut, and on the whole part.
void Checker::recount(const Part& part, std::vector<std::vector<Bounded>>& cuts, double& shallow) {
  std::vector<Cut> all{{0, Cut::kEverything}};
  for (const std::vector<Bounded>& named : cuts) {
    for (const Bounded& cut : named) all.push_back(cut.cut);
  }
  const std::vector<Stumps::Sides> costs = stumps_.best(part, all);
  counts.stumps += static_cast<std::int64_t>(2 * all.size() - 1);
  shallow = costs[0].left;
  std::size_t next = 1;
  for (std::vector<Bounded>& named : cuts) {
    for (Bounded& cut : named) {
      cut.left = costs[next].left;
      cut.right = costs[next++].right;
    }
  }
}

void Checker::check_ordering(const Part& part, std::size_t f, const std::vector<Bounded>& named, double shallow, double claim) const {
  const std::span<const std::uint32_t> order = part.order(f);
  const double total =
      std::accumulate(order.begin(), order.end(), 0.0, [&](double sum, std::uint32_t item) { return sum + items_.weight(item); });
  Bounded a{{f, 0}, 0, 0, shallow};
  const Bounded end{{f, Cut::kEverything}, total, shallow, 0};
  double weight = items_.weight(order[0]);  // left of the cut before order[i]
  auto next = named.begin();
  for (std::size_t i = 1; i < order.size(); weight += items_.weight(order[i++])) {
    const std::uint32_t rank = items_.rank(f, order[i]);
    if (rank == items_.rank(f, order[i - 1])) continue;
    const bool between = next == named.end() || next->cut.rank > rank;
    const Bounded& b = next == named.end() ? end : *next;
    const double left = between ? std::max(a.left, b.left - (b.weight_left - weight)) : b.left;
    const double right = between ? std::max(b.right, a.right - (weight - a.weight_left)) : b.right;
    if (proof_.price + left + right < claim)
      refuse(
          fmt::format("a cut of column {} is bounded by {}, less than {}", proof_.orderings[f].column, proof_.price + left + right, claim));
    if (!between) a = *next++;
  }
}

}  // namespace

Verified verify(const Proof& proof, const Dataset& data, const std::string& origin) {
  const WholeWeights weights = whole_weights(data);
  const Items items(proof, data, weights, origin);
  // A claim above the weight of all items fails, so no sum of a cut is larger.
  const double largest = 2 * items.total_weight() + proof.price;
  if (std::fmod(proof.price, proof.grid) != 0 || largest / proof.grid > 0x1p53) {
    throw Error(origin, "has a grid on which its sums would not be exact", "write it anew with fit --proof", ErrorKind::file);
  }
  Checker checker(proof, items, origin);
  checker.run(proof.bound);
  Verified verified = checker.counts;
  verified.bound = (proof.bound + items.lost()) * weights.unit - weights.rounding;
  verified.price = proof.price * weights.unit;
  return verified;
}

}  // namespace treewright::proof
