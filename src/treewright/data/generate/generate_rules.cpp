// Data sets that consist of a rule applied to all cases, so they can be generated completely:
//
// balance-scale (Siegler 1976; UCI): weights and distances 1..5 on both arms, 625 cases; the scale tips to
// the larger product. tic-tac-toe (Aha; UCI): the 958 boards on which a game that x begins can end; positive
// = x has three in a row. monks-1, -2, -3 (Thrun et al. 1991): 432 robots with six nominal attributes; class
// 1 is
//   1: a1 = a2, or a5 = 1
//   2: exactly two of the six attributes have their first value
//   3: a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3
// Column and class names are those of the UCI files. The monks attributes are nominal (categorical here)
// though coded 1, 2, ...; UCI's training sets are samples of these rows, the third with 6 of 122 labels
// flipped.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "treewright/base/random.h"
#include "treewright/data/generate/generators.h"

namespace treewright {

Dataset generate_balance_scale() {
  Dataset data;
  for (const char* name : {"left_weight", "left_distance", "right_weight", "right_distance"}) {
    data.columns.emplace_back().name = name;
  }
  data.class_names = {"B", "L", "R"};
  for (int code = 0; code < 625; ++code) {
    const std::array<int, 4> x = {code / 125 + 1, code / 25 % 5 + 1, code / 5 % 5 + 1, code % 5 + 1};
    for (std::size_t j = 0; j < x.size(); ++j) data.columns[j].values.push_back(x[j]);
    const int left = x[0] * x[1], right = x[2] * x[3];
    data.labels.push_back(left == right ? 0 : left > right ? 1 : 2);
  }
  return data;
}

namespace {

constexpr int kBlank = 0, kO = 1, kX = 2;  // codes of the sorted levels b, o, x

bool three_in_a_row(const std::array<int, 9>& board, int player) {
  static constexpr int kLines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
  for (const auto& line : kLines) {
    if (board[line[0]] == player && board[line[1]] == player && board[line[2]] == player) return true;
  }
  return false;
}

/// Whether a game can end here: who won moved last and nobody won before, or the board is full.
bool is_final(const std::array<int, 9>& board) {
  int ahead = 0, blanks = 0;
  for (const int field : board) ahead += (field == kX) - (field == kO), blanks += field == kBlank;
  const bool x_wins = three_in_a_row(board, kX), o_wins = three_in_a_row(board, kO);
  if (x_wins) return ahead == 1 && !o_wins;
  if (o_wins) return ahead == 0;
  return blanks == 0 && ahead == 1;
}

}  // namespace

Dataset generate_tic_tac_toe() {
  Dataset data;
  for (const char* row : {"top", "middle", "bottom"}) {
    for (const char* column : {"left", "middle", "right"}) {
      Column& field = data.columns.emplace_back();
      field.name = std::string(row) + "_" + column;
      field.kind = ColumnKind::categorical;
      field.levels = {"b", "o", "x"};
    }
  }
  data.class_names = {"negative", "positive"};
  for (int code = 0; code < 19683; ++code) {  // 3^9
    std::array<int, 9> board;
    int rest = code;
    for (int& field : board) field = rest % 3, rest /= 3;
    if (!is_final(board)) continue;
    for (std::size_t j = 0; j < board.size(); ++j) data.columns[j].codes.push_back(board[j]);
    data.labels.push_back(three_in_a_row(board, kX));
  }
  return data;
}

namespace {

bool monks_rule(int problem, const std::array<int, 6>& a) {
  if (problem == 1) return a[0] == a[1] || a[4] == 1;
  if (problem == 2) return std::count(a.begin(), a.end(), 1) == 2;
  return (a[4] == 3 && a[3] == 1) || (a[4] != 4 && a[1] != 3);
}

}  // namespace

Dataset generate_monks(int problem, const GenerateOptions& options) {
  constexpr std::array<int, 6> kLevels = {3, 3, 2, 3, 4, 2};
  constexpr int kRows = 432;
  Dataset data;
  for (std::size_t j = 0; j < kLevels.size(); ++j) {
    Column& column = data.columns.emplace_back();
    column.name = fmt::format("a{}", j + 1);
    column.kind = ColumnKind::categorical;
    for (int level = 1; level <= kLevels[j]; ++level) column.levels.push_back(std::to_string(level));
  }
  data.class_names = {"0", "1"};
  for (int code = 0; code < kRows; ++code) {
    std::array<int, 6> a;
    int rest = code;
    for (std::size_t j = a.size(); j-- > 0;) a[j] = rest % kLevels[j] + 1, rest /= kLevels[j];
    for (std::size_t j = 0; j < a.size(); ++j) data.columns[j].codes.push_back(a[j] - 1);
    data.labels.push_back(monks_rule(problem, a));
  }
  std::vector<int> order(kRows);
  std::iota(order.begin(), order.end(), 0);
  Random random(options.seed);
  random.shuffle(order);
  const auto flipped = static_cast<std::size_t>(std::llround(options.label_noise * kRows));
  for (std::size_t i = 0; i < flipped; ++i) data.labels[order[i]] ^= 1;
  return data;
}

}  // namespace treewright
