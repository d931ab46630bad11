#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/data/read/column_builder.h"
#include "treewright/data/write_csv.h"
#include "treewright/error.h"

namespace treewright {
namespace {

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

void expect_equal(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.features(), b.features());
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t j = 0; j < a.features(); ++j) {
    EXPECT_EQ(a.columns[j].name, b.columns[j].name);
    ASSERT_EQ(a.columns[j].kind, b.columns[j].kind);
    EXPECT_EQ(a.columns[j].levels, b.columns[j].levels);
    EXPECT_EQ(a.columns[j].codes, b.columns[j].codes);
    for (std::size_t row = 0; row < a.columns[j].values.size(); ++row) {
      ASSERT_TRUE(same_bits(a.columns[j].values[row], b.columns[j].values[row])) << a.columns[j].values[row];
    }
  }
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.class_names, b.class_names);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_TRUE(!a.labeled() || a.target_name == b.target_name);
}

/// Reads `write_csv` back with the options its header asks for.
Dataset round_trip(const Dataset& data) {
  ReadOptions options;
  options.header = Header::yes;
  if (!data.labeled()) options.target.reset();
  if (!data.weights.empty()) options.weights = weight_column_name(data);
  for (const Column& column : data.columns) options.kinds[column.name] = column.kind;
  return parse_csv(write_csv(data), "round trip", options);
}

TEST(WriteCsv, ExactText) {
  Dataset data;
  data.columns.resize(2);
  data.columns[0] = {"x,1", ColumnKind::numeric, {0.1, std::nan(""), -3}, {}, {}};
  data.columns[1] = {"c", ColumnKind::categorical, {}, {1, 0, -1}, {"NA", "a \"b\""}};
  data.labels = {0, 1, 0};
  data.class_names = {"no", "yes"};
  data.weights = {1, 0.25, 2};
  EXPECT_EQ(write_csv(data), "\"x,1\",c,weight,class\n0.1,\"a \"\"b\"\"\",1,no\n,\"NA\",0.25,yes\n-3,,2,no\n");
  expect_equal(data, round_trip(data));
}

TEST(WriteCsv, AwkwardNames) {
  for (const char* name : {"<script>", "a,b", "say \"hi\"", " padded ", "two\nlines", "NA", "semi;colon", "tab\t", "1", "\xC3\xA9"}) {
    Dataset data;
    data.columns.resize(2);
    data.columns[0] = {name, ColumnKind::numeric, {1, 2}, {}, {}};
    data.columns[1] = {"other", ColumnKind::numeric, {3, 4}, {}, {}};
    data.labels = {0, 1};
    data.class_names = {"p", "q"};
    expect_equal(data, round_trip(data));
  }
}

TEST(WriteCsv, ScriptColumnSurvivesHeaderDetection) {
  Dataset data;
  data.columns.resize(1);
  data.columns[0] = {"<script>", ColumnKind::numeric, {1, 2}, {}, {}};
  data.labels = {0, 1};
  data.class_names = {"p", "q"};
  expect_equal(data, parse_csv(write_csv(data), "t"));
}

TEST(WriteCsv, WeightNameDoesNotClash) {
  Dataset data;
  data.columns.resize(1);
  data.columns[0] = {"weight", ColumnKind::numeric, {1, 2}, {}, {}};
  data.labels = {0, 1};
  data.class_names = {"p", "q"};
  data.weights = {3, 4};
  data.target_name = "weight_";
  EXPECT_EQ(weight_column_name(data), "weight__");
  expect_equal(data, round_trip(data));
}

TEST(WriteCsv, SingleColumns) {
  Dataset data;
  data.columns.resize(1);
  data.columns[0] = {"x", ColumnKind::numeric, {std::nan(""), 2, std::nan("")}, {}, {}};
  expect_equal(data, round_trip(data));
  data.columns[0] = {"my name", ColumnKind::categorical, {}, {0, -1, 1}, {"a 1", "b 2"}};
  expect_equal(data, round_trip(data));
}

/// Any double that a column may hold, extremes included.
double any_double(Random& random) {
  while (true) {
    const std::uint64_t bits = random.next();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::abs(value) <= std::numeric_limits<double>::max() / 2) return value;
  }
}

std::string any_name(Random& random) {
  static const std::vector<std::string> kPieces = {"a",  "B", "7",  ",", ";",   "\"", "\n", "\r",       "\r\n", " ",
                                                   "\t", "'", "NA", "?", "<i>", "\\", "%",  "\xC3\xA9", "{}",   "-"};
  std::string name;
  const std::uint64_t pieces = 1 + random.below(5);
  for (std::uint64_t i = 0; i < pieces; ++i) name += kPieces[random.below(kPieces.size())];
  return name;
}

/// Distinct, naturally sorted names, all used by `codes`.
void fill_levels(Random& random, std::size_t rows, bool may_miss, std::vector<std::string>& levels, std::vector<std::int32_t>& codes) {
  const std::size_t wanted = 1 + random.below(std::min<std::size_t>(rows, 4));
  while (levels.size() < wanted) {
    const std::string name = any_name(random);
    if (std::find(levels.begin(), levels.end(), name) == levels.end()) levels.push_back(name);
  }
  sort_naturally(levels);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool missing = may_miss && row >= wanted && random.below(4) == 0;
    codes.push_back(missing ? -1 : static_cast<std::int32_t>(row < wanted ? row : random.below(wanted)));
  }
}

Dataset any_dataset(Random& random) {
  Dataset data;
  const std::size_t rows = 1 + random.below(12), features = 1 + random.below(5);
  std::vector<std::string> names;
  while (names.size() < features + 1) {
    const std::string name = any_name(random);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (std::size_t j = 0; j < features; ++j) {
    Column& column = data.columns.emplace_back();
    column.name = names[j];
    if (random.below(2) == 0) {
      for (std::size_t row = 0; row < rows; ++row) column.values.push_back(random.below(5) == 0 ? std::nan("") : any_double(random));
    } else {
      column.kind = ColumnKind::categorical;
      fill_levels(random, rows, true, column.levels, column.codes);
    }
  }
  if (random.below(4) != 0) {
    data.target_name = names[features];
    fill_levels(random, rows, false, data.class_names, data.labels);
  }
  if (random.below(3) == 0) {
    for (std::size_t row = 0; row < rows; ++row) data.weights.push_back(std::abs(any_double(random)));
  }
  return data;
}

TEST(WriteCsv, RandomDataSetsRoundTrip) {
  Random random(11);
  for (int trial = 0; trial < 3000; ++trial) {
    const Dataset data = any_dataset(random);
    data.validate();
    SCOPED_TRACE(write_csv(data));
    try {
      expect_equal(data, round_trip(data));
    } catch (const Error& error) {
      FAIL() << error.what();
    }
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

}  // namespace
}  // namespace treewright
