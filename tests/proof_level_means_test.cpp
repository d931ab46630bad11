#include "treewright/proof/level_means.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "support/proved.h"
#include "support/random_data.h"
#include "support/sum_brute_force.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table.h"

namespace treewright {
namespace {

using proof::Ordering;
using testing::Proved;
using Groups = std::vector<std::vector<std::size_t>>;

// A category with these codes as the only column.
Dataset rows_of(std::size_t levels, std::vector<std::int32_t> codes, Response response, std::vector<double> weights = {}) {
  Dataset data;
  data.columns.push_back({"town", ColumnKind::categorical, {}, std::move(codes), {}});
  for (std::size_t level = 0; level < levels; ++level)
    data.columns[0].levels.push_back({'t', static_cast<char>('a' + level / 26), static_cast<char>('a' + level % 26)});
  data.target_name = "y";
  data.response = std::move(response);
  data.weights = std::move(weights);
  return data;
}

proof::LevelMeans means_of(const Dataset& data) {
  return proof::level_means(data, data.columns[0].codes, data.columns[0].levels.size());
}

TEST(LevelMeans, EqualMeansStayTogether) {
  // 0.1 and 0.2 are no doubles.
  const Response targets{Loss::squared, {0.1, 0.2, 0.15, 3, 0.15, 7}, {}};
  EXPECT_EQ(means_of(rows_of(4, {0, 0, 1, 2, -1, 3}, targets)).groups, (Groups{{0, 1, 2}, {3}, {4}}));
  // 2^-40 of the largest mean, from the least target on.
  for (const auto& [difference, apart] : {std::pair(0x1p-40, false), std::pair(0x1p-39, true)}) {
    const Response near{Loss::squared, {0, 0.5, 0.5 + difference, 1}, {}};
    EXPECT_EQ(means_of(rows_of(4, {0, 1, 2, 3}, near)).groups.size(), apart ? 4u : 3u);
  }
}

TEST(LevelMeans, ALevelWithoutWeightHasTheMeanOfAll) {
  const Response targets{Loss::squared, {-1e9, 0, 2, 6, 8}, {}};
  const proof::LevelMeans means = means_of(rows_of(5, {0, 1, 2, 3, 4}, targets, {0, 1, 1, 1, 1}));
  EXPECT_EQ(means.groups, (Groups{{2}, {3}, {1}, {4}, {5}}));
  EXPECT_EQ(means.frequent, (std::vector<std::size_t>{2, 3, 4, 5}));
  const proof::LevelMeans none = means_of(rows_of(2, {0, 1}, {Loss::squared, {1, 2}, {}}, {0, 0}));
  EXPECT_EQ(none.groups, (Groups{{1, 2}}));
  EXPECT_TRUE(none.frequent.empty());
}

TEST(LevelMeans, AThousandthOfTheWeightIsNotRare) {
  const Response targets{Loss::squared, std::vector<double>(1000, 1.0), {}};
  std::vector<std::int32_t> codes(1000, 2);
  codes[0] = 0;
  codes[1] = 1;
  for (const double unit : {1.0, 0.1, 1e-300, 1e300}) {
    const auto frequent = [&](double light) {
      std::vector<double> weights(1000, unit);
      weights[1] = light;
      return means_of(rows_of(3, codes, targets, std::move(weights))).frequent;
    };
    EXPECT_EQ(frequent(unit).size(), 3u) << unit;
    EXPECT_EQ(frequent(0.99 * unit).size(), 2u) << unit;
  }
}

TEST(LevelMeans, RatesAreEventsOverExposure) {
  const Response events{Loss::poisson, {3, 1, 4, 0}, {1, 1, 4, 0}};
  const proof::LevelMeans means = means_of(rows_of(4, {0, 1, 2, 3}, events, {2, 2, 1, 1}));
  EXPECT_EQ(means.groups, (Groups{{2, 3}, {4}, {1}}));  // 3, 1, 1, and 12 / 8 of all rows
}

// A category of more than twelve levels, missing values in half of the cases, and perhaps a number; targets with ties, few or many digits,
// or outliers; weights with light levels and such without weight.
Dataset draw(Random& random, Loss loss, int most_others = 1) {
  const auto levels = static_cast<std::int32_t>(13 + random.below(3)), rows = levels + static_cast<std::int32_t>(random.below(4));
  const std::int32_t missing = random.below(2) == 0 ? static_cast<std::int32_t>(random.below(13)) : levels;
  std::vector<std::int32_t> codes;
  Response response{loss, {}, {}};
  const std::uint64_t kind = random.below(5);
  for (std::int32_t row = 0; row < rows; ++row) {
    const auto level = row < levels ? row : static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(levels)));
    codes.push_back(level == missing ? -1 : level);
    const double whole = static_cast<double>(random.below(5)), drawn = random.uniform();
    if (loss == Loss::squared) {
      response.values.push_back(kind == 0 ? whole / 10 : kind == 1 ? drawn : kind == 2 ? 1e9 + whole : kind == 3 ? whole - 2 : 7 * drawn);
    } else if (loss == Loss::poisson) {
      response.values.push_back(row == 0 ? 1 + whole : whole);
      response.exposure.push_back(kind == 0 ? 1 : kind == 1 ? 0.5 + drawn : 1 + static_cast<double>(random.below(3)));
    } else {
      response.times.push_back(kind == 0 ? 1 + whole : 1 + 100 * drawn);
      response.values.push_back(row == 0 ? 1 : static_cast<double>(random.below(2)));
    }
  }
  Dataset data = rows_of(static_cast<std::size_t>(levels), std::move(codes), std::move(response));
  const std::uint64_t weights = random.below(4);
  for (std::int32_t row = 0; row < rows && weights > 0; ++row)
    data.weights.push_back(weights == 1   ? static_cast<double>(random.below(3) + (row == 0 ? 1 : 0))
                           : weights == 2 ? (random.below(3) == 0 ? 900 : 1)
                                          : 0.25 + static_cast<double>(random.below(4)));
  if (most_others > 0 && random.below(2) == 0) {
    data.columns.insert(data.columns.begin(), {"x", ColumnKind::numeric, {}, {}, {}});
    for (std::int32_t row = 0; row < rows; ++row) data.columns[0].values.push_back(static_cast<double>(random.below(4)));
  }
  if (loss == Loss::survival) set_hazards(data);
  return data;
}

long double loss_of_leaf(const Dataset& data) {
  return testing::tree_loss(data, Tree(data));
}

// For last digits.
long double size_of(const Dataset& data) {
  long double size = loss_of_leaf(data);
  for (std::size_t row = 0; row < data.rows() && data.response->loss != Loss::squared; ++row)
    size += static_cast<long double>(data.weight(row)) * data.response->values[row];
  return size;
}

Proved random_proof(Random& random, int most_depth, int most_others = 1) {
  Proved made;
  const Loss losses[] = {Loss::squared, Loss::squared, Loss::poisson, Loss::survival};
  const Loss loss = losses[random.below(4)];
  do {
    made.data = draw(random, loss, most_others);
  } while (!(loss_of_leaf(made.data) > 1e-6L));
  made.options = testing::random_limits(random, made.data.rows(), static_cast<double>(loss_of_leaf(made.data)));
  made.options.max_depth = std::min(made.options.max_depth, most_depth);
  made.search();
  made.prove();
  return made;
}

long double optimum(const Dataset& data, const proof::Proof& of, double price) {
  const std::int64_t full = (std::int64_t{1} << of.depth) - 1;
  return testing::SumBruteForce(data, of.min_rows, price).best(of.depth, std::min(full, of.max_splits.value_or(full)));
}

std::optional<proof::Verified> verified(const proof::Proof& proof, const Dataset& data) {
  try {
    return proof::verify(proof::from_bytes(proof::to_bytes(proof, "test"), "bytes"), data, "bytes");
  } catch (const Error&) {
    return {};
  }
}

// No tree of the family costs less than a proof shows, and the search's bound is shown but for its rounding.
TEST(LevelMeans, EveryBoundOfTheSearchIsShown) {
  Random random(21);
  for (int round = 0; round < 400; ++round) {
    const Proved made = random_proof(random, 3);
    ASSERT_TRUE(made.proof) << "round " << round;
    const proof::Verified shown = proof::verify(*made.proof, made.data, "proof");
    const long double least = optimum(made.data, *made.proof, shown.price), size = size_of(made.data);
    EXPECT_LE(static_cast<long double>(shown.bound), least + 1e-13L * size) << "round " << round;
    EXPECT_GE(static_cast<long double>(shown.bound), least - 1e-8L * size) << "round " << round;
    const std::string by = made.data.response->loss == Loss::squared ? "their mean targets" : "their rates";
    const std::string end = "; categories of more than 12 levels (\"town\") are split by single levels that are not rare and by " + by;
    EXPECT_TRUE(shown.sentence.ends_with(end)) << shown.sentence;
  }
}

// Other bodies, bounds, grids, units and orderings.
TEST(LevelMeans, NothingFalseIsShown) {
  Random random(22);
  int refused = 0, shown = 0;
  for (int round = 0; round < 3000; ++round) {
    const Proved made = random_proof(random, 2);
    proof::Proof changed = *made.proof;
    if (random.below(3) > 0) changed.bound += static_cast<std::int64_t>(std::exp(random.uniform(0, 30)));
    if (random.below(4) == 0) changed.unit = proof::Binary::of(changed.unit.value() * std::exp(random.uniform(-3, 30)));
    if (random.below(4) == 0 && changed.target) changed.target->digits -= static_cast<int>(random.below(50));
    if (random.below(4) == 0 && changed.exposure)
      changed.exposure = proof::Binary::of(changed.exposure->value() * std::exp(random.uniform(-3, 30)));
    if (random.below(4) == 0) changed.grid -= static_cast<int>(random.below(40));
    if (random.below(4) == 0) changed.body.clear();
    if (random.below(3) == 0) changed.depth = static_cast<std::int32_t>(random.below(3));
    if (changed.depth <= 1 && random.below(2) == 0) changed.bound = static_cast<std::int64_t>(std::exp(random.uniform(0, 36)));
    for (std::uint64_t change = random.below(3); change > 0 && !changed.body.empty(); --change)
      changed.body[random.below(changed.body.size())] = static_cast<char>(random.below(256));
    if (random.below(3) == 0) {
      const std::size_t at = random.below(changed.orderings.size());
      std::vector<std::vector<proof::Level>>& groups = changed.orderings[at].levels;
      if (groups.size() > 2 && random.below(3) > 0) {
        const std::size_t first = random.below(groups.size() - 1);
        random.below(2) == 0 ? std::swap(groups[first], groups[first + 1]) : std::swap(groups[first][0], groups.back()[0]);
      } else {
        changed.orderings.erase(changed.orderings.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    const auto said = verified(changed, made.data);
    said ? ++shown : ++refused;
    if (!said) continue;
    EXPECT_LE(static_cast<long double>(said->bound), optimum(made.data, changed, said->price) + 1e-13L * size_of(made.data))
        << "round " << round;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(shown, 500);
}

// One split is recounted, so a proof holds with any orderings that have every split of the family.
TEST(LevelMeans, AProofSpeaksOfEverySplit) {
  Random random(23);
  int seen = 0, tied = 0, needed = 0, rare = 0;
  for (int round = 0; round < 600; ++round) {
    const Proved made = random_proof(random, 1, 0);
    const proof::LevelMeans means = means_of(made.data);
    const Column& column = made.data.columns[0];
    const auto level_at = [&](std::size_t place) { return place == 0 ? proof::Level() : proof::Level(column.levels[place - 1]); };
    const auto holds = [&](const std::function<void(proof::Proof&)>& change) {
      proof::Proof changed = *made.proof;
      change(changed);
      return verified(changed, made.data).has_value();
    };
    // Each ordering of one level alone is needed, unless the level is at an end of the means, where it is alone too.
    const auto is_end = [&](const proof::Level& level) {
      const auto is_it = [&](const std::vector<std::size_t>& group) { return group.size() == 1 && level_at(group[0]) == level; };
      return means.groups.size() > 1 && (is_it(means.groups.front()) || is_it(means.groups.back()));
    };
    std::vector<proof::Level> known;
    for (std::size_t i = 0; i < made.proof->orderings.size(); ++i) {
      const Ordering& one = made.proof->orderings[i];
      if (one.form != Ordering::Form::level) continue;
      known.push_back(one.levels[0][0]);
      if (made.proof->orderings.size() == 1) continue;
      ++needed;
      EXPECT_EQ(holds([&](proof::Proof& proof) { proof.orderings.erase(proof.orderings.begin() + static_cast<std::ptrdiff_t>(i)); }),
                is_end(known.back()) && made.proof->orderings.size() > means.frequent.size())
          << "round " << round;
    }
    EXPECT_EQ(known.size(), means.frequent.size());
    // There is room for a rare level only where the means need no ordering of their own.
    for (std::size_t place = 1; place <= column.levels.size(); ++place) {
      const bool occurs = std::ranges::find(column.codes, static_cast<std::int32_t>(place) - 1) != column.codes.end();
      if (!occurs || std::ranges::find(known, level_at(place)) != known.end()) continue;
      ++rare;
      Ordering one;
      one.form = Ordering::Form::level;
      one.levels = {{level_at(place)}};
      EXPECT_EQ(holds([&](proof::Proof& proof) { proof.orderings.insert(proof.orderings.begin(), one); }),
                made.proof->orderings.size() == means.frequent.size())
          << "round " << round;
      break;
    }
    const auto by_mean = std::ranges::find_if(made.proof->orderings, [](const Ordering& one) { return one.levels.size() > 2; });
    if (by_mean == made.proof->orderings.end()) continue;
    ++seen;
    const std::vector<std::vector<proof::Level>> groups = by_mean->levels;
    const auto holds_with = [&](std::vector<std::vector<proof::Level>> others) {
      for (std::vector<proof::Level>& group : others) std::ranges::sort(group);
      const auto at = static_cast<std::size_t>(by_mean - made.proof->orderings.begin());
      return holds([&](proof::Proof& proof) { proof.orderings[at].levels = others; });
    };
    EXPECT_TRUE(holds_with({groups.rbegin(), groups.rend()})) << "round " << round;
    std::vector<std::vector<proof::Level>> apart;
    for (const std::vector<proof::Level>& group : groups) {
      for (auto level = group.rbegin(); level != group.rend(); ++level) apart.push_back({*level});
    }
    tied += apart.size() > groups.size();
    // These are more splits, of which one may be better where leaves must hold rows.
    EXPECT_TRUE(made.options.min_rows > 1 || holds_with(apart)) << "round " << round;
    const std::size_t first = random.below(groups.size() - 1);
    std::vector<std::vector<proof::Level>> joined = groups, swapped = groups;
    joined[first].insert(joined[first].end(), joined[first + 1].begin(), joined[first + 1].end());
    joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    std::swap(swapped[first], swapped[first + 1]);
    EXPECT_FALSE(holds_with(joined)) << "round " << round;
    EXPECT_FALSE(holds_with(swapped)) << "round " << round;
    EXPECT_FALSE(holds([&](proof::Proof& proof) {
      proof.orderings.erase(proof.orderings.begin() + (by_mean - made.proof->orderings.begin()));
    })) << "round "
        << round;
  }
  EXPECT_GT(seen, 300);
  EXPECT_GT(tied, 100);
  EXPECT_GT(needed, 1000);
  EXPECT_GT(rare, 50);
}

// 1,500 levels are rare, and all have the mean 0.
TEST(LevelMeans, ACategoryMayHaveNoSplit) {
  std::vector<std::int32_t> codes;
  Response response{Loss::squared, {}, {}};
  for (std::int32_t row = 0; row < 3000; ++row) {
    codes.push_back(row / 2);
    response.values.push_back(row % 2 == 0 ? -1 : 1);
  }
  Proved made;
  made.data = rows_of(1500, std::move(codes), std::move(response));
  made.options.max_depth = 2;
  made.search();
  made.prove();
  EXPECT_TRUE(made.proof->orderings.empty());
  EXPECT_NEAR(proof::verify(*made.proof, made.data, "proof").bound, 3000, 1e-6);
  proof::Proof more = *made.proof;
  Ordering one;
  one.form = Ordering::Form::level;
  one.levels = {{made.data.columns[0].levels[0]}};
  more.orderings.push_back(one);
  EXPECT_TRUE(verified(more, made.data));  // there is room for an ordering of means
  more.orderings.back().levels = {{made.data.columns[0].levels[1]}};
  more.orderings.insert(more.orderings.begin(), one);
  EXPECT_FALSE(verified(more, made.data));
}

}  // namespace
}  // namespace treewright
