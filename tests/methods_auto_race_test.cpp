// Method auto: its race of settings. The trainer is a stand-in, whose trees are as good as the test wants.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "support/auto_stand_in.h"
#include "treewright/base/stop_point.h"
#include "treewright/methods/auto/pool.h"
#include "treewright/methods/auto/race.h"

namespace treewright {
namespace {

using automatic::Entrant;
using automatic::Race;
using testing::automatic_options;
using testing::leaf;
using testing::line;
using testing::make_data;
using testing::numbers;
using testing::split_at;

const Entrant& named(const Race& race, const std::string& name) {
  const auto at =
      std::find_if(race.entrants().begin(), race.entrants().end(), [&](const Entrant& e) { return automatic::name_of(e.options) == name; });
  EXPECT_NE(at, race.entrants().end()) << name;
  return *at;
}

TEST(AutoRace, HoldsTheSamePartsForAll) {
  const Dataset data = line(60);
  std::map<std::string, std::vector<double>> first_rows;
  Deadline deadline;
  Race race(
      data, automatic_options(1), deadline,
      [&](const Dataset& train, const Options& how) {
        double sum = 0;
        for (const double x : train.columns[0].values) sum += x;
        first_rows[automatic::name_of(how)].push_back(sum);
        return leaf(train);
      },
      Deadline::kNoLimit);
  race.run();
  const std::vector<double>& reference = first_rows.begin()->second;
  EXPECT_EQ(reference.size(), 30u);  // ten folds, three times
  EXPECT_EQ(std::set<double>(reference.begin(), reference.end()).size(), reference.size());
  for (const auto& [name, sums] : first_rows) EXPECT_EQ(sums, reference) << name;
}

TEST(AutoRace, DropsWhatFallsBehind) {
  const Dataset data = line(200);
  Deadline deadline;
  Race race(
      data, automatic_options(1), deadline,
      [](const Dataset& train, const Options& how) {
        return how.method == "oct" ? split_at(train, 0) : how.method == "oct-h" ? split_at(train, 0.02) : leaf(train);
      },
      Deadline::kNoLimit);
  race.run();
  const Entrant &good = named(race, "oct depth 1"), &close = named(race, "oct-h depth 1 alpha 0.01 cost 1"),
                &bad = named(race, "cart depth 0");
  EXPECT_EQ(good.parts, std::ssize(race.parts()));
  EXPECT_EQ(good.mean_gain, 1);
  EXPECT_EQ(bad.out, "beaten by oct depth 1 in 3 folds");
  EXPECT_EQ(bad.parts, 3);
  EXPECT_GT(close.parts, bad.parts);
  const automatic::Lead lead = race.lead(good, bad);
  EXPECT_GT(lead.mean, 2 * lead.standard_error());
}

TEST(AutoRace, GoesOnWhereTheEndOfAGridLeads) {
  const Dataset data = line(400);
  Deadline deadline;
  // The best cost is 1000.
  Race race(
      data, automatic_options(1), deadline,
      [](const Dataset& train, const Options& how) {
        return how.method == "tao" ? split_at(train, 0.1 * std::abs(std::log10(how.svm_cost) - 3)) : leaf(train);
      },
      Deadline::kNoLimit);
  race.run();
  ASSERT_NE(race.leader(), nullptr);
  EXPECT_EQ(automatic::name_of(race.leader()->options), "tao depth 1 cost 1000");
  double most = 0;
  for (const Entrant& entrant : race.entrants()) most = std::max(most, entrant.options.svm_cost);
  EXPECT_DOUBLE_EQ(most, 10000);
}

TEST(AutoRace, CountsRowsByTheWeightsOfTheirClasses) {
  const Dataset data = make_data({numbers("x", std::vector<double>(40, 1))}, [] {
    std::vector<std::int32_t> labels(40, 0);
    std::fill(labels.begin(), labels.begin() + 10, 1);
    return labels;
  }());
  // Everything is of the rare class, or of the other one.
  const auto trainer = [](const Dataset& train, const Options& how) {
    Dataset turned = train;
    for (std::int32_t& label : turned.labels) label = how.method == "oct";
    return leaf(turned);
  };
  for (const bool weighted : {false, true}) {
    Options options = automatic_options(1);
    if (weighted) options.class_weight = data.class_names[1] + "=10";
    Deadline deadline;
    Race race(data, options, deadline, trainer, Deadline::kNoLimit);
    race.run();
    EXPECT_EQ(race.leader()->options.method == "oct", weighted);
    EXPECT_NEAR(race.leader()->mean_gain, weighted ? 100.0 / 130 : 0.75, 1e-9);
  }
}

TEST(AutoRace, ComparesWhatItHasWhenItIsStopped) {
  const Dataset data = line(100);
  const auto pool_size = automatic::pool(automatic_options(2), 2).size();
  for (const std::size_t calls : {std::size_t{0}, std::size_t{1}, pool_size / 2, pool_size + 5, 3 * pool_size}) {
    std::atomic<bool> stop{calls == 0};
    Deadline deadline(Deadline::kNoLimit, std::numeric_limits<std::int64_t>::max(), &stop);
    std::size_t call = 0;
    // The fit that is interrupted does not count.
    Race race(
        data, automatic_options(2), deadline,
        [&](const Dataset& train, const Options& how) {
          stop = ++call > calls;
          return how.method == "cart" && how.max_depth > 0 ? split_at(train, 0.1) : leaf(train);
        },
        Deadline::kNoLimit);
    race.run();
    if (calls == 0) {
      EXPECT_EQ(race.leader(), nullptr);
      continue;
    }
    ASSERT_NE(race.leader(), nullptr);
    EXPECT_EQ(race.leader()->options.method, "cart");
    const auto untried =
        std::count_if(race.entrants().begin(), race.entrants().end(), [](const Entrant& e) { return e.out == "not tried: no time"; });
    EXPECT_EQ(untried, static_cast<std::ptrdiff_t>(pool_size - std::min(calls, pool_size)));
    // Those in the race were compared on the same parts.
    for (const Entrant& entrant : race.entrants()) {
      EXPECT_TRUE(!entrant.in() || entrant.parts == race.leader()->parts);
    }
  }
}

TEST(AutoRace, LeavesTimeForTheFinalTree) {
  const Dataset data = line(100);
  Deadline deadline(750);
  double longest = 0;
  int tries = 0;
  Race slow(
      data, automatic_options(2), deadline,
      [&](const Dataset& train, const Options& how) {
        if (automatic::name_of(how) != "cart depth 2") longest = std::max(longest, how.time_limit);
        Result result = split_at(train, 0);
        if (how.method == "oct") result.status = Status::time_limit, ++tries;
        return result;
      },
      250);
  slow.run();
  EXPECT_LE(longest, 75);
  EXPECT_EQ(named(slow, "oct depth 2").out, "one fit takes too long");
  EXPECT_EQ(tries, 1);
  EXPECT_TRUE(named(slow, "tao depth 1 cost 1").in());
}

// On one thread, with fits of oct that take so many milliseconds. `off`: how far a setting's split is from the best one.
Race race_with_slow_oct(const Dataset& data, Deadline& deadline, int milliseconds, const std::function<double(const Options&)>& off) {
  Options options = automatic_options(2);
  options.n_jobs = 1;
  return Race(
      data, options, deadline,
      [=](const Dataset& train, const Options& how) {
        if (how.method == "oct") std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        return split_at(train, off(how));
      },
      1000);
}

TEST(AutoRace, LeavesTheTimeToCheaperSettings) {
  const Dataset data = line(100);
  Deadline deadline(2);
  Race race = race_with_slow_oct(data, deadline, 40, [](const Options& how) { return automatic::name_of(how) == "oct depth 1" ? 0 : 0.4; });
  race.run();
  // The ten settings of oct would need more than 3 s for the other nine parts. The leader stays.
  const auto left_it = [](const Entrant& e) { return e.options.method == "oct" && e.out == "left the time to cheaper candidates"; };
  EXPECT_GT(std::count_if(race.entrants().begin(), race.entrants().end(), left_it), 3);
  EXPECT_EQ(automatic::name_of(race.leader()->options), "oct depth 1");
  EXPECT_GT(named(race, "tao depth 1 cost 1").parts, 1);
}

TEST(AutoRace, TriesTheUntriedWithTheTimeThatIsLeft) {
  const Dataset data = line(3000);
  Deadline deadline(3);
  Race race = race_with_slow_oct(data, deadline, 180, [](const Options& how) {
    return how.method == "oct-h" ? 0 : automatic::name_of(how) == "oct depth 1" ? 0.1 : 0.4;
  });
  race.run();
  // The settings of oct alone take more than half of the time, and only one of them stays for the other three parts.
  EXPECT_TRUE(named(race, "oct depth 2").out.starts_with("beaten by")) << named(race, "oct depth 2").out;
  EXPECT_EQ(race.leader()->options.method, "oct-h");
  EXPECT_EQ(race.leader()->parts, 4);
}

TEST(AutoRace, EndsInTimeForTheCheapestTree) {
  const Dataset data = line(100);
  const auto trainer = [](const Dataset& train, const Options&) { return split_at(train, 0); };
  // No time for the final tree besides that of the race: of the race's, the cheapest one needs a part.
  Deadline long_race(1000);
  Race none(data, automatic_options(2), long_race, trainer, 0);
  none.run();
  for (const Entrant& entrant : none.entrants()) {
    EXPECT_EQ(entrant.in(), &entrant == &none.entrants().front());
    EXPECT_TRUE(entrant.in() || entrant.out.starts_with("all rows need about")) << entrant.out;
  }
  // So little time that the cheapest one needs all of it.
  Deadline short_race(1000);
  Race nothing(data, automatic_options(2), short_race, trainer, -1000);
  nothing.run();
  EXPECT_TRUE(nothing.out_of_time());
  ASSERT_NE(nothing.leader(), nullptr);
  EXPECT_EQ(nothing.leader(), &nothing.entrants().front());
  for (const Entrant& entrant : nothing.entrants()) {
    EXPECT_TRUE(&entrant == nothing.leader() || entrant.parts == 0);
  }
}

TEST(AutoRace, ComparesOnSomeOfVeryManyRows) {
  const Dataset data = line(50001);
  Deadline deadline;
  std::set<std::size_t> sizes;
  Race race(
      data, automatic_options(0), deadline,
      [&](const Dataset& train, const Options&) {
        sizes.insert(train.rows());
        return split_at(train, 0);
      },
      Deadline::kNoLimit);
  race.run();
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_NEAR(static_cast<double>(*sizes.begin()), 20000, 1);
}

}  // namespace
}  // namespace treewright
