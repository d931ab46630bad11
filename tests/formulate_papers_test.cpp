// The models of BD17, V23 and AHL24 without strengthenings, row by row (those of Z20 and DGMP23 are in methods_papers_test.cpp). Each test
// writes the programme from the paper's formulas, with the numbers of its constraints, and compares it with the model: all rows with their
// coefficients, costs, bounds and integrality, at depth 1, 2 and 3.
//
// The programmes differ from print as docs/mip.md says: sums that define N_t and N_kt are inserted, the objective is in units of errors,
// and bounds that other constraints imply are written with the variables (b_t <= 1 by b_t <= d_t, for example).

#include <gtest/gtest.h>

#include <algorithm>

#include "support/printed_model.h"
#include "treewright/base/deadline.h"
#include "treewright/formulate/oct.h"
#include "treewright/methods/oct_mip/oct_h.h"
#include "treewright/methods/partition/dp_prime.h"

namespace treewright {
namespace {

using testing::eight_rows;
using testing::name;
using testing::PrintedModel;
using testing::scaled;
using testing::Shape;
using Terms = PrintedModel::Terms;

constexpr double kInfinity = mip::MipModel::kInfinity;
constexpr double kPrice = 0.25;
constexpr std::size_t kFeatures = 3, kClasses = 3;

// eps_j of BD17, mu_j of AHL24: the smallest gap between two values.
std::vector<double> smallest_gaps(const std::vector<std::vector<double>>& x) {
  std::vector<double> gaps;
  for (std::size_t j = 0; j < x[0].size(); ++j) {
    double least = 1;
    for (const auto& a : x) {
      for (const auto& b : x) least = b[j] > a[j] ? std::min(least, b[j] - a[j]) : least;
    }
    gaps.push_back(least);
  }
  return gaps;
}

formulate::FormulationOptions options_of(int depth) {
  formulate::FormulationOptions options;
  options.max_depth = depth;
  options.price = kPrice;
  options.rules = formulate::strengthening_without("all");
  return options;
}

// BD17 (5)-(8), (18), which the models of BD17 and AHL24 share. `rows`: of the data, or clusters.
void print_leaves(PrintedModel& print, const Shape& shape, std::size_t rows, double min_rows, double split_price) {
  shape.for_nodes([&](std::size_t t) {
    print.binary(name("d", t), split_price);
    if (t > 1) print.at_most("d <= d_parent", {{name("d", t), 1}, {name("d", t / 2), -1}}, 0);
  });
  shape.for_leaves([&](std::size_t l) {
    print.binary(name("l", l));
    Terms label{{name("l", l), -1}}, count{{name("l", l), -min_rows}};
    for (std::size_t k = 0; k < kClasses; ++k) {
      print.binary(name("c", k, l));
      label[name("c", k, l)] = 1;
    }
    print.equal("one label", label, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      print.binary(name("z", i, l));
      print.at_most("z <= l", {{name("z", i, l), 1}, {name("l", l), -1}}, 0);
      count[name("z", i, l)] = 1;
    }
    print.at_least("N_min", count, 0);
  });
  for (std::size_t i = 0; i < rows; ++i) {
    Terms one;
    shape.for_leaves([&](std::size_t l) { one[name("z", i, l)] = 1; });
    print.equal("one leaf", one, 1);
  }
}

// BD17 (2), (3).
void print_axis_splits(PrintedModel& print, const Shape& shape) {
  shape.for_nodes([&](std::size_t t) {
    Terms one{{name("d", t), -1}};
    for (std::size_t j = 0; j < kFeatures; ++j) {
      print.binary(name("a", j, t));
      one[name("a", j, t)] = 1;
    }
    print.equal("one feature", one, 0);
    print.variable(name("b", t), 0, 1);
    print.at_most("b <= d", {{name("b", t), 1}, {name("d", t), -1}}, 0);
  });
}

// V23's form of BD17 (13), and (14); AHL24 (10), (11). `cell`: whose leaf the row is in. `only_if_one`: AHL24 (24), (25), or "".
void print_axis_path(PrintedModel& print, const Shape& shape, const std::vector<double>& x, const std::vector<double>& eps,
                     std::size_t cell, const std::string& only_if_one = "") {
  const double least = *std::min_element(eps.begin(), eps.end()), most = *std::max_element(eps.begin(), eps.end());
  const double spare = only_if_one.empty() ? 1 : 2;
  shape.for_leaves([&](std::size_t l) {
    Shape::for_ancestors(l, [&](std::size_t t, bool left) {
      Terms terms{{name("b", t), -1}};
      const double big = left ? 1 + most : -1;
      for (std::size_t j = 0; j < kFeatures; ++j) terms[name("a", j, t)] = left ? x[j] + eps[j] - least : x[j];
      terms[name("z", cell, l)] = big;
      if (!only_if_one.empty()) terms[only_if_one] = big;
      left ? print.at_most("left", terms, spare * big - least) : print.at_least("right", terms, spare * big);
    });
  });
}

// BD17 (20), (22), and V23's form of (21), with N_t and N_kt inserted.
void print_leaf_losses(PrintedModel& print, const Shape& shape, const Dataset& data) {
  const auto n = static_cast<double>(data.rows());
  shape.for_leaves([&](std::size_t l) {
    print.variable(name("L", l), 0, kInfinity, 1);
    for (std::size_t k = 0; k < kClasses; ++k) {
      Terms others{{name("L", l), -1}};
      for (std::size_t i = 0; i < data.rows(); ++i) {
        if (data.labels[i] != static_cast<std::int32_t>(k)) others[name("z", i, l)] = 1;
      }
      print.at_least("(21)", others, 0);
      others[name("c", k, l)] = n;
      print.at_most("(20)", others, n);
    }
  });
}

TEST(PaperModels, OctIsV23sModel9) {
  const Dataset data = eight_rows();
  const std::vector<std::vector<double>> x = scaled(data);
  const std::size_t rows[] = {58, 144, 348};
  for (const int depth : {1, 2, 3}) {
    const Shape shape{depth};
    PrintedModel print;
    print_leaves(print, shape, data.rows(), 2, kPrice);
    print_axis_splits(print, shape);
    for (std::size_t i = 0; i < data.rows(); ++i) print_axis_path(print, shape, x[i], smallest_gaps(x), i);
    print_leaf_losses(print, shape, data);
    formulate::FormulationOptions options = options_of(depth);
    options.min_rows = 2;
    Deadline none;
    const formulate::OctFormulation formulation(data, options, formulate::OctFormulation::Losses::oct, none);
    print.expect_same(formulation.model());
    EXPECT_EQ(print.rows(), rows[depth - 1]);
    EXPECT_EQ(print.kinds().at("left") + print.kinds().at("right"), 8 * (1 << depth) * depth);
  }
}

TEST(PaperModels, OctHIsBd17sModel28) {
  const Dataset data = eight_rows();
  const std::vector<std::vector<double>> x = scaled(data);
  constexpr double kMu = 0.005;
  const std::size_t rows[] = {75, 195, 467};
  for (const int depth : {1, 2, 3}) {
    const Shape shape{depth};
    PrintedModel print;
    print_leaves(print, shape, data.rows(), 1, 0);
    shape.for_nodes([&](std::size_t t) {
      print.variable(name("b", t), -1, 1);
      print.at_most("b <= d", {{name("b", t), 1}, {name("d", t), -1}}, 0);
      print.at_least("b >= -d", {{name("b", t), 1}, {name("d", t), 1}}, 0);
      Terms length{{name("d", t), -1}}, used{{name("d", t), -1}};
      for (std::size_t j = 0; j < kFeatures; ++j) {
        const std::string a = name("a", j, t), size = name("size", j, t), s = name("s", j, t);
        print.variable(a, -1, 1);
        print.variable(size, 0, 1);
        print.binary(s, kPrice);
        length[size] = used[s] = 1;
        print.at_least("|a| >= a", {{size, 1}, {a, -1}}, 0);
        print.at_least("|a| >= -a", {{size, 1}, {a, 1}}, 0);
        print.at_most("a <= s", {{a, 1}, {s, -1}}, 0);
        print.at_least("a >= -s", {{a, 1}, {s, 1}}, 0);
        print.at_most("s <= d", {{s, 1}, {name("d", t), -1}}, 0);
      }
      print.at_most("sum |a| <= d", length, 0);
      print.at_least("sum s >= d", used, 0);
    });
    for (std::size_t i = 0; i < data.rows(); ++i) {
      shape.for_leaves([&](std::size_t l) {
        Shape::for_ancestors(l, [&](std::size_t t, bool left) {
          const double big = left ? 2 + kMu : -2;
          Terms terms{{name("b", t), -1}, {name("z", i, l), big}};
          for (std::size_t j = 0; j < kFeatures; ++j) terms[name("a", j, t)] = x[i][j];
          left ? print.at_most("left", terms, big - kMu) : print.at_least("right", terms, big);
        });
      });
    }
    print_leaf_losses(print, shape, data);
    const oct_mip::OctHFormulation formulation(data, options_of(depth), kMu);
    print.expect_same(formulation.model());
    EXPECT_EQ(print.rows(), rows[depth - 1]);
  }
}

// AHL24 (1)-(8), (12), (13) and, with the weights of clusters, (16)-(18), (21)-(23).
void print_p(PrintedModel& print, const Shape& shape, const Dataset& data, double gamma) {
  print_leaves(print, shape, data.rows(), 1, kPrice);
  print_axis_splits(print, shape);
  Terms splits;
  shape.for_nodes([&](std::size_t t) { splits[name("d", t)] = 1; });
  print.at_most("(4)", splits, gamma);
  shape.for_leaves([&](std::size_t l) {
    Shape::for_ancestors(l, [&](std::size_t t, bool left) {
      if (left) print.at_most("(8)", {{name("l", l), 1}, {name("d", t), -1}}, 0);
    });
    for (std::size_t i = 0; i < data.rows(); ++i) {
      for (std::size_t k = 0; k < kClasses; ++k) {
        const std::string theta = fmt::format("theta_{}_{}_{}", i, k, l);
        print.variable(theta, 0, kInfinity, data.labels[i] == static_cast<std::int32_t>(k) ? 0 : data.weight(i));
        print.at_least("(12)", {{theta, 1}, {name("c", k, l), -1}, {name("z", i, l), -1}}, -1);
      }
    }
  });
}

// Rows of (P), (DP) and, with a row more for each cluster, (DP'): of `rows` rows or clusters, and `paths` rows on paths.
std::size_t rows_of_p(std::size_t rows, std::size_t paths, std::size_t depth) {
  const std::size_t leaves = std::size_t{1} << depth, nodes = leaves - 1;
  const std::size_t splits = 3 * nodes - 1 + 1;         // d <= d_parent, one feature, b <= d; at most C splits
  const std::size_t leaf_rows = 2 * leaves;             // one label, N_min
  const std::size_t row_leaves = rows * (leaves + 1);   // z <= l, one leaf
  const std::size_t losses = rows * kClasses * leaves;  // (12)
  const std::size_t below_splits = depth * leaves / 2;  // (8)
  return splits + leaf_rows + row_leaves + losses + below_splits + paths * leaves * depth;
}

TEST(PaperModels, PIsAhl24s) {
  const Dataset data = eight_rows();
  const std::vector<std::vector<double>> x = scaled(data);
  for (const int depth : {1, 2, 3}) {
    const Shape shape{depth};
    PrintedModel print;
    print_p(print, shape, data, 9);
    for (std::size_t i = 0; i < data.rows(); ++i) print_axis_path(print, shape, x[i], smallest_gaps(x), i);
    formulate::FormulationOptions options = options_of(depth);
    options.max_splits = 9;
    Deadline none;
    const formulate::OctFormulation formulation(data, options, formulate::OctFormulation::Losses::p, none);
    print.expect_same(formulation.model());
    EXPECT_EQ(print.kinds().at("(12)"), 8 * 3 * (1 << depth));
    EXPECT_EQ(print.kinds().at("(8)"), depth << (depth - 1));
    EXPECT_EQ(print.rows(), rows_of_p(8, 8, static_cast<std::size_t>(depth)));
  }
}

// The eight rows in five clusters, and a row for each.
const std::vector<std::vector<std::int32_t>> kClusters = {{0, 3}, {1, 4, 7}, {2}, {5}, {6}};

Dataset five_representatives() {
  Dataset data = eight_rows().subset(std::vector<std::int32_t>{0, 4, 2, 5, 6});
  data.weights = {2, 3, 1, 1, 1};
  return data;
}

TEST(PaperModels, DpIsAhl24s) {
  const Dataset data = five_representatives();
  const std::vector<std::vector<double>> x = scaled(data);
  for (const int depth : {1, 2, 3}) {
    const Shape shape{depth};
    PrintedModel print;
    print_p(print, shape, data, 2);
    for (std::size_t g = 0; g < data.rows(); ++g) print_axis_path(print, shape, x[g], smallest_gaps(x), g);
    formulate::FormulationOptions options = options_of(depth);
    options.max_splits = 2;
    Deadline none;
    const formulate::OctFormulation formulation(data, options, formulate::OctFormulation::Losses::p, none);
    print.expect_same(formulation.model());
    EXPECT_EQ(print.rows(), rows_of_p(5, 5, static_cast<std::size_t>(depth)));
  }
}

TEST(PaperModels, DpPrimeIsAhl24s) {
  const Dataset data = eight_rows(), representatives = five_representatives();
  const std::vector<std::vector<double>> x = scaled(data);
  for (const int depth : {1, 2, 3}) {
    const Shape shape{depth};
    PrintedModel print;
    print_p(print, shape, representatives, 2);
    for (std::size_t g = 0; g < kClusters.size(); ++g) {
      Terms one;
      for (const std::int32_t i : kClusters[g]) {
        const std::string r = name("r", static_cast<std::size_t>(i));
        print.binary(r);
        one[r] = 1;
        print_axis_path(print, shape, x[static_cast<std::size_t>(i)], smallest_gaps(x), g, r);
      }
      print.equal("(26)", one, 1);
    }
    formulate::FormulationOptions options = options_of(depth);
    options.max_splits = 2;
    const partition::DpPrimeFormulation formulation(data, kClusters, representatives, options);
    print.expect_same(formulation.model());
    EXPECT_EQ(print.rows(), 5 + rows_of_p(5, 8, static_cast<std::size_t>(depth)));  // (26)
    EXPECT_EQ(print.kinds().at("left") + print.kinds().at("right"), 8 * (1 << depth) * depth);
  }
}

}  // namespace
}  // namespace treewright
