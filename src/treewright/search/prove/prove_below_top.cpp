// Writes the proof of a bound on all trees that begin with given splits (proof/top.cpp says what follows from what).
//
// The rows of each open place are solved once more, with the orderings and in the unit of all rows, and what they cost is then proved as
// the claim of any other part is. The bound is the sum.

#include "treewright/search/prove/prove_below_top.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "treewright/base/round_down.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/costs/price_grid.h"
#include "treewright/error.h"
#include "treewright/proof/family.h"
#include "treewright/proof/table.h"
#include "treewright/search/prove/proof_claim.h"
#include "treewright/search/prove/prove_part.h"

namespace treewright::search {

namespace {

// The splits of a top as a proof names them: by an ordering and a rank.
class TopSplits {
 public:
  TopSplits(const Dataset& data, const proof::Proof& proof)
      : data_(data), table_(proof::make_table(data, proof, "proof")), orderings_(proof::ranks_of(proof, table_, "proof")) {}

  struct Named {
    proof::TopPlace place;
    bool mirrored = false;  // the left side of the split is the right one of the proof
  };

  // Some ordering has the rows of one side before all others: that is so of every split of the family.
  Named name(const Split& split) const {
    const auto column = static_cast<std::size_t>(+*split.feature());
    std::vector<bool> left(data_.rows());
    for (std::size_t row = 0; row < data_.rows(); ++row) left[row] = goes_left(split, data_, row);
    for (std::size_t o = 0; o < orderings_.size(); ++o) {
      if (orderings_[o].column != column) continue;
      for (const bool mirrored : {false, true}) {
        std::int64_t last = -1, first = kNone;  // the ranks of one side, and of the other
        for (std::size_t row = 0; row < data_.rows(); ++row) {
          const std::int64_t rank = orderings_[o].of(table_.columns[column].codes[row]);
          left[row] != mirrored ? last = std::max(last, rank) : first = std::min(first, rank);
        }
        if (last >= 0 && last < first && first < kNone)
          return {{proof::TopPlace::Kind::split, static_cast<std::int64_t>(o), first}, mirrored};
      }
    }
    throw Error("proof", fmt::format("speaks of no split of '{}' into such levels", data_.columns[column].name),
                "leave out the proof, or the split", ErrorKind::limit);
  }

 private:
  static constexpr std::int64_t kNone = proof::kNumbersEnd;

  const Dataset& data_;
  const proof::Table table_;
  const std::vector<proof::Ranks> orderings_;
};

class BelowTopProver {
 public:
  BelowTopProver(const Problem& problem, const SearchLimits& limits, int fine, const Tree& top, const std::vector<NodeId>& open,
                 Deadline& deadline)
      : problem_(problem),
        limits_(limits),
        fine_(fine),
        top_(top),
        open_(open),
        all_(Subset::all(problem)),
        prover_(problem, limits, std::ldexp(1.0, -fine), deadline) {}

  // Writes the places of the proof, its body and the sum of what is claimed.
  void prove(const Dataset& data, const Dataset& searched, const std::vector<std::uint32_t>& rows, int depth, proof::Proof& proof) {
    const TopSplits splits(data, proof);
    std::vector<std::uint32_t> items(problem_.items());
    std::iota(items.begin(), items.end(), 0u);
    const auto below = [&](auto&& self, NodeId id, const std::vector<std::uint32_t>& here, int levels) -> void {
      const Node& node = top_.node(id);
      if (node.is_leaf()) return place(id, here, levels, proof);
      assert(levels > 0);
      const TopSplits::Named split = splits.name(*node.split);
      proof.top.push_back(split.place);
      cost_ += limits_.split_price;
      std::vector<std::uint32_t> left, right;
      for (const std::uint32_t item : here) (goes_left(*node.split, searched, rows[item]) ? left : right).push_back(item);
      const auto side = [&](bool of_left) {
        of_left ? self(self, node.left, left, levels - 1) : self(self, node.right, right, levels - 1);
      };
      side(!split.mirrored);
      side(split.mirrored);
    };
    below(below, top_.root(), items, depth);
    // Given splits may cost many times what all rows lose.
    if (!(steps(cost_) < static_cast<double>(proof::kNumbersEnd)))
      throw Error("proof", "cannot say what the given splits cost: the sum of their prices is a number of too many digits",
                  "lower the price", ErrorKind::limit);
    proof.body = out_.take();
    proof.bound = static_cast<std::int64_t>(steps(cost_));
  }

 private:
  double steps(double units) const { return std::floor(std::ldexp(units, fine_)); }

  void place(NodeId id, const std::vector<std::uint32_t>& items, int levels, proof::Proof& proof) {
    const bool is_open = std::find(open_.begin(), open_.end(), id) != open_.end();
    proof.top.push_back({is_open ? proof::TopPlace::Kind::open : proof::TopPlace::Kind::leaf});
    if (items.empty()) {
      if (is_open) out_.number(0);
      return;
    }
    std::vector<std::uint32_t> renamed(all_.size, kAbsent);
    for (std::uint32_t i = 0; i < items.size(); ++i) renamed[items[i]] = i;
    Subset subset;
    all_.copy_items(renamed, static_cast<std::uint32_t>(items.size()), subset);
    if (!is_open) {
      cost_ += std::ldexp(steps(subset.leaf_cost(problem_)), -fine_);
      return;
    }
    const std::int64_t splits = full_splits(levels);
    const SubproblemResult best = prover_.best(subset, levels, splits);
    const double least = std::max(0.0, best.lower.strict - slack(problem_, levels, splits));
    const double claim = std::ldexp(steps(least), -fine_);
    out_.number(static_cast<std::uint64_t>(steps(claim)));
    out_.append(prover_.part(subset, levels, splits, claim, limits_.min_rows > 1 ? nullptr : best.evidence.get()));
    cost_ += claim;
  }

  const Problem& problem_;
  const SearchLimits& limits_;
  const int fine_;
  const Tree& top_;
  const std::vector<NodeId>& open_;
  const Subset all_;
  Prover prover_;
  proof::Writer out_;
  double cost_ = 0;
};

// The price of a split in units of the search. The given splits are paid for whatever they cost: a price above all errors stays what it is,
// as far as all costs are exact, but for digits of its own.
double price_in_units(const Problem& problem, double split_price) {
  const double price = quotient_down(split_price, problem.sums ? problem.response_units.unit : problem.row_weights.unit);
  if (price <= problem.total_weight) return price_on_grid(price, problem.total_weight);
  const double grid = std::ldexp(1.0, std::ilogb(4 * std::max(price, 2 * problem.total_weight + 2)) + 1 - 52);
  const double on_grid = std::floor(price / grid) * grid;
  if (!(std::ldexp(on_grid, TwoSums::kItemBits) < static_cast<double>(proof::kNumbersEnd / 2)))
    throw Error("proof", "cannot say what the given splits cost, so far are their price and what rows lose apart", "lower the price",
                ErrorKind::limit);
  return on_grid;
}

}  // namespace

std::optional<proof::Proof> prove_below_top(const Dataset& data, const Dataset& searched, const ExactSearchOptions& options,
                                            const Tree& top, const std::vector<NodeId>& open, Deadline& deadline) {
  assert(options.max_splits < 0);
  if (const std::optional<Dataset> less = without_absent_classes(data)) return prove_below_top(*less, *less, options, top, open, deadline);
  try {
    const SplitFamily family(searched);
    std::vector<std::uint32_t> rows;
    const Problem problem = make_problem(searched, options.min_rows > 1, true, true, &family, {}, &rows);
    SearchLimits limits;
    const int fine = limits_of_proof(problem, options, price_in_units(problem, options.split_price), limits);
    const auto look = static_cast<std::int64_t>(problem.items() * problem.orderings.size()) * std::max(1, problem.classes - 1);
    Deadline looks = deadline.task(deadline.work_left() / std::max<std::int64_t>(1, look));
    proof::Proof proof = describe(data, searched, problem, family);
    proof.depth = options.max_depth;
    proof.min_rows = std::max<std::int64_t>(1, options.min_rows);
    proof.grid += fine;
    proof.price = static_cast<std::int64_t>(std::ldexp(limits.split_price, fine));
    BelowTopProver(problem, limits, fine, top, open, looks).prove(data, searched, rows, options.max_depth, proof);
    return proof;
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace treewright::search
