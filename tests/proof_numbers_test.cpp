#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "support/numbers_data.h"
#include "support/proved.h"
#include "support/random_data.h"
#include "support/sum_brute_force.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"
#include "treewright/proof/items.h"
#include "treewright/proof/table_text.h"
#include "treewright/search/exact.h"
#include "treewright/search/prove/prove.h"

namespace treewright {
namespace {

using testing::Proved;
using testing::SumBruteForce;

Dataset draw(Random& random, int most_rows) {
  Dataset data = testing::random_data(random, {most_rows, 3, 3, true, true, 6});
  const std::size_t rows = data.labels.size();
  const int kind = static_cast<int>(random.below(7));
  data.labels.clear();
  data.class_names.clear();
  data.target_name = "y";
  data.response.emplace();
  for (std::size_t row = 0; row < rows; ++row) data.response->values.push_back(testing::draw_number(random, kind, 1e90));
  testing::draw_weights(random, random.below(5), rows, data);
  return data;
}

long double loss_of_leaf(const Dataset& data) {
  return testing::tree_loss(data, Tree(data));
}

// For the last digits of a loss in long doubles.
long double digits_of(const Dataset& data) {
  return 1e-13L * loss_of_leaf(data);
}

long double optimum(const Proved& made) {
  const search::ExactSearchOptions& options = made.options;
  const std::int64_t full = (std::int64_t{1} << options.max_depth) - 1;
  return SumBruteForce(made.data, options.min_rows, options.split_price)
      .best(options.max_depth, options.max_splits < 0 ? full : std::min(full, options.max_splits));
}

Proved random_proof(Random& random, int most_rows) {
  Proved made;
  do {
    made.data = draw(random, most_rows);
  } while (!(loss_of_leaf(made.data) > 0));
  made.options = testing::random_limits(random, made.data.rows(), static_cast<double>(loss_of_leaf(made.data)));
  made.search();
  made.prove();
  return made;
}

std::optional<double> bound_of(const proof::Proof& proof, const Dataset& data) {
  try {
    return proof::verify(proof, data, "proof").bound;
  } catch (const Error&) {
    return {};
  }
}

// No tree costs less than a proof shows, and the search's bound is shown but for its rounding.
TEST(ProofOfNumbers, EveryBoundOfTheSearchIsShown) {
  Random random(11);
  for (int round = 0; round < 1500; ++round) {
    const Proved made = random_proof(random, 10);
    ASSERT_TRUE(made.proof) << "round " << round;
    const std::string bytes = proof::to_bytes(*made.proof, "test");
    const proof::Proof read = proof::from_bytes(bytes, "bytes");
    ASSERT_EQ(proof::to_bytes(read, "test"), bytes);
    const double bound = proof::verify(read, made.data, "bytes").bound;
    EXPECT_GE(bound, made.found.lower - 1e-9 * static_cast<double>(loss_of_leaf(made.data))) << "round " << round;
    EXPECT_LE(static_cast<long double>(bound), optimum(made) + digits_of(made.data)) << "round " << round;
  }
}

// The least whole cost of trees on the groups of a table, by trying all of them: what no proof can go beyond.
class WholeCosts {
 public:
  WholeCosts(const Proved& made, const proof::Proof& proof)
      : table_(proof::make_table(made.data, proof, "proof")),
        items_(table_, proof::ranks_of(proof, table_, "proof")),
        price_(proof.price),
        min_rows_(proof.min_rows) {}

  std::int64_t best(int depth, std::int64_t splits) { return best(items_.all(), depth, splits); }
  std::int64_t lost() const { return items_.lost(); }

 private:
  std::int64_t best(const proof::Part& part, int depth, std::int64_t splits) {
    if (depth == 0 || splits == 0 || part.size() < 2) return items_.leaf_cost(part);
    std::vector<std::uint32_t> key(part.items().begin(), part.items().end());
    std::sort(key.begin(), key.end());
    const auto at = std::make_tuple(std::move(key), depth, splits);
    if (const auto known = known_.find(at); known != known_.end()) return known->second;
    std::int64_t least = items_.leaf_cost(part);
    for (std::size_t f = 0; f < items_.orderings(); ++f) {
      const auto order = part.order(f);
      for (std::size_t i = 1; i < order.size(); ++i) {
        const std::uint32_t rank = items_.rank(f, order[i]);
        if (rank == items_.rank(f, order[i - 1])) continue;
        const proof::Part left = items_.side(part, {f, rank}, true), right = items_.side(part, {f, rank}, false);
        if (std::min(items_.rows(left), items_.rows(right)) < min_rows_) continue;
        for (std::int64_t of_left = 0; of_left < splits; ++of_left)
          least = std::min(least, price_ + best(left, depth - 1, of_left) + best(right, depth - 1, splits - 1 - of_left));
      }
    }
    known_.emplace(at, least);
    return least;
  }

  const proof::Table table_;
  const proof::SumItems items_;
  const std::int64_t price_, min_rows_;
  std::map<std::tuple<std::vector<std::uint32_t>, int, std::int64_t>, std::int64_t> known_;
};

TEST(ProofOfNumbers, NothingFalseIsShown) {
  Random random(12);
  int refused = 0, shown = 0;
  for (int round = 0; round < 1500; ++round) {
    const Proved made = random_proof(random, 8);
    proof::Proof changed = *made.proof;
    WholeCosts costs(made, changed);
    const std::int64_t splits = std::min<std::int64_t>(changed.max_splits.value_or(1023), (std::int64_t{1} << changed.depth) - 1);
    const std::int64_t least = costs.best(changed.depth, splits);
    ASSERT_LE(changed.bound, least) << "round " << round;
    if (random.below(2) == 0) changed.bound = least + static_cast<std::int64_t>(random.below(3));
    for (std::uint64_t change = random.below(4); change > 0 && !changed.body.empty(); --change) {
      const std::size_t at = random.below(changed.body.size());
      switch (random.below(4)) {
        case 0:
          changed.body[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          ++changed.body[at];
          break;
        case 2:
          changed.body.erase(at, 1 + random.below(3));
          break;
        default:
          changed.body.insert(at, 1, static_cast<char>(random.below(5)));
      }
    }
    if (bound_of(changed, made.data)) {
      ++shown;
      EXPECT_LE(changed.bound, least) << "round " << round;
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
  EXPECT_GT(shown, 300);
}

// A single split is recounted, so its best cost is shown without a body, and no step more.
TEST(ProofOfNumbers, StumpsAreExactOnAnyGrid) {
  Random random(13);
  int seen = 0;
  for (int round = 0; round < 4000; ++round) {
    Proved made;
    made.data = draw(random, 12);
    if (!(loss_of_leaf(made.data) > 0)) continue;
    made.options.max_depth = static_cast<int>(random.below(2));
    made.search();
    try {
      made.prove();
    } catch (const Error&) {
      continue;  // of weights that are no multiples of the unit, to their last digits
    }
    ASSERT_TRUE(made.proof);
    proof::Proof proof = *made.proof;
    // Coarser and finer grids, and other centers.
    const double spread = std::ldexp(1.0, -proof.target->digits);
    if (random.below(2) == 0) proof.target->digits -= static_cast<int>(random.below(50));
    proof.grid = static_cast<int>(random.below(80)) - 60;
    if (random.below(3) == 0)
      proof.target->center = proof::Binary::of(proof.target->center.value() + spread * std::exp(random.uniform(-5, 30)));
    if (random.below(2) == 0 && !made.data.weights.empty()) {
      proof.unit = proof::Binary::of(std::exp(random.uniform(-6, 3)));
    }
    if (random.below(3) == 0) proof.price = static_cast<std::int64_t>(std::exp(random.uniform(0, 36)));
    if (random.below(3) == 0) proof.min_rows = 1 + static_cast<std::int64_t>(random.below(4));
    proof.body.clear();
    try {
      WholeCosts costs(made, proof);
      proof.bound = costs.best(proof.depth, proof.depth);
    } catch (const Error&) {
      continue;  // sums would not be exact
    }
    ++seen;
    const proof::Verified verified = proof::verify(proof, made.data, "proof");
    const double price = verified.price;
    SumBruteForce all(made.data, proof.min_rows, price);
    EXPECT_LE(static_cast<long double>(verified.bound), all.best(proof.depth, proof.depth) + digits_of(made.data)) << "round " << round;
    ++proof.bound;
    EXPECT_EQ(bound_of(proof, made.data), std::nullopt) << "round " << round;
  }
  EXPECT_GT(seen, 1500);
}

TEST(ProofOfNumbers, GainsAreRounded) {
  EXPECT_EQ(proof::gain_up(3, 2, 0), 2);
  EXPECT_EQ(proof::gain_down(3, 2, 0), 1);
  EXPECT_EQ(proof::gain_up(2, -2, 0), 2);
  EXPECT_EQ(proof::gain_down(2, -2, 0), 2);
  EXPECT_EQ(proof::gain_up(3, 2, 3), 11);
  EXPECT_EQ(proof::gain_up(3, 2, -1), 1);
  EXPECT_EQ(proof::gain_down(3, 2, -1), 0);
  EXPECT_EQ(proof::gain_up(0, 0, 5), 0);
  const std::int64_t most = proof::kNumbersEnd - 1;
  EXPECT_EQ(proof::gain_up(most, -most, 0), most);
  EXPECT_EQ(proof::gain_up(1, most, -74), std::int64_t{1} << 32);
  EXPECT_EQ(proof::gain_down(1, most, 20), proof::kNumbersEnd);  // too large
}

Dataset three_rows() {
  ReadOptions read;
  read.weights = "w";
  read.loss = Loss::squared;
  return parse_csv("age,color,w,y\n17,red,1,20.5\n18.5,,2.5,-3\n,blue,1,7e20\n", "t", read);
}

TEST(ProofOfNumbers, TheTableHoldsTargets) {
  EXPECT_EQ(proof::table_text(three_rows()),
            "treewright table 1\nnumber \"age\"\nlevel \"color\"\nweight \"w\"\ntarget \"y\"\nrows 3\n"
            "17 \"red\" 1 20.5\n18.5 - 2.5 -3\n- \"blue\" 1 7e20\n");
}

TEST(ProofOfNumbers, OtherHeadersAreRefused) {
  Random random(14);
  const Proved made = random_proof(random, 10);
  const std::string bytes = proof::to_bytes(*made.proof, "test");
  EXPECT_NE(bytes.find("\"center\":["), bytes.npos);
  const auto refused = [&](const auto& change) {
    proof::Proof other = *made.proof;
    change(other);
    try {
      proof::verify(proof::from_bytes(proof::to_bytes(other, "test"), "bytes"), made.data, "bytes");
      return false;
    } catch (const Error&) {
      return true;
    }
  };
  EXPECT_FALSE(refused([](proof::Proof&) {}));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.target.reset(); }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.target->digits = 501; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.target->digits += 40; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.target->center = {2, 3}; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.target->center = {1, 1023}; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.unit = {1, 501}; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.grid = 21; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.grid = -75; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.table = "0000000000000000"; }));
}

TEST(ProofOfNumbers, TheSentenceHasAllDigits) {
  Dataset data = three_rows();
  search::ExactSearchOptions options;
  options.max_depth = 0;
  Tree leaf(data);
  leaf.tally(data);
  Deadline deadline;
  const search::ExactSearchResult found = search::search_exact(data, options, leaf, deadline);
  const auto made = search::prove(data, data, options, found, deadline);
  ASSERT_TRUE(made);
  const std::string said = proof::verify(*made, data, "proof").sentence;
  const std::string words =
      "no tree of axis and category splits of depth at most 0 for \"y\" on these 3 rows has squared error weighted by \"w\" below 3.8";
  EXPECT_EQ(said.substr(0, words.size()), words);
}

}  // namespace
}  // namespace treewright
