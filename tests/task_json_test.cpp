#include "treewright/result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/error.h"
#include "treewright/explain.h"
#include "treewright/export/dot.h"
#include "treewright/task/objective.h"
#include "treewright/tree.h"

namespace treewright {
namespace {

using Json = nlohmann::ordered_json;

// Names that a format might trip over: markup, quotes, control characters, other encodings, emptiness.
const std::vector<std::string> kAwkward = {"<script>alert(1)</script>",
                                           "a \"b\" \\c",
                                           "tab\there",
                                           "line\nbreak",
                                           "caf\xe9",
                                           "\xff\xfe",
                                           "\xc3\xa9t\xc3\xa9",
                                           "\xe2\x82",
                                           "",
                                           " ",
                                           "null",
                                           "{}",
                                           "\xef\xbb\xbf"
                                           "bom",
                                           "\xef\xbf\xbd",
                                           "bytes"};

double random_double(Random& random) {
  switch (random.below(6)) {
    case 0:
      return random.uniform(-1, 1);
    case 1:
      return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(2000)) - 1000);
    case 2:
      return std::numeric_limits<double>::denorm_min();
    case 3:
      return std::numeric_limits<double>::max();
    case 4:
      return -0.0;
    default:
      return static_cast<double>(random.below(1000)) / 10;
  }
}

Result random_result(Random& random) {
  Dataset data = testing::random_data(random, {20, 4, 3, true, true, 5});
  for (Column& column : data.columns) {
    column.name += kAwkward[random.below(kAwkward.size())];
    for (std::string& level : column.levels) level += kAwkward[random.below(kAwkward.size())];
  }
  for (std::string& name : data.class_names) name += kAwkward[random.below(kAwkward.size())];
  data.target_name = kAwkward[random.below(kAwkward.size())];
  if (random.below(2) == 0) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0, 3));
  }
  Result result;
  result.tree = testing::random_tree(random, data, static_cast<int>(random.below(9)));
  const Status all[] = {Status::optimal,    Status::time_limit, Status::interrupted,
                        Status::node_limit, Status::infeasible, Status::heuristic};
  result.status = all[random.below(std::size(all))];
  const double alpha = random_double(random), drawn = std::abs(random_double(random)), error_scale = drawn > 0 ? drawn : 1;
  result.objective_function = std::make_shared<ErrorObjective>(alpha, error_scale);
  result.objective = random_double(random);
  result.bound = random.below(4) == 0 ? -std::numeric_limits<double>::infinity() : random_double(random);
  result.errors = random_double(random);
  result.total_weight = random_double(random);
  result.rows = static_cast<std::int64_t>(random.next() >> 1);
  result.proved = kAwkward[random.below(kAwkward.size())];
  result.method = "oct";
  result.seconds = random_double(random);
  result.seed = static_cast<std::int64_t>(random.next() >> 1);
  result.threads = static_cast<std::int64_t>(random.below(64));
  result.min_leaf_rows = static_cast<std::int64_t>(random.below(100));
  result.min_leaf_weight = random.uniform();
  result.max_depth = static_cast<std::int64_t>(random.below(60));
  result.max_splits = static_cast<std::int64_t>(random.below(60)) - 1;
  for (std::uint64_t i = random.below(3); i > 0; --i) result.options.emplace_back("option", kAwkward[random.below(kAwkward.size())]);
  for (std::uint64_t i = random.below(3); i > 0; --i) {
    const bool known = random.below(2) == 0;
    result.history.push_back({random.uniform(), known ? random_double(random) : std::numeric_limits<double>::infinity(),
                              known ? random_double(random) : -std::numeric_limits<double>::infinity(), "CS "[random.below(3)]});
  }
  return result;
}

void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.tree, b.tree);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.objective_function->kind(), b.objective_function->kind());
  EXPECT_EQ(a.objective_function->parameters(), b.objective_function->parameters());
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.bound, b.bound);
  EXPECT_EQ(a.errors, b.errors);
  EXPECT_EQ(a.total_weight, b.total_weight);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.min_leaf_rows, b.min_leaf_rows);
  EXPECT_EQ(a.min_leaf_weight, b.min_leaf_weight);
  EXPECT_EQ(a.max_depth, b.max_depth);
  EXPECT_EQ(a.max_splits, b.max_splits);
  EXPECT_EQ(a.options, b.options);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t i = 0; i < a.history.size(); ++i) {
    EXPECT_EQ(a.history[i].seconds, b.history[i].seconds);
    EXPECT_EQ(a.history[i].incumbent, b.history[i].incumbent);
    EXPECT_EQ(a.history[i].bound, b.history[i].bound);
    EXPECT_EQ(a.history[i].source, b.history[i].source);
  }
}

TEST(TreeJson, RoundTripIsExact) {
  Random random(31);
  for (int round = 0; round < 500; ++round) {
    const Result result = random_result(random);
    const std::string text = to_json(result);
    const Result back = from_json(text, "memory");
    expect_equal(back, result);
    EXPECT_EQ(to_json(back), text);
    if (HasFailure()) FAIL() << text;
  }
}

TEST(TreeJson, HasNoNegativeZeroForABound) {
  Random random(3);
  Result result = random_result(random);
  result.bound = -0.0;
  result.history = {{0.5, 1, -0.0, 'C'}};
  EXPECT_NE(to_json(result).find("\"bound\": 0.0,"), std::string::npos) << to_json(result);
  EXPECT_FALSE(std::signbit(from_json(to_json(result), "memory").history.front().bound));
}

TEST(TreeJson, HowTheFileWasRead) {
  Random random(5);
  Result result = random_result(random);
  result.file = {
      {"-", "unknown"}, {"NA"}, "yield", "w",  "days", "seen", {"id"}, {"zip"}, {"age"}, {"grant", "refuse"}, ',', 'd', '.', true,
      {1.5, 2},         true,   "rye",   0.25, 400};
  const TrainingFile file = from_json(to_json(result), "tree.json").file;
  EXPECT_EQ(file.missing, result.file.missing);
  EXPECT_EQ(file.present, result.file.present);
  EXPECT_EQ(file.edges, result.file.edges);
  EXPECT_EQ(file.exposure, "days");
  EXPECT_EQ(file.event, "seen");
  EXPECT_TRUE(file.target_classes);
  EXPECT_EQ(file.against_rest, "rye");
  EXPECT_EQ(file.target, "yield");
  EXPECT_EQ(file.weights, "w");
  EXPECT_EQ(file.drop, result.file.drop);
  EXPECT_EQ(file.categorical, result.file.categorical);
  EXPECT_EQ(file.numeric, result.file.numeric);
  EXPECT_EQ(file.decimal, ',');
  EXPECT_EQ(file.date_order, 'd');
  EXPECT_EQ(file.doubtful_decimal, '.');
  EXPECT_TRUE(file.drop_unlabeled);
  EXPECT_EQ(file.test_share, 0.25);
  EXPECT_EQ(file.rows, 400);
  result.file = {};
  EXPECT_EQ(Json::parse(to_json(result))["result"].count("file"), 0u) << "only what is not as usual";
}

TEST(TreeJson, ColumnsKnowUnitAndZone) {
  Dataset data = testing::make_data({testing::numbers("price", {1, 2}), testing::numbers("when", {3, 4})}, {0, 1});
  data.columns[0].unit = "€";
  data.columns[1].notation = Notation::date;
  data.columns[1].zoned = true;
  Result result;
  result.tree = Tree(data);
  result.tree.tally(data);
  const Tree tree = from_json(to_json(result), "tree.json").tree;
  EXPECT_EQ(tree.features[0].unit, "€");
  EXPECT_FALSE(tree.features[0].zoned);
  EXPECT_TRUE(tree.features[1].zoned);
  EXPECT_EQ(tree.features[1].unit, "");
}

TEST(TreeJson, IsPlainJsonInUtf8) {
  Random random(32);
  for (int round = 0; round < 50; ++round) {
    const std::string text = to_json(random_result(random));
    EXPECT_TRUE(Json::accept(text)) << text;
  }
}

TEST(TreeJson, SummaryHasTheseKeysInThisOrder) {
  Random random(33);
  const Json summary = Json::parse(summary_json(random_result(random)));
  std::vector<std::string> keys;
  for (const auto& [key, value] : summary.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"method", "status", "objective", "bound", "gap", "errors", "n", "accuracy", "splits", "terms",
                                            "leaves", "depth", "seconds", "seed", "threads", "proved", "verified"}));
}

// A small result whose text has every part of the schema.
std::string full_text() {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4}), testing::numbers("y", {1, 2, std::nan(""), 4}),
                                     testing::categories("c", {"u", "v", "w"}, {0, 1, 2, -1})},
                                    {0, 1, 0, 1});
  Result result;
  result.tree = Tree(data);
  const auto [left, right] = result.tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  result.tree.split(left, {HyperplaneSplit{{{FeatureId{0}, 1.5}, {FeatureId{1}, -1}, {FeatureId{2}, 2, 1, 0.25}}, 0.25}, true});
  result.tree.split(right, {CategorySplit{FeatureId{2}, {true, false, true}}, true});
  result.tree.tally(data);
  result.method = "oct";
  result.proved = "nothing";
  result.options = {{"max_depth", "2"}};
  result.history = {{0.5, 1, 0, 'C'}};
  return to_json(result);
}

// Loading gives an Error, or a result that everything can work with.
bool loads(const std::string& text) {
  try {
    const Result result = from_json(text, "damaged.json");
    to_text(result.tree);
    exports::to_dot(result.tree);
    to_json(result);
    summary_json(result);
    average_depth(result.tree);
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(TreeJson, EveryTruncationIsAnError) {
  const std::string text = full_text();
  ASSERT_TRUE(loads(text));
  // The closing brace and the line end are the last two characters.
  for (std::size_t length = 0; length + 2 <= text.size(); ++length) EXPECT_FALSE(loads(text.substr(0, length))) << length;
}

// Calls `visit` with a pointer to every value of the document but the whole.
void each_value(const Json& json, const Json::json_pointer& at, const std::function<void(const Json::json_pointer&)>& visit) {
  if (!json.is_structured()) return;
  std::size_t i = 0;
  for (const auto& [key, value] : json.items()) {
    const Json::json_pointer here = json.is_array() ? at / i++ : at / std::string(key);
    visit(here);
    each_value(value, here, visit);
  }
}

TEST(TreeJson, EveryMissingKeyIsAnError) {
  const Json whole = Json::parse(full_text());
  // Facts that are derived from the tree and the other claims, so that the reader does not ask for them; and what older files lack.
  const std::set<std::string> derived = {"/result/gap",   "/result/accuracy", "/result/splits", "/result/terms",  "/result/leaves",
                                         "/result/depth", "/result/verified", "/checksum",      "/tree/shrinkage"};
  each_value(whole, Json::json_pointer(), [&](const Json::json_pointer& at) {
    Json parent = whole.at(at.parent_pointer());
    if (!parent.is_object() || derived.contains(at.to_string()) || at.back() == "if_missing") return;
    Json damaged = whole;
    damaged.at(at.parent_pointer()).erase(at.back());
    EXPECT_FALSE(loads(damaged.dump())) << "without " << at.to_string();
  });
}

TEST(TreeJson, AnyValueReplacedByAnyOtherIsAnErrorOrATree) {
  const Json whole = Json::parse(full_text());
  const std::vector<Json> others = {nullptr,
                                    true,
                                    -1,
                                    0,
                                    1,
                                    2,
                                    3,
                                    1000000,
                                    9223372036854775807LL,
                                    18446744073709551615ULL,
                                    1e300,
                                    -0.5,
                                    "",
                                    "x",
                                    Json::array(),
                                    Json::object(),
                                    Json::array({1}),
                                    Json::array({-1, 5}),
                                    Json::array({nullptr})};
  int errors = 0, trees = 0;
  each_value(whole, Json::json_pointer(), [&](const Json::json_pointer& at) {
    for (const Json& other : others) {
      Json damaged = whole;
      damaged.at(at) = other;
      ++(loads(damaged.dump()) ? trees : errors);
    }
  });
  EXPECT_GT(errors, 500);
  EXPECT_GT(trees, 50) << "seconds, for one, may be any number";
}

TEST(TreeJson, NamesTheFileAndTheTrouble) {
  const auto message = [](const std::string& text) {
    try {
      from_json(text, "tree.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("").substr(0, 31), "tree.json: is not complete JSON");
  EXPECT_NE(message("[1, 2]").find("not a treewright tree"), std::string::npos);
  EXPECT_NE(message("{\"format\": 3}").find("tree.json"), std::string::npos);
  Json later = Json::parse(full_text());
  later["schema_version"] = 99;
  EXPECT_NE(message(later.dump()).find("schema version 99"), std::string::npos) << message(later.dump());
  Json other = Json::parse(full_text());
  other["tree"]["comparator"] = "left iff value <= threshold";
  EXPECT_NE(message(other.dump()).find("compares in another way"), std::string::npos);
  Json cycle = Json::parse(full_text());
  cycle["tree"]["nodes"][0]["left"] = 0;
  EXPECT_NE(message(cycle.dump()).find("tree.json, tree node 0"), std::string::npos) << message(cycle.dump());
}

// Random edits of the text: a loader that follows a damaged number would crash here, or under the sanitizers.
TEST(TreeJson, SurvivesThousandsOfRandomEdits) {
  Random random(34);
  const std::vector<std::string> pieces = {"null", "-1",   "1e999", "99999999999999999999", "\"\"", "{", "}", "[", "]", ",",
                                           ":",    "true", "0.5",   "\"\\ud800\"",          "\xff"};
  int trees = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = round % 2 == 0 ? full_text() : to_json(random_result(random));
    const int edits = 1 + static_cast<int>(random.below(3));
    for (int e = 0; e < edits; ++e) {
      const std::size_t at = random.below(text.size()), length = std::min<std::size_t>(random.below(12), text.size() - at);
      switch (random.below(5)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(random.below(text.size()), length));
          break;
        case 3:
          text.replace(at, length, pieces[random.below(pieces.size())]);
          break;
        default:
          // Another digit in place of a digit: most edits that still parse are of this kind.
          if (const std::size_t digit = text.find_first_of("0123456789", at); digit != std::string::npos) {
            text[digit] = static_cast<char>('0' + random.below(10));
          }
      }
    }
    trees += loads(text);
  }
  EXPECT_GT(trees, 100) << "the edits should leave some trees whole";
  EXPECT_LT(trees, 3500);
}

// A file may come from a stranger: its errors are in our words, and it can neither overflow the stack nor fill the memory.
std::string message_for(const std::function<void(Json&)>& change) {
  Random random(5);
  Json json = Json::parse(to_json(random_result(random)));
  change(json);
  try {
    from_json(json.dump(), "memory");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TreeFile, ErrorsAreInOurWords) {
  const std::vector<std::pair<std::function<void(Json&)>, const char*>> changes = {
      {[](Json& json) { json["tree"].erase("nodes"); }, "'nodes' is missing"},
      {[](Json& json) { json["result"]["method"] = 7; }, "of another kind"},
      {[](Json& json) { json["result"]["options"] = Json::array({Json::array()}); }, "a list is too short"},
      {[](Json& json) { json["tree"]["features"][0]["name"] = std::string("a\0b", 3); }, "NUL"},
      {[](Json& json) {
         json["tree"]["target"] = {{"bytes", {97, 0, 98}}};
       },
       "NUL"},
  };
  for (const auto& [change, part] : changes) {
    const std::string message = message_for(change);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    for (const char* foreign : {"json.exception", "vector::", "basic_string", "_M_"}) {
      EXPECT_EQ(message.find(foreign), std::string::npos) << message;
    }
  }
}

// Splits one below the other on the right.
std::string chain(int splits) {
  Json nodes = Json::array();
  const Json split = {{"kind", "axis"}, {"feature", 0}, {"threshold", 0.5}, {"missing_left", false}};
  for (int i = 0; i < splits; ++i) {
    const Json inner = {{"split", split}, {"left", 2 * i + 1}, {"right", 2 * i + 2}, {"label", 0}, {"rows", 1}, {"class_weight", {1, 0}}};
    const Json leaf = {{"label", 0}, {"rows", 1}, {"class_weight", {1, 0}}};
    if (i > 0) nodes.back() = inner;
    if (i == 0) nodes.push_back(inner);
    nodes.push_back(leaf);
    nodes.push_back(leaf);
  }
  Result result;
  Json json = Json::parse(to_json(result));
  json["tree"]["classes"] = {"a", "b"};
  json["tree"]["features"] = {{{"name", "x"}, {"kind", "numeric"}, {"has_missing", false}}};
  json["tree"]["nodes"] = nodes;
  return json.dump();
}

TEST(TreeFile, ADeepChainIsRefused) {
  const Result deepest = from_json(chain(1000), "memory");
  EXPECT_EQ(deepest.tree.depth(), 1000);
  EXPECT_FALSE(to_text(deepest.tree).empty());
  for (const int splits : {1001, 50000}) {
    try {
      from_json(chain(splits), "memory");
      ADD_FAILURE() << splits << " splits were read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("levels of splits, more than 1000"), std::string::npos) << error.what();
    }
  }
}

TEST(TreeFile, ItsChecksumCoversEveryKey) {
  Random random(6);
  for (int round = 0; round < 20; ++round) {
    const std::string text = to_json(random_result(random));
    EXPECT_FALSE(from_json(text, "memory").edited);
    const nlohmann::json sorted = nlohmann::json::parse(text);
    EXPECT_FALSE(from_json(sorted.dump(), "memory").edited) << "the order of keys says nothing";
    Json changed = Json::parse(text);
    changed["result"]["seconds"] = 1e6;
    EXPECT_TRUE(from_json(changed.dump(), "memory").edited);
    changed.erase("checksum");
    EXPECT_FALSE(from_json(changed.dump(), "memory").edited) << "a file need not have one";
  }
}

}  // namespace
}  // namespace treewright
