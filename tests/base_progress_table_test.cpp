#include "treewright/base/progress_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "treewright/base/time_left.h"

namespace treewright {
namespace {

TEST(ProgressTable, HeadStandsBeforeTheFirstLineOnly) {
  ProgressTable table;
  EXPECT_EQ(
      table.line({0, 4, 1, 'C'}),
      "  seconds      incumbent         bound      gap   done  closed    left   facts  subproblems/s   (objective of the best tree; found "
      "by: C = a greedy tree, H = a heuristic, L = look-ahead, S = exact search, P = a round on clusters, M = MIP solver; done: bound / "
      "incumbent, over all depths; closed: share of the root's cuts, at the last depth; left: estimated time; facts: in the checkpoint)\n"
      "C    0.00              4             1   75.00%\n");
  EXPECT_EQ(table.line({1.5, 3, 3, 'S'}), "S    1.50              3             3    0.00%\n");
}

TEST(ProgressTable, RisingBoundsAreThinnedAndIncumbentsAreNot) {
  ProgressTable table;
  EXPECT_NE(table.line({0, 4, 1, ' '}), "");
  EXPECT_EQ(table.line({0.4, 4, 2, ' '}), "");
  EXPECT_NE(table.line({0.4, 3, 2, 'S'}), "");
  EXPECT_EQ(table.line({0.8, 3, 2.5, ' '}), "");
  EXPECT_NE(table.line({0.9, 3, 2.6, ' '}), "");
  EXPECT_EQ(table.line({2.4, 3, 2.6, ' '}), "") << "no news";
  EXPECT_NE(table.line({2.8, 3, 2.6, ' '}), "") << "a sign of life";
}

TEST(ProgressTable, IsSilentBeforeAnythingIsKnown) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  ProgressTable table;
  EXPECT_EQ(table.line({0.5, kInfinite, -kInfinite, ' '}), "");
  EXPECT_NE(table.line({0.6, 4, 1, 'C'}).find("seconds"), std::string::npos) << "the head is still to come";
}

TEST(ProgressTable, TellsWhatIsDoneAndHowFast) {
  ProgressTable table;
  table.line({0, 4, 1, 'C'});
  EXPECT_EQ(table.line({2, 4, 2, ' ', 3000, 0.25}),
            "     2.00              4             2   50.00%    25%                                   1500\n");
  EXPECT_EQ(table.line({4, 4, 3, ' ', 13000, 0.5, 0.125, 300, 17}),
            "     4.00              4             3   25.00%    50%     12%    5min      17           3250\n");
  EXPECT_EQ(table.line({6, 4, 4, ' ', 13000, 1, 1, 7300, 17, 0.4}),
            "     6.00              4             4    0.00%  proof 40% written, 2h left\n");
}

constexpr double kUnknown = std::numeric_limits<double>::infinity();

TEST(TimeLeft, FollowsTheRateOfTheSecondHalf) {
  TimeLeft left;
  EXPECT_EQ(left.update(0, 0), kUnknown);
  EXPECT_EQ(left.update(1, 0.5), kUnknown) << "what was resumed says nothing of the rest";
  EXPECT_EQ(left.update(2, 0.5), kUnknown);
  EXPECT_EQ(left.update(4, 0.6), kUnknown) << "two points are any line";
  EXPECT_EQ(left.update(6, 0.7), kUnknown);
  EXPECT_NEAR(left.update(8, 0.8), 4, 1e-9) << "steady since the second second";
  EXPECT_NEAR(left.update(10, 0.92), 0.08 / (0.92 - 0.6) * 6, 1e-9)
      << "a little faster: what was seen by half of the time is the fourth second";
}

TEST(TimeLeft, IsSilentWhereTheRateJumps) {
  TimeLeft left;
  for (int second = 0; second <= 10; ++second) left.update(second, 0.05 * second);
  EXPECT_NEAR(left.update(11, 0.55), 9, 1e-6);
  EXPECT_EQ(left.update(12, 0.8), kUnknown) << "25 % in one second, 25 % in the five before";
  EXPECT_EQ(left.update(13, 0.8), kUnknown) << "and then none";
}

// Of these shapes a search that lasts 100 seconds may be. Whatever is said of the time left is true to a quarter of itself and two seconds.
TEST(TimeLeft, IsNotGuessedWrongly) {
  const struct {
    const char* name;
    double (*share)(double);
    bool said;
  } kShapes[] = {
      {"steady", [](double u) { return u; }, true},
      {"resumed", [](double u) { return 0.4 + 0.6 * u; }, true},
      {"in steps", [](double u) { return std::floor(u * 50) / 50; }, true},
      {"a little slower", [](double u) { return u * (1.1 - 0.1 * u); }, true},
      {"slows down", [](double u) { return 1 - (1 - u) * (1 - u) * (1 - u); }, false},
      {"slows down from the start", [](double u) { return std::sqrt(u); }, false},
      {"speeds up", [](double u) { return u * u; }, false},
      {"nothing for long", [](double u) { return u < 0.7 ? 0 : (u - 0.7) / 0.3; }, false},
  };
  for (const auto& shape : kShapes) {
    TimeLeft left;
    bool said = false;
    for (int half_second = 0; half_second < 200; ++half_second) {
      const double seconds = half_second / 2.0, found = left.update(seconds, shape.share(seconds / 100)), truth = 100 - seconds;
      if (found == kUnknown) continue;
      said = true;
      EXPECT_NEAR(found, truth, 0.25 * truth + 2) << shape.name << " after " << seconds << " s";
    }
    EXPECT_EQ(said, shape.said) << shape.name;
  }
}

// Shares of the root's cuts that exact searches have closed by their own clocks: three data sets of the UCI repository, which slow
// down towards their end or stop between. The estimates of the second half's rate alone were wrong by a factor of up to four.
TEST(TimeLeft, IsNotGuessedWronglyOfSearchesThatSlowDown) {
  const std::vector<std::vector<std::pair<double, double>>> kRuns = {
      {{0.008299, 0},  {1.008, 0},     {1.021, 0.384}, {1.947, 0.442}, {2.514, 0.442}, {2.719, 0.509}, {3.514, 0.509}, {3.688, 0.568},
       {4.524, 0.568}, {4.628, 0.633}, {5.525, 0.633}, {5.546, 0.686}, {6.532, 0.686}, {6.58, 0.719},  {7.223, 0.752}, {8.036, 0.752},
       {8.054, 0.78},  {8.894, 0.806}, {9.536, 0.806}, {9.579, 0.829}, {10.39, 0.85},  {10.98, 0.872}, {11.44, 0.9},   {12.02, 0.933},
       {12.54, 0.933}, {12.69, 0.952}, {13.54, 0.952}, {13.59, 0.956}, {14.28, 0.968}, {14.52, 0.971}, {14.68, 0.973}, {15.11, 0.976},
       {15.95, 0.978}, {16.56, 0.978}, {16.56, 0.981}, {17.22, 0.991}, {17.65, 0.995}, {17.67, 0.995}, {18.28, 0.997}, {18.66, 0.999},
       {18.94, 0.999}, {19.14, 1},     {19.2, 1}},  // german-credit
      {{0.00026, 0},    {0.00108, 0},    {0.001653, 0},   {0.006474, 0},  {0.1348, 0.176}, {0.1353, 0.176}, {0.2267, 0.176},
       {0.3204, 0.176}, {0.3378, 0.176}, {0.5722, 0.176}, {1.442, 0.282}, {2.034, 0.282},  {2.542, 0.282},  {2.768, 0.579},
       {3.554, 0.579},  {4.06, 0.579},   {4.268, 0.789},  {5.066, 0.789}, {5.574, 0.789},  {6.074, 0.789},  {6.206, 0.909},
       {7.09, 0.909},   {7.532, 0.946},  {8.094, 0.946},  {8.454, 0.987}, {8.741, 0.999},  {8.782, 1}},  // indian-liver
      {{0.0004435, 0}, {0.002227, 0},  {0.002827, 0},  {0.004124, 0},  {0.00779, 0},   {0.5279, 0},    {0.5452, 0.156}, {0.8955, 0.156},
       {1.537, 0.156}, {2.048, 0.156}, {2.556, 0.156}, {3.064, 0.156}, {3.572, 0.156}, {4.076, 0.156}, {4.588, 0.156},  {5.096, 0.156},
       {5.604, 0.156}, {6.104, 0.156}, {6.106, 0.33},  {6.608, 0.33},  {7.112, 0.33},  {7.624, 0.33},  {8.128, 0.33},   {8.632, 0.33},
       {9.14, 0.33},   {9.652, 0.33},  {10.16, 0.33},  {10.66, 0.33},  {10.67, 0.552}, {11.68, 0.552}, {12.2, 0.552},   {12.71, 0.552},
       {13.21, 0.552}, {13.71, 0.552}, {14.21, 0.552}, {14.72, 0.552}, {15.24, 0.552}, {15.57, 0.669}, {16.26, 0.669},  {16.76, 0.669},
       {17.26, 0.669}, {17.77, 0.669}, {18.27, 0.669}, {18.78, 0.669}, {18.84, 0.813}, {19.78, 0.813}, {20.28, 0.813},  {20.78, 0.813},
       {21.28, 0.813}, {21.78, 0.813}, {22.28, 0.813}, {22.72, 0.94},  {23.28, 0.94},  {23.78, 0.94},  {24.28, 0.94},   {24.46, 0.986},
       {24.93, 1}},  // breast-cancer-prognostic
  };
  for (const auto& run : kRuns) {
    TimeLeft left;
    for (const auto& [seconds, share] : run) {
      const double found = left.update(seconds, share), truth = run.back().first - seconds;
      if (found != kUnknown) {
        EXPECT_NEAR(found, truth, 0.5 * truth + 0.1 * run.back().first) << seconds << " of " << run.back().first;
      }
    }
  }
}

}  // namespace
}  // namespace treewright
