#include "treewright/report.h"
#include "support/source_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/base/file.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/rules.h"
#include "treewright/export/svg.h"
#include "treewright/fit.h"
#include "treewright/probabilities.h"
#include "treewright/report/charts.h"
#include "treewright/report/node_histograms.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

const std::string kEvil = "</script><script>alert(1)</script>\"'&<b>\xe9\x01";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

Dataset evil_data(Random& random) {
  Dataset data = testing::random_data(random, {60, 4, 3, true, true, 5});
  for (Column& column : data.columns) {
    column.name += kEvil;
    for (std::string& level : column.levels) level += kEvil;
  }
  for (std::string& name : data.class_names) name += kEvil;
  data.target_name = kEvil;
  return data;
}

Result result_of(const Dataset& data, const Tree& tree) {
  Result result;
  result.tree = tree;
  result.method = kEvil;
  result.proved = kEvil;
  result.options = {{"class_weight", kEvil}};
  result.rows = static_cast<std::int64_t>(data.rows());
  result.total_weight = static_cast<double>(data.rows());
  result.errors = count_errors(tree, data);
  result.objective_function = std::make_shared<ErrorObjective>(0, 10);
  result.objective = result.errors / 10;
  result.max_depth = 60;
  result.history = {{0.1, 3, 0, 'C'}, {0.5, 2, 1, 'S'}};
  result.selection = "chosen: " + kEvil;
  result.candidates = {{kEvil, {{kEvil, kEvil}}, 0.9, 0, 0.01, 3, 3, 5, 0.1, kEvil}};
  return result;
}

TEST(Report, NamesCannotBreakOut) {
  Random random(61);
  for (int round = 0; round < 30; ++round) {
    const Dataset data = evil_data(random);
    const Result result = result_of(data, testing::random_tree(random, data, static_cast<int>(random.below(8))));
    ReportParts parts;
    parts.result = &result;
    parts.train = parts.test = &data;
    parts.beside = &result;
    parts.with_rows = true;
    parts.title = parts.data_name = kEvil;
    parts.path = {{0, 10, 1, 2, 0.5}, {1, 5, 0, 1, 0.6}};
    const std::string page = to_html(parts);
    EXPECT_EQ(count(page, "<script"), 3u) << "two blocks of data and the script";
    EXPECT_EQ(count(page, "</script>"), 3u);
    EXPECT_EQ(count(page, "<b>&") + count(page, "alert(1)</"), 0u);
    EXPECT_EQ(page.find('\x01'), std::string::npos);
    EXPECT_EQ(page.find('\xe9'), std::string::npos);
    const std::string framed = to_notebook_html(parts);
    EXPECT_EQ(count(framed, "\""), 8u) << "the frame's own quotes: nothing ends the srcdoc early";
    EXPECT_EQ(count(framed, "http://") + count(framed, "https://"), count(framed, "http://www.w3.org/2000/svg")) << "asks for nothing";
  }
}

TEST(Report, TheScriptIsSmall) {
  EXPECT_LE(read_file(testing::in_source("src/treewright/report/report.js")).size(), 43400u);
}

TEST(Report, CarriesTheTreeFile) {
  Random random(62);
  const Dataset data = evil_data(random);
  const Result result = result_of(data, testing::random_tree(random, data, 6));
  ReportParts parts;
  parts.result = &result;
  const std::string page = to_html(parts), open = "<script type=\"application/json\" id=\"tree-file\">";
  const std::size_t from = page.find(open) + open.size();
  EXPECT_EQ(from_json(page.substr(from, page.find("</script>", from) - from), "report").tree, result.tree);
}

TEST(Report, SaysWhatASplitSaves) {
  Random random(63);
  for (int round = 0; round < 20; ++round) {
    const Dataset data = testing::random_data(random, {40, 3, 3, true, true});
    Result result = result_of(data, testing::random_tree(random, data, 4));
    const bool priced = round % 2 == 1;
    if (priced) result.objective_function = std::make_shared<ErrorObjective>(0.5, 10);
    ReportParts parts;
    parts.result = &result;
    parts.train = &data;
    const std::string page = to_html(parts);
    for (std::size_t i = 0; i < result.tree.nodes().size(); ++i) {
      if (result.tree.nodes()[i].is_leaf()) continue;
      Tree without = result.tree;
      without.collapse(NodeId{static_cast<std::int32_t>(i)});
      const double errors = count_errors(without, data) - result.errors;
      const double together = 10 * *result.objective_function->of_counts(count_errors(without, data), without.terms());
      const std::size_t card = page.find("id=\"d" + std::to_string(i) + "\"");
      const std::string said = page.substr(card, page.find("</details>", card) - card);
      EXPECT_NE(said.find("the tree would make <b>" + explain::plain(std::abs(errors)) + "</b>"), std::string::npos) << said;
      EXPECT_EQ(said.find("price of splits together would be <b>" + explain::plain(together) + "</b>") != std::string::npos, priced)
          << "it says no more than errors do: " << said;
    }
  }
}

TEST(Report, SaysWhatASplitSavesInCosts) {
  Dataset data;
  data.columns.push_back({"x", ColumnKind::numeric, {}, {}, {}});
  for (int row = 0; row < 20; ++row) {
    data.columns[0].values.push_back(row);
    data.labels.push_back(row >= 15);
  }
  data.class_names = {"no", "yes"};
  data.costs = {0, 1, 10, 0};
  Options options;
  options.max_depth = 1;
  options.verify = "yes";
  const Result result = fit(data, options);
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  const std::string page = to_html(parts);
  EXPECT_NE(page.find("the labels would cost <b>15</b> more"), std::string::npos) << "all of them yes";
  EXPECT_EQ(page.find("objective would be"), std::string::npos);
  const std::string thresholds = page.substr(page.find("<th class=\"n\">from</th>"));
  EXPECT_NE(thresholds.find("<th class=\"n\">cost</th></tr>"), std::string::npos);
  const std::size_t own = thresholds.find("<td class=\"n\">0</td></tr>"), all = thresholds.find("<td class=\"n\">15</td></tr>");
  EXPECT_LT(own, all) << "five rows are yes, then all of them";
  EXPECT_NE(all, std::string::npos);
  EXPECT_NE(page.find("a proof that no tree is better was checked after the training"), std::string::npos);
  parts.believed = true;
  EXPECT_NE(to_html(parts).find("; that no tree is better was not"), std::string::npos);
}

// How far two colors are from each other in CIELAB, for readers with and without one kind of cones (Machado, Oliveira and Fernandes 2009,
// all of it missing).
using Color = std::array<double, 3>;

Color linear(const std::string& hex) {
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(hex.substr(2 * i + 1, 2), nullptr, 16) / 255.0;
    color[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return color;
}

Color times(const std::array<Color, 3>& matrix, const Color& color) {
  Color out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out[i] += matrix[i][j] * color[j];
  }
  return out;
}

Color lab(Color color) {
  for (double& c : color) c = std::clamp(c, 0.0, 1.0);
  const Color xyz = times({{{0.4125, 0.3576, 0.1804}, {0.2127, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9503}}}, color);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f(xyz[0] / 0.9505), y = f(xyz[1]), z = f(xyz[2] / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double apart(const Color& a, const Color& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double contrast(const std::string& a, const std::string& b) {
  const auto bright = [](const Color& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] + 0.05; };
  const double x = bright(linear(a)), y = bright(linear(b));
  return std::max(x, y) / std::min(x, y);
}

TEST(Palette, ColorsDifferForAllReadersInBothThemes) {
  const std::array<Color, 3> usual = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                             protan = {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
                             deutan = {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
                             tritan = {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
  const std::string css = exports::palette_css();
  std::vector<std::string> colors;
  for (std::size_t at = css.find("fill: #"); at != std::string::npos; at = css.find("fill: #", at + 1))
    colors.push_back(css.substr(at + 6, 7));
  ASSERT_EQ(colors.size(), 32u);
  constexpr std::size_t kForAll = 8;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (const auto& eyes : {usual, protan, deutan, tritan}) {
        if (i >= kForAll && eyes != usual) continue;
        EXPECT_GE(apart(lab(times(eyes, linear(colors[i]))), lab(times(eyes, linear(colors[j])))), 25) << colors[i] << " and " << colors[j];
      }
    }
    // Of the cards, light and dark (report.css).
    for (const char* page : {"#ffffff", "#1b1e25"})
      EXPECT_GE(contrast(colors[i], page), i < kForAll ? 2.2 : 1.3) << colors[i] << " on " << page;
  }
}

TEST(Report, ScoresTheProbabilities) {
  Random random(66);
  const Dataset train = testing::random_data(random, {40, 3, 3}), test = testing::random_data(random, {30, 3, 3});
  const Result result = result_of(train, testing::random_tree(random, train, 4));
  ReportParts parts;
  parts.result = &result;
  EXPECT_EQ(count(to_html(parts), "Brier score"), 0u) << "no rows, no scores";
  parts.train = &train;
  parts.test = &test;
  const std::string page = to_html(parts);
  EXPECT_EQ(count(page, "Brier score 0"), 2u);
  const ProbabilityScores scores = score_probabilities(predict_proba(result.tree, test, 0), test);
  const std::size_t from = page.find("On the test rows: accuracy");
  ASSERT_NE(from, std::string::npos);
  const std::string sentence = page.substr(from, page.find("</p>", from) - from);
  EXPECT_NE(sentence.find(fmt::format("Brier score {:.4f}", scores.brier)), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(fmt::format("log loss {:.4f}", scores.log_loss)), std::string::npos) << sentence;
}

TEST(Report, ThresholdsChooseTheRowsOfTheirLeaves) {
  Random random(67);
  for (int round = 0; round < 200; ++round) {
    const Dataset data = testing::random_data(random, {60, 3, 2});
    Result result = result_of(data, testing::random_tree(random, data, 3));
    result.tree.shrinkage = 7;
    if (result.tree.splits() == 0 || data.classes() != 2) continue;
    ReportParts parts;
    parts.result = &result;
    parts.train = &data;
    const std::string page = to_html(parts);
    const std::size_t begin = page.find("<th class=\"n\">from</th>");
    ASSERT_NE(begin, std::string::npos);
    const std::vector<double> probabilities = result.tree.predict_proba(data), of_nodes = node_probabilities(result.tree, 7);
    std::set<double, std::greater<>> levels;
    for (std::size_t i = 0; i < result.tree.nodes().size(); ++i) {
      if (result.tree.nodes()[i].is_leaf()) levels.insert(of_nodes[2 * i + 1]);
    }
    double closest = 1;
    for (auto level = levels.begin(); std::next(level) != levels.end(); ++level) closest = std::min(closest, *level - *std::next(level));
    std::size_t at = begin;
    bool marked = false, own = false;
    for (const double level : levels) {
      const std::string cell = "<td class=\"n\">";
      const std::size_t row = page.find("<tr", at);
      at = page.find(cell, row) + cell.size();
      marked |= page.compare(row, 17, "<tr class=\"here\">") == 0 && decide(probabilities, 1, level) == result.tree.predict(data);
      own |= decide(probabilities, 1, level) == result.tree.predict(data);
      const std::string text = page.substr(at, page.find(" %", at) - at);
      EXPECT_EQ(decide(probabilities, 1, std::stod(text) / 100), decide(probabilities, 1, level)) << text << " for " << level;
      if (closest > 0.01 && level > 0.1) {
        EXPECT_LE(text.size(), 4u) << level;
      }
    }
    EXPECT_EQ(marked, own) << "the decision of the tree itself";
  }
}

// By the distances to hyperplanes each row has a probability of its own, and a page lists some of them.
TEST(Report, ThresholdsOfHyperplaneTreesChooseTheRowsTheyCount) {
  Random random(68);
  Dataset data = testing::make_data({testing::numbers("x", {}), testing::numbers("z", {})}, {}, 2);
  for (int row = 0; row < 60; ++row) {
    for (Column& column : data.columns) column.values.push_back(random.uniform());
    data.labels.push_back(data.columns[0].values.back() + 0.6 * random.uniform() > 0.8);
  }
  Options options;
  options.method = "oct-h";
  options.max_depth = 1;
  Result result = fit(data, options);
  ASSERT_TRUE(result.tree.probability_model.has_value());
  for (double& logit : result.tree.probability_model->logits) logit /= 30;  // so that rows are near each other
  const std::vector<double> probabilities = result.tree.predict_proba(data);
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  const std::string page = to_html(parts), cell = "<td class=\"n\">";
  std::size_t at = page.find("<th class=\"n\">from</th>"), lines = 0;
  const std::size_t end = page.find("</table>", at);
  for (at = page.find("<tr", at); at < end; at = page.find("<tr", at + 1), ++lines) {
    const std::size_t from = page.find(cell, at) + cell.size(), rows = page.find(cell, from) + cell.size();
    const double threshold = std::stod(page.substr(from)) / 100;
    long chosen = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) chosen += probabilities[2 * row + 1] >= threshold;
    EXPECT_EQ(std::stol(page.substr(rows)), chosen) << threshold;
  }
  EXPECT_GT(lines, 8u);
}

TEST(Report, SaysWhatAMarginTreeMinimises) {
  Random random(65);
  const Dataset data = testing::random_data(random, {30, 2, 2});
  Options options;
  options.method = "margot";
  options.max_depth = 2;
  options.level_costs = "3,2";
  const Result result = fit(data, options);
  ASSERT_GT(result.tree.splits(), 0u);
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  const std::string page = to_html(parts);
  EXPECT_NE(page.find("C by level: 3, 2"), std::string::npos);
  EXPECT_EQ(page.find("codewords"), std::string::npos);
  options.class_codes = "00,10";
  const Result by_words = fit(data, options);
  ReportParts parts_by_words;
  parts_by_words.result = &by_words;
  EXPECT_NE(to_html(parts_by_words).find("class codewords 00, 10"), std::string::npos);
  options.class_codes.clear();
  options.method = "mm-svm";
  options.level_costs = "3";
  options.ccp_alpha = 0.5;
  options.mip_solver = "cp {start} {solution} #{lp}";
  const Result peer = fit(data, options);
  ReportParts parts_of_peer;
  parts_of_peer.result = &peer;
  EXPECT_NE(to_html(parts_of_peer).find("smallest margin + 3 × slack + 0.5 × splits"), std::string::npos);
  Tree without = result.tree;
  without.collapse(Tree::root());
  const std::string said = "the objective would be <b>" + explain::plain(result.objective_function->of(without, data)) + "</b>";
  EXPECT_NE(page.find(said), std::string::npos) << said;
}

// A leaf on rows of so many classes, in turn.
std::pair<Dataset, Tree> leaf_on(int classes) {
  Dataset data;
  data.columns.push_back({"x", ColumnKind::numeric, {}, {}, {}});
  for (int row = 0; row < 10 * classes; ++row) {
    data.columns[0].values.push_back(row);
    data.labels.push_back(row % classes);
  }
  for (int k = 0; k < classes; ++k) data.class_names.push_back("c" + std::to_string(k));
  Tree tree(data);
  tree.tally(data);
  return {data, tree};
}

TEST(Report, TheHeadlineIsWhatIsKnown) {
  const auto [data, tree] = leaf_on(2);
  Result result = result_of(data, tree);
  result.options.clear();
  result.status = Status::time_limit;
  result.bound = result.objective - 0.3;  // an error is a tenth
  ReportParts parts;
  parts.result = &result;
  const std::string page = to_html(parts), head = page.substr(page.find("<header>"), page.find("<main>") - page.find("<header>"));
  EXPECT_EQ(count(head, "accuracy on the training rows"), 1u);
  EXPECT_EQ(count(head, "makes fewer than 7 errors on the 20 training rows; this one makes 10"), 1u) << head;
  EXPECT_EQ(count(head, "gap"), 0u);
  parts.test = &data;
  const std::string tested = to_html(parts);
  EXPECT_LT(tested.find("accuracy on test rows"), tested.find("accuracy on the training rows"));
  result.bound = 0;
  EXPECT_EQ(count(to_html(parts), "only that no objective is below 0: the run ended before more was proved"), 1u);
  result.status = Status::heuristic;
  result.proved = "nothing: the method is greedy";
  EXPECT_EQ(count(to_html(parts), "none: the method is greedy"), 1u);
}

TEST(Report, AnAxisWithoutDataIsNotDrawn) {
  const auto [data, tree] = leaf_on(2);
  Result result = result_of(data, tree);
  ReportParts parts;
  parts.result = &result;
  EXPECT_EQ(count(to_html(parts), "Progress of the search"), 1u);
  result.history.clear();
  EXPECT_EQ(count(to_html(parts), "Progress of the search"), 0u) << "no history";
  result.history = {{0.1, result.objective, result.objective, 'C'}};
  result.bound = result.objective;
  EXPECT_EQ(count(to_html(parts), "Progress of the search"), 0u) << "nothing happened";
}

TEST(Report, ManyClassesAreFolded) {
  for (const int classes : {12, 30}) {
    const auto [data, tree] = leaf_on(classes);
    const Result result = result_of(data, tree);
    ReportParts parts;
    parts.result = &result;
    parts.train = &data;
    const std::string page = to_html(parts);
    EXPECT_EQ(count(page, "<summary>All classes</summary>"), classes > 12 ? 1u : 0u);
    EXPECT_EQ(count(page, "<summary>18 more</summary>"), classes > 12 ? 1u : 0u);
    EXPECT_EQ(count(page, "the most frequent of "), classes > 12 ? 1u : 0u);
  }
}

TEST(Report, SaysHowTheTreeWasChosen) {
  Random random(65);
  Options options;
  options.method = "auto";
  options.max_depth = 2;
  const Result chosen = fit(testing::random_data(random, {40, 3, 3}), options), given = fit(testing::random_data(random, {40, 3, 3}), {});
  ReportParts parts;
  parts.result = &chosen;
  const std::string page = to_html(parts), table = page.substr(page.find("How it was chosen"));
  EXPECT_EQ(count(table.substr(0, table.find("</section>")), "<tr class=\"here\">"), 1u);
  EXPECT_EQ(count(table.substr(0, table.find("</section>")), "<tr><td>"), chosen.candidates.size() - 1);
  parts.result = &given;
  EXPECT_EQ(count(to_html(parts), "How it was chosen"), 0u);
}

TEST(Report, SaysWhenTheRowsAreNotTheTrainingRows) {
  Random random(64);
  const Dataset data = testing::random_data(random, {40, 3, 3});
  Result result = fit(data, Options());
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  EXPECT_EQ(to_html(parts).find("these claims do not hold on the rows"), std::string::npos);
  result.errors += 1;
  EXPECT_NE(to_html(parts).find("these claims do not hold on the rows"), std::string::npos);
}

TEST(Report, MissingPartsAreErrors) {
  expect_error([] { to_html({}); }, {"no result"});
  Result result;
  ReportParts parts;
  parts.result = &result;
  parts.with_rows = true;
  expect_error([&] { to_html(parts); }, {"no classes"});
  result.tree.class_names = {"a", "b"};
  expect_error([&] { to_html(parts); }, {"training data"});
}

TEST(Report, TheCommandReproducesTheOptions) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 1, 0, 1});
  Options options;
  options.max_depth = 2;
  options.ccp_alpha = 0.1;
  options.class_weight = "a=2,b=1";
  const Result result = fit(data, options);
  const std::string command = reproduce_command(result, "my data.csv");
  EXPECT_EQ(command, "treewright fit 'my data.csv' --max-depth 2 --alpha 0.1 --class-weight a=2,b=1");
}

TEST(Report, TheCommandNamesAShrinkageThatIsNotTheUsualOne) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 1, 0, 1});
  Result result = fit(data, {});
  EXPECT_EQ(reproduce_command(result, "d.csv"), "treewright fit d.csv --max-depth 3");
  result.tree.shrinkage = 0.5;
  EXPECT_EQ(reproduce_command(result, "d.csv"), "treewright fit d.csv --max-depth 3 --shrinkage 0.5");
}

TEST(Histogram, CountsEveryRowOnceAndNeverAcrossTheLine) {
  Random random(65);
  for (int round = 0; round < 100; ++round) {
    const Dataset data = testing::random_data(random, {200, 4, 3, true, true, 40});
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(8)));
    const auto all = report::histograms(tree, data);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Node& node = tree.nodes()[i];
      ASSERT_EQ(all[i].has_value(), !node.is_leaf());
      if (node.is_leaf()) continue;
      const auto* set = std::get_if<CategorySplit>(&node.split->rule);
      for (std::size_t k = 0; k < node.class_weight.size(); ++k) {
        double total = all[i]->missing[k], left = node.split->missing_left ? all[i]->missing[k] : 0;
        for (std::size_t b = 0; b < all[i]->weight[k].size(); ++b) {
          total += all[i]->weight[k][b];
          const double width = (all[i]->high - all[i]->low) / static_cast<double>(all[i]->weight[k].size());
          const bool before = set != nullptr ? set->left[b]
                              : all[i]->last_left && all[i]->first_right
                                  ? all[i]->low + width * (static_cast<double>(b) + 0.5) < all[i]->threshold
                                  : all[i]->last_left.has_value();
          if (before) left += all[i]->weight[k][b];
        }
        EXPECT_EQ(total, node.class_weight[k]);
        EXPECT_EQ(left, tree.node(node.left).class_weight[k]);
      }
    }
  }
}

TEST(Rules, MergedAndInWords) {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4}), testing::numbers("y", {1, 2, std::nan(""), 4}),
                                     testing::categories("colour", {"red", "green", "blue"}, {0, 1, 2, 2})},
                                    {0, 0, 1, 1});
  Tree tree(data);
  const auto [low, high] = tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 3.5}, false});
  const auto [a, b] = tree.split(low, {AxisSplit{FeatureId{0}, 1.5}, false});
  const auto [c, d] = tree.split(b, {CategorySplit{FeatureId{2}, {true, false, true}}, false});
  const auto [e, f] = tree.split(high, {AxisSplit{FeatureId{1}, 2.5}, true});
  const auto [g, h] = tree.split(f, {HyperplaneSplit{{{FeatureId{0}, 1}, {FeatureId{1}, -2}}, 1}, false});
  const auto words = [&, all = explain::regions(tree)](NodeId id) { return explain::in_words(all[+id], tree); };
  EXPECT_EQ(words(Tree::root()), "always");
  EXPECT_EQ(words(a), "x < 1.5");
  EXPECT_EQ(words(b), "1.5 <= x < 3.5");
  EXPECT_EQ(words(c), "1.5 <= x < 3.5 and colour in {red, blue}");
  EXPECT_EQ(words(d), "1.5 <= x < 3.5 and colour in {green}");
  EXPECT_EQ(words(e), "x >= 3.5 and y < 2.5 or missing");
  EXPECT_EQ(words(h), "x >= 3.5 and y >= 2.5 and 1*x - 2*y >= 1");
  EXPECT_EQ(words(g), "x >= 3.5 and y >= 2.5 and 1*x - 2*y < 1");
}

TEST(Rules, EqualSumsHaveOneName) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4}), testing::numbers("y", {1, 2, 3, 4})}, {0, 1, 0, 1});
  Tree tree(data);
  const std::vector<HyperplaneSplit::Term> one = {{FeatureId{0}, 1}, {FeatureId{1}, -2}}, other = {{FeatureId{0}, 1}, {FeatureId{1}, 2}};
  const auto [left, right] = tree.split(Tree::root(), {HyperplaneSplit{one, 1}, false});
  tree.split(left, {HyperplaneSplit{other, 1}, false});
  tree.split(right, {HyperplaneSplit{one, 2}, false});
  const explain::PlaneNames names = explain::plane_names(tree, 0);
  const auto asked = [&](NodeId id) { return explain::short_question(*tree.node(id).split, tree, names); };
  EXPECT_EQ(asked(Tree::root()), "H1 < 1?");
  EXPECT_EQ(asked(left), "H2 < 1?");
  EXPECT_EQ(asked(right), "H1 < 2?");
}

TEST(Markup, CleanAndEscaped) {
  EXPECT_EQ(explain::escaped("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(explain::clean("caf\xe9"), "caf\xef\xbf\xbd");
  EXPECT_EQ(explain::clean("\xc3\xa9t\xc3\xa9\n\x7f"), "\xc3\xa9t\xc3\xa9  ");
  EXPECT_EQ(explain::clean("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd") << "a surrogate is no character";
  EXPECT_EQ(explain::clean("\xf0\x9f\x8c\xb3"), "\xf0\x9f\x8c\xb3");
  EXPECT_EQ(explain::clean("\xf0\x9f\x8c"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(explain::shortened("\xc3\xa9t\xc3\xa9", 3), "\xc3\xa9t\xc3\xa9");
  EXPECT_EQ(explain::shortened("\xc3\xa9t\xc3\xa9", 2), "\xc3\xa9\xe2\x80\xa6");
  EXPECT_EQ(explain::plain(19020), "19020");
  EXPECT_EQ(explain::plain(0.125), "0.125");
  EXPECT_EQ(explain::percent(0.9999), ">99.9 %");
  EXPECT_EQ(explain::inside_script("{\"a\":\"</script>\"}"), "{\"a\":\"\\u003c/script>\"}");
}

TEST(Svg, OneShapeForEachNodeAndEdge) {
  Random random(66);
  const Dataset data = evil_data(random);
  for (int splits : {0, 1, 7, 20}) {
    const Tree tree = testing::random_tree(random, data, splits);
    const std::string svg = exports::to_svg(tree);
    EXPECT_EQ(count(svg, "class=\"node"), tree.nodes().size() + 1) << "and the group of all";
    EXPECT_EQ(count(svg, "class=\"edge\""), tree.nodes().size() - 1);
    EXPECT_EQ(count(svg, "<script"), 0u);
  }
}

TEST(Svg, ALongNameIsCutBeforeItsThreshold) {
  Random random(67);
  Dataset data = testing::random_data(random, {40, 1, 2, false, false, 5});
  data.columns[0].name = std::string(60, 'n');
  const Tree tree = testing::random_tree(random, data, 1);
  ASSERT_EQ(tree.nodes().size(), 3u);
  const std::string asked = explain::question(*tree.nodes()[0].split, tree);
  const std::string rule = asked.substr(asked.find(" < "));
  EXPECT_EQ(count(exports::to_svg(tree), "n…" + explain::escaped(rule.substr(0, rule.size() - 1)) + "</text>"), 1u) << asked;
}

// Ranges that overflow, single values so large that 1 is nothing to them, and differences below the smallest number.
TEST(Report, HistogramsOfExtremeColumns) {
  const double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<double>> columns = {{-1e308, 1e308, 1.5e308, -1.6e308, 0, 1},
                                                    {most, most, most, -most, -most, -most},
                                                    {1e300, 1e300, 1e300, 1e300, 1e300, 1e300},
                                                    {0, least, 0, least, 0, least}};
  for (const std::vector<double>& values : columns) {
    const Dataset data = testing::make_data({testing::numbers("x", values)}, {0, 1, 1, 0, 0, 1});
    for (const double threshold : {-1e308, 0.0, least, 1e300, most}) {
      Tree tree(data);
      tree.split(Tree::root(), {AxisSplit{FeatureId{0}, threshold}, false});
      tree.tally(data);
      const auto made = report::histograms(tree, data);
      ASSERT_TRUE(made[0].has_value());
      double total = 0;
      for (const auto& of_class : made[0]->weight) {
        for (const double weight : of_class) total += weight;
      }
      EXPECT_EQ(total, 6);
      EXPECT_TRUE(std::isfinite(made[0]->high - made[0]->low));
      EXPECT_EQ(report::histogram_chart(*made[0], *tree.node(Tree::root()).split, tree).find("nan"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace treewright
