// The models of Z20 and DGMP23 without strengthenings, row by row: see formulate_papers_test.cpp.

#include <gtest/gtest.h>

#include <functional>

#include "support/printed_model.h"
#include "treewright/methods/margot/model.h"
#include "treewright/methods/svm1/model.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright {
namespace {

using testing::eight_rows;
using testing::name;
using testing::PrintedModel;
using testing::scaled;
using testing::Shape;
using Terms = PrintedModel::Terms;

constexpr double kInfinity = mip::MipModel::kInfinity;
constexpr std::size_t kFeatures = 3, kClasses = 3;

// Z20 (1) with (8) for the categories; M = 1.
PrintedModel print_svm1(const svm1::Svm1Problem& problem, const std::vector<std::vector<double>>& x,
                        const std::vector<const Column*>& categories) {
  PrintedModel print;
  const Dataset& data = problem.data;
  const Shape shape{problem.max_depth};
  const std::size_t n = data.rows(), numeric = x[0].size();
  const double classes = kClasses;
  shape.for_nodes([&](std::size_t b) {
    print.variable(name("g", b), -kInfinity, kInfinity);
    Terms one;
    for (std::size_t c = 0; c < categories.size(); ++c) {
      print.binary(name("by", b, c), problem.alpha2);
      one[name("by", b, c)] = 1;
      for (std::size_t v = 0; v < categories[c]->levels.size(); ++v) {
        const std::string s = fmt::format("s_{}_{}_{}", b, c, v);
        print.binary(s);
        print.at_most("(8b)", {{s, 1}, {name("by", b, c), -1}}, 0);
      }
    }
    if (!categories.empty()) print.at_most("(8a)", one, 1);
    for (std::size_t j = 0; j < numeric; ++j) {
      print.variable(name("hp", b, j), 0, kInfinity, problem.alpha2);
      print.variable(name("hm", b, j), 0, kInfinity, problem.alpha2);
      Terms high = one, low = one;
      high[name("hp", b, j)] = low[name("hm", b, j)] = 1;
      high[name("hm", b, j)] = low[name("hp", b, j)] = -1;
      if (!categories.empty()) print.at_most("(8e)", high, 1);
      if (!categories.empty()) print.at_most("(8e)", low, 1);
    }
  });
  shape.for_leaves([&](std::size_t l) { print.variable(name("u", l), 1, classes, 0, true); });
  for (std::size_t i = 0; i < n; ++i) {
    const double y = data.labels[i] + 1;
    const std::string c = name("c", i), yhat = name("yhat", i);
    print.binary(c, 1);
    print.variable(yhat, 1, classes);  // (1b)
    print.at_most("(1b)", {{c, y - classes}, {yhat, 1}}, y);
    print.at_most("(1b)", {{yhat, -1}, {c, 1 - y}}, -y);
    Terms sum{{yhat, -1}}, one;
    shape.for_leaves([&](std::size_t l) {
      const std::string e = name("in", i, l), w = name("w", i, l), u = name("u", l);
      print.binary(e);
      print.variable(w, 0, classes);  // (1d), (1e)
      sum[w] = one[e] = 1;
      print.at_least("(1d)", {{w, 1}, {e, -1}}, 0);
      print.at_least("(1d)", {{u, 1}, {w, -1}, {e, 1}}, 1);
      print.at_most("(1e)", {{e, classes}, {u, 1}, {w, -1}}, classes);
      print.at_most("(1e)", {{w, 1}, {e, -classes}}, 0);
    });
    print.equal("(1c)", sum, 0);
    print.equal("(1k)", one, 1);
    shape.for_nodes([&](std::size_t b) {
      print.variable(name("pp", i, b), 0, 1);  // (1g), (1i)
      print.variable(name("pm", i, b), 0, 1);
      print.variable(name("m", i, b), 0, kInfinity, problem.slack_price[i]);
      Terms plane{{name("g", b), 1}, {name("pp", i, b), -1}, {name("pm", i, b), 1}};
      for (std::size_t j = 0; j < numeric; ++j) {
        plane[name("hp", b, j)] = -x[i][j];
        plane[name("hm", b, j)] = x[i][j];
      }
      print.equal("(1f)", plane, 0);
    });
    shape.for_leaves([&](std::size_t l) {
      Shape::for_ancestors(l, [&](std::size_t b, bool left) {
        const std::string e = name("in", i, l), away = name(left ? "pm" : "pp", i, b), here = name(left ? "pp" : "pm", i, b);
        print.at_most(left ? "(1i)" : "(1g)", {{away, 1}, {e, 1}}, 1);
        Terms room{{here, 1}, {name("m", i, b), 1}, {e, -problem.eps}}, set{{e, left ? -1.0 : 1.0}};
        for (std::size_t k = 0; k < categories.size(); ++k) {
          room[name("by", b, k)] = problem.eps;
          set[name("by", b, k)] = left ? -1 : 1;
          set[fmt::format("s_{}_{}_{}", b, k, categories[k]->codes[i])] = 1;
        }
        print.at_least(left ? "(1j)" : "(1h)", room, 0);
        if (categories.empty()) return;
        left ? print.at_least("(8c)", set, -1) : print.at_most("(8d)", set, 2);
      });
    });
  }
  return print;
}

svm1::Svm1Problem svm1_problem(const Dataset& data, int depth) {
  svm1::Svm1Problem problem{data, scaled_axes(data, Scaling::unit, false), std::vector<double>(data.rows(), 40.0)};
  problem.alpha2 = 0.1;
  problem.eps = 0.05;
  problem.max_depth = depth;
  return problem;
}

TEST(PaperModels, Svm1IsZ20sModel1) {
  const Dataset data = eight_rows();
  for (const int depth : {1, 2, 3}) {
    const svm1::Svm1Problem problem = svm1_problem(data, depth);
    const PrintedModel print = print_svm1(problem, scaled(data), {});
    const svm1::Svm1Formulation formulation(problem, formulate::strengthening_without("all"));
    print.expect_same(formulation.model());
    const int leaves = 1 << depth, nodes = leaves - 1;
    // (1b) 2, (1c) 1, (1k) 1 a row; (1d), (1e) 4 a row and leaf; (1f) 1 a row and node; (1g)-(1j) 2 a row, leaf and level.
    EXPECT_EQ(print.rows(), 8u * static_cast<unsigned>(4 + 4 * leaves + nodes + 2 * leaves * depth));
  }
}

TEST(PaperModels, Svm1WithCategoriesIsZ20sModel8) {
  Dataset data = eight_rows();
  const std::vector<std::vector<double>> x = scaled(data);
  data.columns.push_back(testing::categories("color", {"red", "blue", "green"}, {0, 1, 0, 2, 1, 0, 2, 0}));
  for (const int depth : {1, 2, 3}) {
    const svm1::Svm1Problem problem = svm1_problem(data, depth);
    const PrintedModel print = print_svm1(problem, x, {&data.columns.back()});
    const svm1::Svm1Formulation formulation(problem, formulate::strengthening_without("all"));
    print.expect_same(formulation.model());
    EXPECT_EQ(print.kinds().at("(8c)"), print.kinds().at("(1i)"));
  }
}

// Theorem 3 for a set of rows, at most one of each class, and a leaf.
void print_theorem_3(PrintedModel& print, const std::vector<std::size_t>& rows, std::size_t leaf) {
  Terms cut;
  for (const std::size_t i : rows) {
    cut[name("c", i)] = 1;
    cut[name("in", i, leaf)] = -1;
  }
  print.at_least("Theorem 3", cut, -1);
}

TEST(PaperModels, Svm1HasTheCutsOfZ20) {
  const Dataset data = eight_rows();  // classes of 3, 3 and 2 rows
  formulate::Strengthening cuts = formulate::strengthening_without("all");
  cuts.largest_class = cuts.smallest_class = cuts.surplus_classes = cuts.one_of_each = true;
  for (const int depth : {1, 2, 3}) {
    const svm1::Svm1Problem problem = svm1_problem(data, depth);
    const Shape shape{depth};
    const int leaves = 1 << depth;
    PrintedModel print = print_svm1(problem, scaled(data), {});
    Terms wrong;
    for (std::size_t i = 0; i < 8; ++i) wrong[name("c", i)] = 1;
    shape.for_leaves([&](std::size_t l) {
      Terms less = wrong, more = wrong;
      for (std::size_t i = 0; i < 8; ++i) {
        less[name("in", i, l)] = -1;
        more[name("in", i, l)] = 1;
      }
      print.at_least("Proposition 1.1", less, -3);
      if (3 >= leaves) print.at_least("Proposition 1.2", more, 2 * (3 - leaves + 1));  // says nothing of more leaves
    });
    if (3 > leaves) print.at_least("Proposition 1.3", wrong, 2);
    // The first and second rows of the classes, and the third of two of them.
    for (const std::vector<std::size_t>& rows : {std::vector<std::size_t>{0, 1, 2}, {3, 4, 5}, {6, 7}}) {
      shape.for_leaves([&](std::size_t l) { print_theorem_3(print, rows, l); });
    }
    print.expect_same(svm1::Svm1Formulation(problem, cuts).model());
  }
}

enum class Features { any, budget, soft_budget };

// DGMP23 sections 3 and 4. Our nodes begin with 0, as in the paper.
PrintedModel print_margot(const margot::MargotProblem& problem, Features features) {
  PrintedModel print;
  const std::size_t nodes = (std::size_t{1} << problem.depth) - 1, first_last = nodes / 2;
  // S''(t): the nodes of the last branching level below t.
  const std::function<std::vector<std::size_t>(std::size_t)> last_below = [&](std::size_t t) {
    if (t >= first_last) return std::vector<std::size_t>{t};
    std::vector<std::size_t> all = last_below(2 * t + 1);
    for (const std::size_t l : last_below(2 * t + 2)) all.push_back(l);
    return all;
  };
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    Terms one;
    for (const std::size_t l : last_below(0)) {
      print.binary(name("z", i, l));
      one[name("z", i, l)] = 1;
    }
    print.equal("(5)", one, 1);
  }
  for (std::size_t t = 0; t < nodes; ++t) {
    print.variable(name("b", t), -kInfinity, kInfinity);
    for (std::size_t j = 0; j < problem.points.axes; ++j) print.variable(name("w", t, j), -kInfinity, kInfinity);
    for (std::size_t i = 0; i < problem.rows(); ++i) {
      const double y = problem.target[i];
      print.variable(name("xi", t, i), 0, kInfinity, problem.level_cost[margot::MargotProblem::level_of(t)]);
      Terms h{{name("b", t), 1}}, margin{{name("b", t), y}, {name("xi", t, i), 1}};
      for (std::size_t j = 0; j < problem.points.axes; ++j) {
        h[name("w", t, j)] = problem.points.row(i)[j];
        margin[name("w", t, j)] = y * problem.points.row(i)[j];
      }
      for (const std::size_t l : last_below(t)) margin[name("z", i, l)] = -50;
      print.at_least("(7)", margin, 1 - 50);
      if (t >= first_last) continue;
      Terms right = h, left = h;
      for (const std::size_t l : last_below(2 * t + 2)) right[name("z", i, l)] = -100;
      for (const std::size_t l : last_below(2 * t + 1)) left[name("z", i, l)] = 100;
      print.at_least("(9)", right, -100);
      print.at_most("(10)", left, 100 - 0.001);
    }
    if (features == Features::any) continue;
    Terms count;
    for (std::size_t j = 0; j < problem.points.axes; ++j) {
      const std::string w = name("w", t, j), s = name("s", t, j);
      print.binary(s);
      count[s] = 1;
      print.at_most("w <= M_w s", {{w, 1}, {s, -50}}, 0);
      print.at_least("w >= -M_w s", {{w, 1}, {s, 50}}, 0);
    }
    if (features == Features::soft_budget) {
      print.variable(name("u", t), 0, kInfinity, 0.5);
      count[name("u", t)] = -1;
    }
    print.at_most("budget", count, 2);
  }
  return print;
}

TEST(PaperModels, MargotHfsAndSfsAreDgmp23s) {
  const std::size_t rows[] = {16, 48, 112}, rows_with_features[] = {23, 69, 161};
  for (const int depth : {1, 2, 3}) {
    margot::MargotProblem problem;
    problem.depth = depth;
    problem.points.axes = kFeatures;
    for (const std::vector<double>& row : scaled(eight_rows())) problem.points.x.insert(problem.points.x.end(), row.begin(), row.end());
    problem.target = {-1, 1, 1, -1, 1, 1, -1, 1};
    problem.weight.assign(8, 1);
    for (int level = 0; level < depth; ++level) problem.level_cost.push_back(1 + level);
    const PrintedModel plain = print_margot(problem, Features::any);
    const margot::MargotFormulation formulation(problem);
    plain.expect_same(formulation.model());
    EXPECT_EQ(plain.rows(), rows[depth - 1]);
    // |w|^2 / 2
    EXPECT_EQ(formulation.model().quadratic.size(), problem.nodes() * kFeatures);
    for (const auto& term : formulation.model().quadratic) {
      EXPECT_EQ(term.a, term.b);
      EXPECT_EQ(term.coefficient, 1);
    }
    for (const bool soft : {false, true}) {
      problem.level_price.assign(static_cast<std::size_t>(depth), {2, soft ? 0.5 : kInfinity});
      const PrintedModel sparse = print_margot(problem, soft ? Features::soft_budget : Features::budget);
      sparse.expect_same(margot::MargotFormulation(problem).model());
      EXPECT_EQ(sparse.rows(), rows_with_features[depth - 1]);
    }
  }
}

}  // namespace
}  // namespace treewright
