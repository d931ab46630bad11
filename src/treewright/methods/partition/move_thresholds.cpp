// Moves thresholds within intervals: Ales, Hure & Lambert 2024 (AHL24), Algorithms 5 (EnumInterval) and 6 (PostProcess).
//
// A tree that is optimal for the representatives stays optimal wherever its thresholds lie between them. Some of these places are better
// for the rows. From the root down, at each threshold:
//
//   L, R    correctly classified representatives that go left, right: the threshold stays between them
//   S       values of the rows that reach the node, between the last of L and the first of R
//   for each gap between neighbors of S: count the errors for a threshold in it; take the middle of the best gap
//
// Differences. For a gap the paper counts the rows that do not follow a correctly classified representative, plus those that follow a
// misclassified one. This does not bound the errors below the node (a row that leaves its representative may be classified correctly
// elsewhere). So Proposition 4, that the tree makes no more errors than before, would not hold. Here the errors below are counted exactly
// for each gap. The paper's count comes second and the width of the gap third, and the old threshold is kept unless a gap is better. So the
// proposition holds by construction. (The printed Algorithm 5 compares with b2* - b1* and returns (b1 + b2) / 2; we read both as the best
// pair so far.)
//
// Cost: for each node, its rows times its depth, and a sort.

#include "treewright/methods/partition/move_thresholds.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "treewright/data/midpoint.h"

namespace treewright::partition {

namespace {

class Mover {
 public:
  Mover(const Tree& tree, const Dataset& data, const std::vector<std::int32_t>& cluster, const Dataset& representatives)
      : before_(tree), nodes_(tree.nodes()), data_(data), cluster_(cluster), representatives_(representatives), side_(nodes_.size()) {
    for (std::size_t g = 0; g < representatives.rows(); ++g) {
      std::int32_t at = 0;
      std::vector<std::pair<std::int32_t, bool>> path;
      while (!nodes_[at].is_leaf()) {
        const bool left = goes_left(*nodes_[at].split, representatives, g);
        path.emplace_back(at, left);
        at = +(left ? nodes_[at].left : nodes_[at].right);
      }
      right_.push_back(nodes_[at].label == representatives.labels[g]);
      for (const auto& [node, left] : path) {
        side_[node].resize(representatives.rows(), kElsewhere);
        side_[node][g] = left ? kLeft : kRight;
      }
    }
  }

  Tree run() {
    std::vector<std::vector<std::int32_t>> rows(nodes_.size());
    for (std::size_t row = 0; row < data_.rows(); ++row) rows[0].push_back(static_cast<std::int32_t>(row));
    // Children come after their parent.
    for (std::size_t t = 0; t < nodes_.size(); ++t) {
      Node& node = nodes_[t];
      if (node.is_leaf()) continue;
      if (AxisSplit* axis = node.split->axis()) axis->threshold = best_threshold(t, *axis, rows[t]);
      for (const std::int32_t row : rows[t]) rows[+(goes_left(*node.split, data_, row) ? node.left : node.right)].push_back(row);
    }
    return before_.with_nodes(nodes_);
  }

 private:
  enum Side : char { kElsewhere, kLeft, kRight };
  struct Arrival {
    double x;
    double lost_left, lost_right;      // weight misclassified below, on either side
    double strays_left, strays_right;  // the paper's count
  };
  struct Loss {
    double lost = 0, strays = 0, width = 0;
    bool better_than(const Loss& other) const {
      constexpr double kRounding = 1e-9;
      if (std::abs(lost - other.lost) > kRounding * std::max(1.0, other.lost)) return lost < other.lost;
      return std::tuple(strays, -width) < std::tuple(other.strays, -other.width);
    }
  };

  bool is_lost(NodeId from, std::int32_t row) const {
    const Node* node = &nodes_[+from];
    while (!node->is_leaf()) node = &nodes_[+(goes_left(*node->split, data_, row) ? node->left : node->right)];
    return node->label != data_.labels[row];
  }

  double best_threshold(std::size_t t, const AxisSplit& split, const std::vector<std::int32_t>& rows) const {
    const Node& node = nodes_[t];
    const std::vector<Side>& side = side_[t];
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t g = 0; g < side.size(); ++g) {
      const double x = representatives_.columns[+split.feature].values[g];
      if (side[g] == kElsewhere || !right_[g] || std::isnan(x)) continue;
      side[g] == kLeft ? low = std::max(low, x) : high = std::min(high, x);
    }
    std::vector<Arrival> arrivals;
    Loss best;
    for (const std::int32_t row : rows) {
      const double x = data_.columns[+split.feature].values[row], weight = data_.weight(row);
      if (std::isnan(x)) continue;
      const std::int32_t g = cluster_[row];
      const bool told = !side.empty() && side[g] != kElsewhere, to_left = told && (side[g] == kLeft) == right_[g];
      arrivals.push_back({x, is_lost(node.left, row) ? weight : 0, is_lost(node.right, row) ? weight : 0, told && !to_left ? 1.0 : 0.0,
                          told && to_left ? 1.0 : 0.0});
      best.lost += x < split.threshold ? arrivals.back().lost_left : arrivals.back().lost_right;
      best.strays += x < split.threshold ? arrivals.back().strays_left : arrivals.back().strays_right;
    }
    std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.x < b.x; });
    Loss here;
    for (const Arrival& arrival : arrivals) here.lost += arrival.lost_right, here.strays += arrival.strays_right;
    double threshold = split.threshold;
    for (std::size_t i = 0; i + 1 < arrivals.size(); ++i) {
      here.lost += arrivals[i].lost_left - arrivals[i].lost_right;
      here.strays += arrivals[i].strays_left - arrivals[i].strays_right;
      // The gap, restricted to the range that the representatives allow.
      const double from = std::max(arrivals[i].x, low), to = std::min(arrivals[i + 1].x, high);
      if (!(from < to)) continue;
      here.width = to - from;
      if (!here.better_than(best)) continue;
      best = here;
      threshold = midpoint(from, to);
    }
    return threshold;
  }

  const Tree& before_;
  std::vector<Node> nodes_;
  const Dataset& data_;
  const std::vector<std::int32_t>& cluster_;
  const Dataset& representatives_;
  std::vector<bool> right_;              // for each representative, whether it is classified correctly
  std::vector<std::vector<Side>> side_;  // side of each representative at each split of the original tree; empty if none reaches it
};

}  // namespace

Tree move_thresholds(const Tree& tree, const Dataset& data, const std::vector<std::int32_t>& cluster_of_row,
                     const Dataset& representatives) {
  return Mover(tree, data, cluster_of_row, representatives).run();
}

}  // namespace treewright::partition
