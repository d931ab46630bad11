#include "treewright/proof/check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include "support/draw_case.h"
#include "support/random_data.h"
#include "treewright/error.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table_text.h"
#include "treewright/search/exact.h"
#include "treewright/search/prove/prove.h"
#include "treewright/task/objective.h"

namespace treewright {
namespace {

struct Proved {
  Dataset data;
  search::ExactSearchOptions options;
  search::ExactSearchResult found;
  std::optional<proof::Proof> proof;
};

// Of the bound that was found, raised by `more`.
std::optional<proof::Proof> prove(const Proved& of, double more = 0) {
  Deadline deadline;
  search::ExactSearchResult found = of.found;
  found.exact.items += more;
  return search::prove(of.data, of.data, of.options, found, deadline);
}

Proved proved(Dataset data, const search::ExactSearchOptions& options) {
  Proved made{std::move(data), options, {}, {}};
  Tree leaf(made.data);
  leaf.tally(made.data);
  Deadline deadline;
  made.found = search::search_exact(made.data, options, leaf, deadline);
  made.proof = prove(made);
  return made;
}

// What a proof shows, in weight of rows; nothing if it is refused.
std::optional<double> bound_of(const proof::Proof& proof, const Dataset& data) {
  try {
    return proof::verify(proof, data, "proof").bound;
  } catch (const Error&) {
    return {};
  }
}

// Numbers, categories (some of more than twelve levels) and missing values, weights and prices, up to four levels.
Proved random_proof(Random& random) {
  Dataset data;
  const bool wide = random.below(10) == 0;
  const testing::DataLimits limits{2, 40, 1, 5, 2, 4, 4};
  do {
    data = wide ? testing::draw_wide_category(random, 40) : testing::draw_data(random, limits);
  } while (!testing::has_two_classes(data));
  if (random.below(3) == 0) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(testing::draw_very_unequal_weight(random));
  }
  search::ExactSearchOptions options;
  options.max_depth = static_cast<int>(random.below(wide ? 3 : 5));
  const double prices[] = {0, 0, 0.3, 1, 0.001};
  options.split_price = prices[random.below(5)];
  if (random.below(3) == 0) options.max_splits = static_cast<std::int64_t>(random.below(9));
  options.threads = 1 + static_cast<int>(random.below(2));
  options.rules.merge_rows = random.below(5) > 0;
  return proved(std::move(data), options);
}

TEST(Proof, EveryBoundOfTheSearchIsShown) {
  Random random(1);
  for (int round = 0; round < 1000; ++round) {
    const Proved made = random_proof(random);
    ASSERT_TRUE(made.proof) << "round " << round;
    const std::string bytes = proof::to_bytes(*made.proof, "test");
    const proof::Proof read = proof::from_bytes(bytes, "bytes");
    EXPECT_EQ(proof::to_bytes(read, "test"), bytes);
    EXPECT_NEAR(proof::verify(read, made.data, "bytes").bound, made.found.lower, 1e-9) << "round " << round;
  }
}

TEST(Proof, NoProofOfMoreThanTheOptimum) {
  Random random(2);
  int seen = 0;
  for (int round = 0; round < 300; ++round) {
    const Proved made = random_proof(random);
    // The writer sees it, unless it is about single splits, which are not written down; then the checker does.
    try {
      const auto of_more = prove(made, std::ldexp(1.0, -made.proof->grid));
      EXPECT_EQ(bound_of(*of_more, made.data), std::nullopt) << "round " << round;
    } catch (const Error&) {
      ++seen;
    }
    proof::Proof raised = *made.proof;
    ++raised.bound;
    EXPECT_EQ(bound_of(raised, made.data), std::nullopt) << "round " << round;
  }
  EXPECT_GT(seen, 30);
}

// Whatever is changed in a proof, nothing above the optimum is accepted.
TEST(Proof, ChangedProofsShowNothingFalse) {
  Random random(3);
  int refused = 0;
  for (int round = 0; round < 1500; ++round) {
    Proved made = random_proof(random);
    const double optimum = made.found.lower;
    proof::Proof changed = *made.proof;
    if (random.below(2) == 0) changed.bound += static_cast<std::int64_t>(1 + random.below(3)) << changed.grid;
    switch (random.below(7)) {
      case 0:
        if (!changed.body.empty()) changed.body[random.below(changed.body.size())] ^= static_cast<char>(1 << random.below(8));
        break;
      case 1:
        if (!changed.body.empty()) changed.body.erase(random.below(changed.body.size()), 1);
        break;
      case 2:
        changed.body.insert(random.below(changed.body.size() + 1), 1, static_cast<char>(random.below(256)));
        break;
      case 3:
        if (!changed.orderings.empty())
          changed.orderings.erase(changed.orderings.begin() + static_cast<std::ptrdiff_t>(random.below(changed.orderings.size())));
        break;
      case 4:
        if (changed.orderings.size() > 1) std::swap(changed.orderings.front(), changed.orderings.back());
        break;
      case 5:
        ++changed.grid;
        break;
      case 6:
        changed.price += changed.price / 2;
        break;
    }
    // A proof for another price says nothing of this one.
    if (changed.price != made.proof->price || changed.grid != made.proof->grid) {
      search::ExactSearchOptions dearer = made.options;
      dearer.split_price = std::ldexp(static_cast<double>(changed.price), -changed.grid) * changed.unit.value();
      const Proved other = proved(made.data, dearer);
      const auto bound = bound_of(changed, made.data);
      refused += !bound;
      EXPECT_LE(bound.value_or(0), other.found.lower + 1e-9) << "round " << round;
      continue;
    }
    const auto bound = bound_of(changed, made.data);
    refused += !bound;
    EXPECT_LE(bound.value_or(0), optimum + 1e-9) << "round " << round;
  }
  EXPECT_GT(refused, 500);
}

// A proof may leave out what a rare level splits, and speak of it; it may not leave out another level.
TEST(Proof, SpeaksOfEveryLevelThatIsNotRare) {
  Random random(11);
  int rare = 0, needed_ones = 0;
  for (int round = 0; round < 200; ++round) {
    Dataset data = testing::draw_wide_category(random, 48);
    if (!testing::has_two_classes(data)) continue;
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(testing::draw_very_unequal_weight(random));
    search::ExactSearchOptions options;
    options.max_depth = 1;
    const Proved made = proved(data, options);
    const auto single = [](const proof::Ordering& ordering) { return ordering.form == proof::Ordering::Form::level; };
    const auto alone = std::find_if(made.proof->orderings.begin(), made.proof->orderings.end(), single);
    if (alone == made.proof->orderings.end()) continue;
    const Column& column = data.columns[static_cast<std::size_t>(alone->column)];
    const auto at = alone - made.proof->orderings.begin();
    proof::Proof less = *made.proof;
    less.orderings.erase(less.orderings.begin() + at);
    std::vector<double> weight(data.classes(), 0), total(data.classes(), 0);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const auto k = static_cast<std::size_t>(data.labels[row]);
      total[k] += data.weight(row);
      const std::int32_t code = column.codes[row];
      const auto level = code < 0 ? proof::Level() : proof::Level(column.levels[static_cast<std::size_t>(code)]);
      if (level == alone->levels.front().front()) weight[k] += data.weight(row);
    }
    bool is_rare = true;
    for (std::size_t k = 0; k < weight.size(); ++k) is_rare = is_rare && (weight[k] == 0 || 1000 * weight[k] < total[k]);
    // By its share a level may be alone too.
    const bool by_share = std::any_of(less.orderings.begin(), less.orderings.end(), [&](const proof::Ordering& ordering) {
      return ordering.column == alone->column &&
             (ordering.levels.front() == alone->levels.front() || ordering.levels.back() == alone->levels.front());
    });
    const bool needed = !is_rare && !by_share;
    needed_ones += needed;
    EXPECT_EQ(bound_of(less, data).has_value(), !needed) << "round " << round;
    for (std::size_t level = 0; level < column.levels.size(); ++level) {
      proof::Proof more = *made.proof;
      proof::Ordering other = *alone;
      other.levels = {{column.levels[level]}};
      const bool known = std::any_of(more.orderings.begin(), more.orderings.end(), [&](const proof::Ordering& ordering) {
        return single(ordering) && ordering.column == other.column && ordering.levels == other.levels;
      });
      if (known || std::find(column.codes.begin(), column.codes.end(), static_cast<std::int32_t>(level)) == column.codes.end()) continue;
      more.orderings.insert(more.orderings.begin() + at, other);
      const auto bound = bound_of(more, data);  // none if there is no room: two labels may share the ordering by their shares
      rare += bound.has_value();
      EXPECT_EQ(bound.value_or(made.found.lower), made.found.lower) << "round " << round;
    }
  }
  EXPECT_GT(rare, 100);
  EXPECT_GT(needed_ones, 50);
}

// With two classes a category of many levels has one ordering by share. It may be reversed, and levels of equal share may be apart; it must
// not be missing, nor have two shares as one.
TEST(Proof, SpeaksOfEverySplitByManyLevels) {
  Random random(9);
  int seen = 0;
  for (int round = 0; round < 200; ++round) {
    const Dataset data = testing::draw_wide_category(random, 48);
    if (data.classes() > 2 || !testing::has_two_classes(data)) continue;
    search::ExactSearchOptions options;
    options.max_depth = 1;
    const Proved made = proved(data, options);
    const auto by_share = std::find_if(made.proof->orderings.begin(), made.proof->orderings.end(), [&](const proof::Ordering& ordering) {
      return ordering.form == proof::Ordering::Form::levels && ordering.levels.size() > 2 &&
             data.columns[static_cast<std::size_t>(ordering.column)].levels_present() > 12;
    });
    if (by_share == made.proof->orderings.end()) continue;
    ++seen;
    const auto bound_with = [&](const std::vector<std::vector<proof::Level>>& levels) {
      proof::Proof changed = *made.proof;
      changed.orderings[static_cast<std::size_t>(by_share - made.proof->orderings.begin())].levels = levels;
      return bound_of(changed, data);
    };
    const auto& levels = by_share->levels;
    std::vector<std::vector<proof::Level>> apart, joined = levels;
    for (const std::vector<proof::Level>& group : levels) {
      for (const proof::Level& level : group) apart.push_back({level});
    }
    joined[0].insert(joined[0].end(), joined[1].begin(), joined[1].end());
    std::sort(joined[0].begin(), joined[0].end());
    joined.erase(joined.begin() + 1);
    EXPECT_EQ(bound_with({levels.rbegin(), levels.rend()}), made.found.lower) << "round " << round;
    EXPECT_EQ(bound_with(apart), made.found.lower) << "round " << round;
    EXPECT_EQ(bound_with(joined), std::nullopt) << "round " << round;
    EXPECT_EQ(bound_with({levels[0]}), std::nullopt) << "round " << round;
    proof::Proof without = *made.proof;
    without.orderings.erase(without.orderings.begin() + (by_share - made.proof->orderings.begin()));
    EXPECT_EQ(bound_of(without, data), std::nullopt) << "round " << round;
  }
  EXPECT_GT(seen, 50);
}

TEST(Proof, OtherRowsAreNotProved) {
  Random random(4);
  for (int round = 0; round < 500; ++round) {
    Proved made = random_proof(random);
    Dataset other = made.data;
    const std::size_t row = random.below(other.rows());
    other.labels[row] = static_cast<std::int32_t>((static_cast<std::size_t>(other.labels[row]) + 1) % other.classes());
    if (!testing::has_two_classes(other)) continue;
    const Proved of_other = proved(other, made.options);
    EXPECT_LE(bound_of(*made.proof, other).value_or(0), of_other.found.lower + 1e-9) << "round " << round;
  }
}

TEST(Proof, DamagedFilesAreErrors) {
  Random random(5);
  Proved made = random_proof(random);
  const std::string bytes = proof::to_bytes(*made.proof, "test");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] ^= 4;
    EXPECT_THROW(proof::from_bytes(changed, "changed"), Error) << "byte " << at;
    EXPECT_THROW(proof::from_bytes(bytes.substr(0, at), "cut"), Error) << "byte " << at;
  }
}

// Names for cuts that no item has once used up the ranks that items have, so that other cuts were judged by bounds of their neighbors.
TEST(Proof, CutsAreNamedOnlyWhereItemsAre) {
  Dataset data = parse_csv("x0,y\n12,a\n10,b\n5,a\n1,b\n1,b\n5,b\n7,a\n2,a\n", "data");
  proof::Proof forged;
  forged.table = proof::fingerprint(data);
  forged.depth = 2;
  forged.orderings = {{0, proof::Ordering::Form::numbers, {}}};
  const auto said = [&](std::int64_t bound, const std::string& body) -> std::string {
    forged.bound = bound;
    forged.body = body;
    try {
      return fmt::format("{}", proof::verify(forged, data, "forged").bound);
    } catch (const Error& error) {
      return error.problem();
    }
  };
  // What is lost among the rows of value 5 counts.
  EXPECT_EQ(said(0, ""), "1");
  EXPECT_NE(said(1, std::string(1, '\0')).find("more than 3 cuts are named at once"), std::string::npos);
  EXPECT_NE(said(1, "\2\1").find("is bounded by 0, less than 1"), std::string::npos);
  EXPECT_NE(said(1, "\5\1\1\1\2").find("at a rank that no item of its part has"), std::string::npos);
  EXPECT_NE(said(1, std::string("\2\0", 2)).find("no item on its left side"), std::string::npos);
  EXPECT_NE(said(1, std::string("\3\1\0", 3)).find("named twice"), std::string::npos);
  EXPECT_NE(said(1, "\2\x20").find("no item on its right side"), std::string::npos);
  EXPECT_NE(said(1, "\x80").find("ends too early"), std::string::npos);
  EXPECT_NE(said(1, std::string("\x80\0", 2)).find("more bytes than it needs"), std::string::npos);
  EXPECT_NE(said(1, "\xff\xff\xff\xff\xff\xff\xff\x7f").find("too large"), std::string::npos);
  EXPECT_NE(said(0, std::string(1, '\0')).find("follows its end"), std::string::npos);
}

// A proof without bytes of its own for these rows. Its refusal, or "".
std::string refusal_of(const Dataset& data, proof::Proof forged) {
  forged.table = proof::fingerprint(data);
  try {
    proof::verify(forged, data, "forged");
    return "";
  } catch (const Error& error) {
    return error.problem();
  }
}

// Three bytes name all cuts of three columns. A writer would have named a few of them, and a checker does not try thousands.
TEST(Proof, AFewBytesDoNotKeepACheckerBusy) {
  Random random(12);
  Dataset data;
  data.class_names = {"a", "b"};
  proof::Proof forged;
  forged.depth = 2;
  forged.bound = 1;
  for (std::int64_t c = 0; c < 3; ++c) {
    Column& column = data.columns.emplace_back();
    column.name = fmt::format("x{}", c);
    for (std::size_t row = 0; row < 4000; ++row) column.values.push_back(random.uniform());
    forged.orderings.push_back({c, proof::Ordering::Form::numbers, {}});
  }
  for (std::size_t row = 0; row < 4000; ++row) data.labels.push_back(static_cast<std::int32_t>(random.below(2)));
  for (std::size_t zeros = 3; zeros < 6; ++zeros) {
    forged.body = std::string(zeros, '\0');
    EXPECT_NE(refusal_of(data, forged).find("more than 3 cuts are named at once"), std::string::npos);
  }
}

// At most a thousand levels are frequent for a label, however many there are.
TEST(Proof, NoLevelsBeyondTheFrequentOnesAreOrdered) {
  Dataset data;
  data.class_names = {"a", "b"};
  Column& column = data.columns.emplace_back();
  column.name = "c";
  column.kind = ColumnKind::categorical;
  proof::Proof forged;
  for (std::int32_t level = 0; level < 2010; ++level) {
    column.levels.push_back(fmt::format("l{}", level));
    column.codes.push_back(level);
    data.labels.push_back(level % 2);
    forged.orderings.push_back({0, proof::Ordering::Form::level, {{column.levels.back()}}});
  }
  EXPECT_NE(refusal_of(data, forged).find("more orderings than splits need"), std::string::npos);
}

// Where all levels have the same share of each label, and where labels cost the same, no split is needed, and no ordering.
TEST(Proof, EqualSharesNeedNoOrdering) {
  for (const bool costs : {false, true}) {
    Dataset data;
    data.class_names = {"a", "b", "c"};
    Column& column = data.columns.emplace_back();
    column.name = "level";
    column.kind = ColumnKind::categorical;
    const std::int32_t levels = costs ? 15 : 1100;
    for (std::int32_t level = 0; level < levels; ++level) {
      column.levels.push_back(fmt::format("l{}", level));
      for (const std::int32_t label : {0, 1, 1, 2}) {
        column.codes.push_back(level);
        data.labels.push_back(label);
        if (costs) data.row_costs.insert(data.row_costs.end(), 3, level);
      }
    }
    EXPECT_EQ(refusal_of(data, {}), "") << costs;
    if (costs) continue;
    data.labels[0] = 1;
    EXPECT_NE(refusal_of(data, {}).find("splits that the proof does not speak of"), std::string::npos);
  }
}

class StoredParts : public search::ProofParts {
 public:
  const std::string* find(const search::ProofPart& part) override {
    const auto at = known.find(part);
    return at == known.end() ? nullptr : &at->second;
  }
  void add(const search::ProofPart& part, const std::string& bytes, double) override {
    const std::lock_guard lock(mutex_);
    added.emplace(part, bytes);
  }

  std::map<search::ProofPart, std::string> known, added;

 private:
  std::mutex mutex_;
};

// Whatever a kill left of the parts, the proof is that of an undisturbed run, and nothing is written twice.
TEST(Proof, GoesOnWithThePartsOfAnEarlierRun) {
  Random random(7);
  std::size_t most = 0;
  for (int round = 0; round < 40; ++round) {
    const Proved made = random_proof(random);
    StoredParts all, some;
    Deadline deadline;
    search::prove(made.data, made.data, made.options, made.found, deadline, &all);
    for (const auto& [part, bytes] : all.added) {
      if (random.below(2) == 0) some.known.emplace(part, bytes);
    }
    std::size_t parts = 0, written = 0;
    const auto proof =
        search::prove(made.data, made.data, made.options, made.found, deadline, &some, [&](std::size_t done, std::size_t of) {
          EXPECT_EQ(done, ++written);
          parts = of;
        });
    ASSERT_TRUE(proof);
    EXPECT_EQ(proof->body, made.proof->body);
    EXPECT_EQ(written, parts);
    EXPECT_EQ(some.added.size() + some.known.size(), all.added.size());
    most = std::max(most, all.added.size());
  }
  EXPECT_GT(most, 10u);
}

// A bound that the search did not show by its own cuts needs no evidence.
TEST(Proof, NeedsNoEvidence) {
  Random random(8);
  for (int round = 0; round < 40; ++round) {
    Proved made = random_proof(random);
    made.found.exact.evidence.reset();
    const auto proof = prove(made);
    ASSERT_TRUE(proof);
    EXPECT_NEAR(proof::verify(*proof, made.data, "proof").bound, made.found.lower, 1e-9) << "round " << round;
  }
}

// A column that sorts the rows like another one, or in reverse, adds nothing to the body.
TEST(Proof, EqualColumnsAreProvedOnce) {
  Random random(10);
  std::size_t most = 0;
  for (int round = 0; round < 40; ++round) {
    Dataset data;
    while (!testing::has_two_classes(data)) data = testing::draw_data(random, {20, 40, 1, 3, 2, 3, 0});
    search::ExactSearchOptions options;
    options.max_depth = 3;
    const Proved once = proved(data, options);
    const std::size_t columns = data.columns.size();
    for (std::size_t c = 0; c < columns; ++c) {
      Column again = data.columns[c];
      again.name += " again";
      for (double& value : again.values) value = -2 * value;
      data.columns.push_back(std::move(again));
    }
    const Proved twice = proved(data, options);
    EXPECT_EQ(twice.proof->body, once.proof->body) << "round " << round;
    EXPECT_EQ(bound_of(*twice.proof, data), bound_of(*once.proof, once.data));
    most = std::max(most, once.proof->body.size());
  }
  EXPECT_GT(most, 10u);
}

// A deadline ends the writing, and there is no half proof.
TEST(Proof, StopsInTime) {
  Random random(6);
  Dataset data;
  while (!testing::has_two_classes(data)) data = testing::draw_data(random, {40, 40, 4, 5, 2, 3, 0});
  Proved made{data, {}, {}, {}};
  made.options.max_depth = 4;
  Deadline over(0);
  over.poll();
  EXPECT_TRUE(search::prove(data, data, made.options, made.found, over).has_value());  // nothing has to be shown
  made.found.exact.items = 39;
  EXPECT_FALSE(search::prove(data, data, made.options, made.found, over).has_value());
}

TEST(Proof, TrivialBound) {
  EXPECT_EQ(proof::trivial_bound(10, {5, 3, 2}, 1, 1), 5);
  EXPECT_EQ(proof::trivial_bound(10, {5, 3, 2}, 2, 1), 3);
  EXPECT_EQ(proof::trivial_bound(10, {5, 3, 2}, 4, 1), 2);
  EXPECT_EQ(proof::trivial_bound(10, {5, 3, 2}, 4, 4), 5);
  EXPECT_EQ(proof::trivial_bound(6, {5, 3, 2}, 2, 0), 0);  // two labels gain more than the reach
  EXPECT_EQ(proof::grid_of(3), 0);
  EXPECT_EQ(proof::grid_of(0.375), 3);
}

}  // namespace
}  // namespace treewright
