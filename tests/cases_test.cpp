// Runs the text cases of tests/cases/*.case. A case is a few lines "key value"; blank lines part cases; '#' starts a comment line.
//
//   data iris         bundled (data/iris.csv), generated:NAME (as 'treewright generate NAME'), shared:NAME, which is
//                     NAME.csv in the folder TREEWRIGHT_DATA_DIR (the case is skipped where that is not set), or inline:
//   row 1,a,yes       a line of CSV text, the first one the header, the target last; an empty cell is a missing value.
//                     All columns are numbers but those of 'categorical'. Only with "data inline"
//   weights w         column of row weights, with "data inline"
//   costs 0,1,2,0     what labels cost, true class after true class, with "data inline"; every class occurs in the rows
//   row_costs 0,1     what each label costs each row, row after row, with "data inline"
//   loss squared      the target is a number, with "data inline": the rows hold features alone, and there are
//   numbers 1,2.5     one number a row, and
//   exposures 1,0.5   where the loss has any, one exposure, or of survival one time
//   onehot yes        every value of every column becomes a 0/1 column, a missing value is one more value
//   categorical a,b   columns to read as categories ("all": every column)
//   also rules        the same expectations hold with each pruning rule switched off
//   also threads      ... and with one and with two threads
//   max_depth 2       any option of the option table, by its name
//   compare rules     a comparison of the fuzzer, by its name (support/compare.h); the fuzzer writes such cases
//   expect_errors 6   what must come out: expect_errors, expect_splits, expect_depth, expect_objective, expect_bound,
//                     expect_accuracy (to the digits given), expect_status (if absent: optimal for an exact method)
//
// A sweep is a table, the last thing in its case: "table key key ..." and then one line of values for each run, with the keys
// above it in common; "-" leaves a key out.
//
//   data iris
//   table max_depth expect_errors
//   2               6
//   3               1
//
// Every result must also pass check_claims. A file whose name begins with heavy_ is left out of the runs with sanitizers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "support/case_file.h"
#include "support/compare.h"
#include "support/data_folder.h"
#include "support/one_hot.h"
#include "support/source_folder.h"
#include "support/text_case.h"
#include "treewright/data.h"
#include "treewright/data/generate/generate.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"
#include "treewright/options.h"
#include "treewright/search/bounds/rules.h"

namespace treewright {
namespace {

using testing::TextCase;

bool is_option(const std::string& key) {
  return std::any_of(option_table().begin(), option_table().end(), [&](const OptionInfo& info) { return info.name == key; });
}

bool is_key(const std::string& key) {
  static const std::set<std::string> keys = {
      "data",         "onehot",          "categorical",  "row",  "weights",       "costs",         "row_costs",    "compare",
      "loss",         "numbers",         "exposures",    "also", "expect_errors", "expect_splits", "expect_depth", "expect_objective",
      "expect_bound", "expect_accuracy", "expect_status"};
  return keys.contains(key) || is_option(key);
}

// A file that cannot be parsed becomes one case without lines, which fails with the message.
std::vector<TextCase> all_cases() {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(testing::in_source("tests/cases"))) {
    if (entry.path().extension() == ".case") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<TextCase> cases;
  for (const fs::path& path : paths) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    const std::string file = path.filename().string();
    try {
      for (TextCase& found : testing::parse_cases(text.str(), file, is_key)) cases.push_back(std::move(found));
    } catch (const std::runtime_error& problem) {
      cases.push_back({file, 0, {{"broken", problem.what()}}});
    }
  }
  return cases;
}

Dataset load(const TextCase& c, std::string& skipped) {
  const std::string name = c.value("data");
  const std::size_t colon = name.find(':');
  const std::string source = colon == std::string::npos ? "" : name.substr(0, colon), rest = name.substr(colon + 1);
  ReadOptions read;
  read.training = true;
  Dataset data;
  if (name == "inline") {
    data = testing::inline_rows(c);
  } else if (source == "generated") {
    data = generate(rest);
  } else {
    std::optional<std::filesystem::path> folder = testing::in_source("data");
    if (source == "shared") folder = testing::data_folder();
    if (!folder) {
      skipped = testing::no_data_folder;
      return data;
    }
    const std::string path = (*folder / (rest + ".csv")).string();
    std::vector<std::string> names = testing::words_of(c.value("categorical"), ',');
    if (names == std::vector<std::string>{"all"}) {
      names.clear();
      for (const Column& column : read_dataset(path, read).columns) names.push_back(column.name);
    }
    for (const std::string& column : names) read.kinds[column] = ColumnKind::categorical;
    data = read_dataset(path, read);
  }
  return c.value("onehot") == "yes" ? testing::one_hot(data) : data;
}

void expect_number(const TextCase& c, const std::string& key, double value) {
  const std::string wanted = c.value(key);
  if (!wanted.empty()) {
    EXPECT_NEAR(value, std::stod(wanted), 1e-9 * std::max(1.0, std::abs(value))) << key;
  }
}

void run(const TextCase& c, const Dataset& data, const Options& options) {
  const Result result = fit(data, options);
  const auto method =
      std::find_if(method_table().begin(), method_table().end(), [&](const MethodInfo& m) { return m.name == options.method; });
  const std::string status = c.value("expect_status");
  EXPECT_EQ(to_string(result.status), status.empty() ? std::string(method->exact ? "optimal" : "heuristic") : status);
  expect_number(c, "expect_errors", result.errors);
  expect_number(c, "expect_splits", static_cast<double>(result.tree.splits()));
  expect_number(c, "expect_depth", result.tree.depth());
  expect_number(c, "expect_objective", result.objective);
  expect_number(c, "expect_bound", result.bound);
  if (const std::string wanted = c.value("expect_accuracy"); !wanted.empty()) {
    const double digit = std::pow(10.0, -static_cast<double>(wanted.size() - wanted.find('.') - 1));
    EXPECT_NEAR(result.accuracy(), std::stod(wanted), 0.5 * digit) << "expect_accuracy";
  }
  EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
}

class Cases : public ::testing::TestWithParam<TextCase> {};

TEST_P(Cases, Holds) {
  const TextCase& c = GetParam();
  SCOPED_TRACE(c.file + ":" + std::to_string(c.line));
  ASSERT_EQ(c.value("broken"), "");
  std::string skipped;
  const Dataset data = load(c, skipped);
  if (!skipped.empty()) GTEST_SKIP() << skipped;
  Options options;
  bool rules = false, threads = false, expects = false;
  std::vector<std::string> comparisons;
  for (const auto& [key, value] : c.lines) {
    if (is_option(key)) set_option(options, key, value);
    if (key == "also" && value != "rules" && value != "threads") FAIL() << "'also' knows rules and threads, not " << value;
    rules = rules || (key == "also" && value == "rules");
    threads = threads || (key == "also" && value == "threads");
    expects = expects || key.starts_with("expect_");
    if (key == "compare") {
      const auto named = [&wanted = value](const testing::Comparison& comparison) { return comparison.name == wanted; };
      if (std::none_of(testing::comparisons().begin(), testing::comparisons().end(), named))
        FAIL() << "there is no comparison '" << value << "'";
      comparisons.push_back(value);
    }
  }
  ASSERT_TRUE(expects || !comparisons.empty()) << "the case expects nothing";
  if (!comparisons.empty()) {
    std::string failure;
    const testing::Outcome outcome = testing::run_case({data, with_depth(options, data)}, comparisons, failure);
    EXPECT_TRUE(outcome == testing::Outcome::agrees || outcome == testing::Outcome::refused) << failure;
  }
  if (!expects) return;
  run(c, data, options);
  for (const search::RuleInfo& rule : search::rule_table()) {
    if (!rules) break;
    SCOPED_TRACE("without " + std::string(rule.name));
    Options without = options;
    without.disable = rule.name;
    run(c, data, without);
  }
  for (const int n : {1, 2}) {
    if (!threads) break;
    SCOPED_TRACE(std::to_string(n) + " threads");
    Options with = options;
    with.n_jobs = n;
    run(c, data, with);
  }
}

INSTANTIATE_TEST_SUITE_P(Text, Cases, ::testing::ValuesIn(all_cases()), [](const auto& info) {
  std::string name = info.param.file.substr(0, info.param.file.find('.'));
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + "_line" + std::to_string(info.param.line);
});

std::string parse_error(const std::string& text) {
  try {
    testing::parse_cases(text, "some.case", is_key);
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "";
}

TEST(CaseFormat, NamesFileAndLineOfAMistake) {
  EXPECT_EQ(parse_error("data iris\nmax_deph 2\n"), "some.case:2: there is no key 'max_deph'");
  EXPECT_EQ(parse_error("data iris\n\n# note\nexpect_errors\n"), "some.case:4: 'expect_errors' has no value");
  EXPECT_EQ(parse_error("table max_depth errors\n2 6\n"), "some.case:1: there is no key 'errors'");
  EXPECT_EQ(parse_error("table max_depth expect_errors\n2\n"), "some.case:2: the table has 2 columns");
  EXPECT_EQ(parse_error("data iris\ntable max_depth\n"), "some.case:2: the table has no rows");
}

TEST(CaseFormat, CasesAndTables) {
  const auto cases = testing::parse_cases(
      "data iris\nmax_depth 2\nexpect_errors 6\n\n\ndata wine\ntable max_depth expect_errors\n2 6\n3 -\n", "f", is_key);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].line, 1);
  EXPECT_EQ(cases[0].value("max_depth"), "2");
  EXPECT_EQ(cases[1].value("data"), "wine");
  EXPECT_EQ(cases[1].value("expect_errors"), "6");
  EXPECT_EQ(cases[2].line, 9);
  EXPECT_EQ(cases[2].value("max_depth"), "3");
  EXPECT_EQ(cases[2].value("expect_errors"), "");
}

}  // namespace
}  // namespace treewright
