// BinOCT: the threshold of a split as a binary number (Verwer & Zhang 2019, AAAI). V23 and Z20 compare OCT with it.
//
// From the paper: every inner node of the complete tree splits. f_jt chooses its feature. The position q of its threshold among the
// feature's values has ceil(log2) binary digits, so the number of binary variables hardly depends on the rows. Groups of rows are tied to
// the digits, with one big-M constraint for each feature, node and block of the binary search. z may be real. The errors of a leaf are
// counted for each class, loss_kt >= (rows of class k in t) - n_k p_kt.
//
// Differences. Rows are cells (equal rows are merged) and features are orderings, so categories and missing values need nothing else.
// Thresholds may lie between any two neighboring values, not only where the class changes. M is the number of cells in the group.
//
// A row of rank r goes left iff r <= q. Digits are read from the most significant one. When a prefix has narrowed q to [lo, hi), with
// middle mid, digit 0 means q < mid, so ranks mid..hi-1 go right. Digit 1 means q >= mid, so ranks lo+1..mid go left:
//
//   sum of z left of t over ranks mid..hi-1   <= M (1 - f_jt) + M (digits of the prefix that differ) + M bit
//   sum of z right of t over ranks lo+1..mid  <= M (1 - f_jt) + M (digits of the prefix that differ) + M (1 - bit)
//
// Ranks that no earlier block decides are decided by a later one. Rank 0 is always left, and ranks of 2^bits or more are always right. The
// model has no price of a split and no N_min. It still contains trees with fewer splits: below a leaf any splits lead to equal labels, and
// decoding removes them.

#include "treewright/methods/binoct/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/stop_point.h"

namespace treewright::binoct {

BinoctFormulation::BinoctFormulation(const Dataset& data, const formulate::FormulationOptions& options)
    : cells_(formulate::Cells::from(data, options.rules.merge_rows)), shape_{options.max_depth} {
  expect_size(size(), options.max_depth, static_cast<double>(cells_.size()));
  model_.name = "binoct";
  model_.offset = cells_.base_errors;
  if (options.rules.objective_step) model_.step = formulate::objective_step(data, 0, 0);
  add_leaves();
  add_splits();
}

mip::ModelSize BinoctFormulation::size() const {
  const auto classes = static_cast<double>(cells_.classes.size()), features = static_cast<double>(cells_.orderings().size());
  const double leaves = std::ldexp(1.0, shape_.depth), in_leaves = static_cast<double>(cells_.size()) * leaves;
  mip::ModelSize size{in_leaves + 2 * leaves * classes + leaves * features, static_cast<double>(cells_.size()) + leaves * (classes + 2),
                      in_leaves * (classes + 1) + leaves * (3 * classes + features)};
  int most = 0;
  for (std::size_t j = 0; j < cells_.orderings().size(); ++j) {
    const int bits = bits_of(j);
    most = std::max(most, bits);
    // A cell is in one block of either side for each bit, and in the first or last one; a block names its prefix.
    const double blocks = leaves * (std::ldexp(2.0, bits) + 2);
    size = size + mip::ModelSize{0, blocks, in_leaves * shape_.depth / 2 * (bits + 1) + blocks * (bits + 2)};
  }
  size.variables += leaves * most;
  return size;
}

int BinoctFormulation::bits_of(std::size_t j) const {
  int bits = 0;
  while ((1u << bits) < cells_.orderings()[j].ranks - 1) ++bits;
  return bits;
}

BinoctFormulation::Terms BinoctFormulation::below(int t, std::size_t cell) const {
  Terms terms;
  for (int leaf = shape_.first_leaf(t); leaf < shape_.last_leaf(t); ++leaf) terms.push_back({z_[cell][leaf], 1});
  return terms;
}

void BinoctFormulation::add_leaves() {
  z_.assign(cells_.size(), std::vector<int>(shape_.leaf_end()));
  p_.resize(shape_.leaf_end());
  loss_.resize(shape_.leaf_end());
  for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) {
    for (std::size_t i = 0; i < cells_.size(); ++i) z_[i][t] = model_.add(fmt::format("z_{}_{}", i, t), 0, 1);
    Terms one;
    for (const std::int32_t k : cells_.classes) {
      p_[t].push_back(model_.add_binary(fmt::format("p_{}_{}", k, t)));
      loss_[t].push_back(model_.add(fmt::format("loss_{}_{}", k, t), 0, cells_.totals[k], 1));
      one.push_back({p_[t].back(), 1});
      Terms rows{{p_[t].back(), -cells_.totals[k]}, {loss_[t].back(), -1}};
      for (std::size_t i = 0; i < cells_.size(); ++i) rows.push_back({z_[i][t], cells_.cells[i].class_weight[k]});
      model_.at_most(fmt::format("errors_{}_{}", k, t), std::move(rows), 0);
    }
    if (!one.empty()) model_.equal(fmt::format("one_label_{}", t), std::move(one), 1);
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) model_.equal(fmt::format("one_leaf_{}", i), below(1, i), 1);
}

void BinoctFormulation::add_splits() {
  const std::size_t features = cells_.orderings().size();
  int most = 0;
  for (std::size_t j = 0; j < features; ++j) most = std::max(most, bits_of(j));
  f_.resize(shape_.inner_end());
  bit_.resize(shape_.inner_end());
  for (int t = 1; t < shape_.inner_end(); ++t) {
    Terms one;
    for (std::size_t j = 0; j < features; ++j) {
      f_[t].push_back(model_.add_binary(fmt::format("f_{}_{}", j, t)));
      one.push_back({f_[t][j], 1});
    }
    model_.equal(fmt::format("one_feature_{}", t), std::move(one), 1);
    for (int b = 0; b < most; ++b) bit_[t].push_back(model_.add_binary(fmt::format("bit_{}_{}", b, t)));

    for (std::size_t j = 0; j < features; ++j) {
      // Ranks from..to go to `side` where f_jt = 1, the first `length` bits are those of `prefix`, and the next one is `next` (if any).
      const auto block = [&](const std::string& name, int side, std::uint32_t from, std::uint32_t to, std::uint32_t prefix, int length,
                             int next) {
        Terms terms;
        double m = 0;
        stop_point();
        for (std::size_t i = 0; i < cells_.size(); ++i) {
          if (cells_.cells[i].rank[j] < from || cells_.cells[i].rank[j] > to) continue;
          ++m;
          for (const mip::MipModel::Term& z : below(side == 2 * t ? 2 * t + 1 : 2 * t, i)) terms.push_back(z);
        }
        if (m == 0) return;
        double right = m;
        terms.push_back({f_[t][j], m});
        const auto bit_is = [&](int b, bool value) {
          terms.push_back({bit_[t][b], value ? m : -m});
          if (value) right += m;
        };
        for (int b = 0; b < length; ++b) bit_is(b, prefix >> (length - 1 - b) & 1);
        if (next >= 0) bit_is(length, next == 1);
        model_.at_most(fmt::format("{}_{}_{}", name, j, t), std::move(terms), right);
      };
      const int bits = bits_of(j);
      const std::uint32_t last = cells_.orderings()[j].ranks - 1;
      block("first", 2 * t, 0, 0, 0, 0, -1);
      if (last >= 1u << bits) block("last", 2 * t + 1, 1u << bits, last, 0, 0, -1);
      for (int length = 0; length < bits; ++length) {
        for (std::uint32_t prefix = 0; prefix < 1u << length; ++prefix) {
          const std::uint32_t low = prefix << (bits - length), high = low + (1u << (bits - length)), middle = (low + high) / 2;
          block(fmt::format("zero_{}_{}", length, prefix), 2 * t + 1, middle, high - 1, prefix, length, 0);
          block(fmt::format("one_{}_{}", length, prefix), 2 * t, low + 1, middle, prefix, length, 1);
        }
      }
    }
  }
}

std::optional<std::vector<double>> BinoctFormulation::encode(const Tree& tree) const {
  const std::optional<formulate::Placement> place = formulate::Placement::of(tree, cells_, shape_);
  if (!place || cells_.orderings().empty()) return {};
  std::vector<double> values(model_.variables.size(), 0.0);
  std::vector<int> label(shape_.leaf_end(), -1);
  for (int t = 1; t < shape_.inner_end(); ++t) {
    const auto& [ordering, low, high] = place->cut[t];
    const std::size_t j = ordering < 0 ? 0 : static_cast<std::size_t>(ordering);
    values[f_[t][j]] = 1;
    const int bits = bits_of(j);
    for (int b = 0; b < bits && ordering >= 0; ++b) values[bit_[t][b]] = low >> (bits - 1 - b) & 1;
    if (ordering >= 0) continue;
    // Below a leaf all labels are equal, so any split is correct; this one is "rank 0 against the rest".
    for (int leaf = shape_.first_leaf(t); leaf < shape_.last_leaf(t); ++leaf)
      label[leaf] = std::max(label[leaf], place->label[shape_.last_leaf(t) - 1]);
  }
  const auto index = [&](int t) {
    const std::int32_t k = label[t] >= 0 ? label[t] : place->label[t];
    const auto named = std::find(cells_.classes.begin(), cells_.classes.end(), k);
    return named == cells_.classes.end() ? std::size_t{0} : static_cast<std::size_t>(named - cells_.classes.begin());
  };
  for (int t = shape_.inner_end(); t < shape_.leaf_end() && !cells_.classes.empty(); ++t) values[p_[t][index(t)]] = 1;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    int t = 1;
    while (t < shape_.inner_end()) {
      const auto& [ordering, low, high] = place->cut[t];
      t = 2 * t + (cells_.cells[i].rank[std::max(0, ordering)] > (ordering < 0 ? 0 : low));
    }
    values[z_[i][t]] = 1;
    for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
      if (c != index(t)) values[loss_[t][c]] += cells_.cells[i].class_weight[cells_.classes[c]];
    }
  }
  return values;
}

Tree BinoctFormulation::decode(std::span<const double> values) const {
  formulate::Placement place;
  place.cut.resize(shape_.inner_end());
  for (int t = 1; t < shape_.inner_end(); ++t) {
    for (std::size_t j = 0; j < f_[t].size(); ++j) {
      if (values[f_[t][j]] > 0.5) place.cut[t].ordering = static_cast<int>(j);
    }
    for (int b = 0; place.cut[t].ordering >= 0 && b < bits_of(place.cut[t].ordering); ++b) {
      place.cut[t].low = 2 * place.cut[t].low + (values[bit_[t][b]] > 0.5);
    }
  }
  for (const formulate::RowCell& cell : cells_.cells) {
    int t = 1;
    while (t < shape_.inner_end()) t = 2 * t + (place.cut[t].ordering < 0 || cell.rank[place.cut[t].ordering] > place.cut[t].low);
    place.leaf.push_back(t);
  }
  return place.to_tree(cells_, shape_, 0);
}

}  // namespace treewright::binoct
