#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/proved.h"
#include "support/random_data.h"
#include "support/sum_brute_force.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/event_gain.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table_text.h"

namespace treewright {
namespace {

using testing::Proved;

TEST(ProofOfEvents, TheLogarithmIsNear) {
  Random random(1);
  for (int round = 0; round < 200'000; ++round) {
    double number = std::exp(random.uniform(-1, 1) * std::pow(10, random.uniform(-9, 2.84)));
    if (random.below(4) == 0) number = std::ldexp(1.0, static_cast<int>(random.below(200)) - 100);
    const long double exact = std::log(static_cast<long double>(number));
    // Long doubles have eleven bits more.
    EXPECT_LE(std::abs(proof::logarithm(number) - exact), (1.13L * 0x1p-50L + 0x1p-60L) * std::abs(exact)) << number;
  }
  EXPECT_EQ(proof::logarithm(1), 0);
}

TEST(ProofOfEvents, GainsAreEnclosed) {
  Random random(2);
  const auto draw = [&](double most) { return 1 + std::floor(std::exp(random.uniform(0, std::log(most)))); };
  for (int round = 0; round < 100'000; ++round) {
    const double exposure = draw(0x1p51), events = random.below(8) == 0 ? 0 : draw(0x1p51);
    double all_exposure = exposure + draw(0x1p51), all_events = events + draw(0x1p51);
    if (random.below(4) == 0) {  // a rate next to that of all rows
      all_exposure = 4 * exposure;
      all_events = 4 * events + static_cast<double>(random.below(3));
    }
    const proof::EventGain::Enclosed near = proof::EventGain(all_exposure, all_events).of(exposure, events);
    const long double expected = static_cast<long double>(all_events) / all_exposure * exposure;
    const long double exact = all_events > 0 ? (events > 0 ? events * std::log(events / expected) : 0) - events + expected : 0;
    const long double digits = 0x1p-60L * (events + expected);
    EXPECT_LE(std::abs(near.gain - exact), near.off + digits) << round;
    EXPECT_LE(near.off, 0x1p-48 * 75 * (events + static_cast<double>(expected)));
    // As the search has them, whose numbers are multiples of another power of two.
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(90)) - 30);
    const proof::EventGain::Enclosed scaled =
        proof::EventGain(scale * all_exposure, scale * all_events).of(scale * exposure, scale * events);
    EXPECT_EQ(scaled.gain, scale * near.gain);
    EXPECT_EQ(scaled.off, scale * near.off);
  }
}

// Exposures and events of any size, few or many events, none at all, weights of several magnitudes.
Dataset draw(Random& random, int most_rows) {
  Dataset data = testing::random_data(random, {most_rows, 3, 3, true, true, 6});
  const std::size_t rows = data.labels.size();
  data.labels.clear();
  data.class_names.clear();
  data.target_name = "y";
  data.response.emplace();
  Response& seen = *data.response;
  seen.loss = random.below(3) == 0 ? Loss::survival : Loss::poisson;
  const std::uint64_t weights = random.below(5), kind = random.below(6);
  testing::draw_weights(random, weights, rows, data);
  for (std::size_t row = 0; row < rows; ++row) {
    if (seen.loss == Loss::survival) {
      seen.times.push_back(kind < 3 ? static_cast<double>(random.below(5)) + 1 : random.uniform() * 100);
      seen.values.push_back(kind == 1 ? 1 : static_cast<double>(random.below(2)));
      continue;
    }
    const double whole = static_cast<double>(random.below(5)), drawn = random.uniform();
    seen.values.push_back(kind == 0   ? drawn
                          : kind == 1 ? 1e9 + whole
                          : kind == 2 ? whole * 1e-60
                          : kind == 3 ? std::floor(drawn * 1.3)
                                      : whole);
    if (random.below(2) == 0 && row > 0 && seen.exposure.empty()) continue;
    if (seen.exposure.size() == row) seen.exposure.push_back(kind == 4 ? std::exp(60 * drawn - 30) : kind == 5 ? drawn : 1 + whole / 4);
  }
  if (seen.exposure.size() < rows) seen.exposure.clear();
  if (seen.loss == Loss::survival) set_hazards(data);
  return data;
}

// With such a price of a split.
long double optimum(const Dataset& data, const proof::Proof& of, double price) {
  const std::int64_t full = (std::int64_t{1} << of.depth) - 1;
  return testing::SumBruteForce(data, of.min_rows, price).best(of.depth, std::min(full, of.max_splits.value_or(full)));
}

long double size_of(const Dataset& data) {
  long double events = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) events += static_cast<long double>(data.weight(row)) * data.response->values[row];
  return testing::tree_loss(data, Tree(data)) + events;
}

// Whether no exposure is much less than all.
bool is_even(const Dataset& data) {
  double least = 1, most = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double exposure = data.weight(row) * data.response->at_risk(row);
    if (exposure > 0) least = most == 0 ? exposure : std::min(least, exposure);
    most = std::max(most, exposure);
  }
  return most <= 1e6 * least;
}

// Without a proof where exposures or weights are too uneven.
Proved random_proof(Random& random, int most_rows) {
  Proved made;
  made.data = draw(random, most_rows);
  made.options = testing::random_limits(random, made.data.rows(), static_cast<double>(size_of(made.data)));
  made.search();
  try {
    made.prove();
  } catch (const proof::DoesNotFollow&) {
    throw;
  } catch (const Error&) {  // of numbers that are no multiples of the unit, to their last digits
  }
  return made;
}

// No tree costs less than a proof shows, and the search's bound is shown but for its rounding.
TEST(ProofOfEvents, EveryBoundOfTheSearchIsShown) {
  Random random(3);
  int tight = 0, unwritten = 0;
  for (int round = 0; round < 600; ++round) {
    const Proved made = random_proof(random, 10);
    if (!made.proof) {
      unwritten += is_even(made.data) ? 1 : 0;
      continue;
    }
    const std::string bytes = proof::to_bytes(*made.proof, "test");
    const proof::Proof read = proof::from_bytes(bytes, "bytes");
    ASSERT_EQ(proof::to_bytes(read, "test"), bytes);
    const proof::Verified verified = proof::verify(read, made.data, "bytes");
    const long double least = optimum(made.data, read, verified.price), digits = 1e-15L * size_of(made.data);
    EXPECT_LE(static_cast<long double>(verified.bound), least + digits) << "round " << round;
    if (is_even(made.data)) {
      EXPECT_GE(verified.bound, made.found.lower - 1e-9 * static_cast<double>(size_of(made.data))) << "round " << round;
    }
    tight += static_cast<long double>(verified.bound) >= least * (1 - 1e-9L) ? 1 : 0;
  }
  EXPECT_GT(tight, 450);
  EXPECT_LT(unwritten, 5);
}

// Bodies, bounds, units and grids that the search did not write.
TEST(ProofOfEvents, NothingFalseIsShown) {
  Random random(4);
  int refused = 0, shown = 0;
  for (int round = 0; round < 3000; ++round) {
    const Proved made = random_proof(random, 8);
    if (!made.proof) continue;
    proof::Proof changed = *made.proof;
    if (random.below(3) > 0) changed.bound += static_cast<std::int64_t>(std::exp(random.uniform(0, 30)));
    if (random.below(3) == 0) changed.unit = proof::Binary::of(changed.unit.value() * std::exp(random.uniform(-3, 30)));
    if (random.below(3) == 0) changed.exposure = proof::Binary::of(changed.exposure->value() * std::exp(random.uniform(-3, 30)));
    if (random.below(3) == 0) changed.grid -= static_cast<int>(random.below(45));
    if (random.below(4) == 0) changed.price = static_cast<std::int64_t>(std::exp(random.uniform(0, 36)));
    if (random.below(4) == 0) changed.body.clear();
    if (random.below(4) == 0) changed.depth = static_cast<std::int32_t>(random.below(3));
    if (changed.depth <= 1 && random.below(2) == 0) changed.bound = static_cast<std::int64_t>(std::exp(random.uniform(0, 36)));
    for (std::uint64_t change = random.below(3); change > 0 && !changed.body.empty(); --change) {
      const std::size_t at = random.below(changed.body.size());
      random.below(2) == 0 ? ++changed.body[at] : changed.body[at] = static_cast<char>(random.below(256));
    }
    try {
      const proof::Verified verified = proof::verify(changed, made.data, "proof");
      ++shown;
      EXPECT_LE(static_cast<long double>(verified.bound), optimum(made.data, changed, verified.price) + 1e-15L * size_of(made.data))
          << "round " << round;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
  EXPECT_GT(shown, 500);
}

// The largest bound that a checker accepts of a leaf or a stump is next to the truth.
TEST(ProofOfEvents, StumpsAreNearTheTruth) {
  Random random(5);
  int seen = 0;
  for (int round = 0; round < 1200; ++round) {
    const Proved made = random_proof(random, 10);
    if (!made.proof || !is_even(made.data)) continue;
    proof::Proof proof = *made.proof;
    if (proof.depth > 1 || !(size_of(made.data) > 0)) continue;
    proof.body.clear();
    std::int64_t low = 0, high = proof::kNumbersEnd - 1;
    double bound = 0;
    while (low < high) {
      proof.bound = low + (high - low + 1) / 2;
      try {
        bound = proof::verify(proof, made.data, "proof").bound;
        low = proof.bound;
      } catch (const Error&) {
        high = proof.bound - 1;
      }
    }
    if (low == 0) continue;
    ++seen;
    const double price = std::ldexp(static_cast<double>(proof.price), -proof.grid) * proof.unit.value();
    const long double least = optimum(made.data, proof, price);
    EXPECT_LE(static_cast<long double>(bound), least + 1e-15L * size_of(made.data)) << "round " << round;
    EXPECT_GE(static_cast<long double>(bound), least - 1e-11L * size_of(made.data)) << "round " << round;
  }
  EXPECT_GT(seen, 100);
}

Dataset three_rows(Loss loss) {
  ReadOptions read;
  read.weights = "w";
  read.loss = loss;
  loss == Loss::poisson ? read.exposure = "t" : read.event = "t";
  return parse_csv("age,color,w,t,y\n17,red,1,1,2\n18.5,,2.5,0,4\n,blue,1,1,7\n", "t", read);
}

TEST(ProofOfEvents, TheTableHoldsExposuresAndEvents) {
  ReadOptions read;
  read.weights = "w";
  read.loss = Loss::poisson;
  read.exposure = "t";
  const Dataset rates = parse_csv("age,color,w,t,y\n17,red,1,0.5,2\n18.5,,2.5,3,0\n,blue,1,1,7\n", "t", read);
  EXPECT_EQ(proof::table_text(rates),
            "treewright table 1\nnumber \"age\"\nlevel \"color\"\nweight \"w\"\npoisson \"y\"\nrows 3\n"
            "17 \"red\" 1 0.5 2\n18.5 - 2.5 3 0\n- \"blue\" 1 1 7\n");
  const std::string times = proof::table_text(three_rows(Loss::survival));
  EXPECT_NE(times.find("\nsurvival \"y\"\nrows 3\n17 \"red\" 1 0.222"), times.npos) << times;
}

TEST(ProofOfEvents, OtherHeadersAreRefused) {
  Random random(6);
  Proved made = random_proof(random, 10);
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
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.exposure.reset(); }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.exposure = {1, 881}; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.exposure = {2, 0}; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.unit = {1, -881}; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.grid = 101; }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.target.emplace(); }));
  EXPECT_TRUE(refused([](proof::Proof& proof) { proof.exposure.reset(), proof.target.emplace(); }));
}

}  // namespace
}  // namespace treewright
