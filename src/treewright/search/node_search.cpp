// One node of the exact search: the cheapest tree on the rows S that costs less than a budget.
//
// For every ordering f (problem.h) and every cut t of it the two parts are sub-problems of depth - 1; the interval bounds (intervals.h) let
// one solved cut speak for its neighborhood, so only a few cuts of each ordering are solved, each chosen in the middle of what is still
// open. Depth two is solved by the kernel (depth_two.h).
//
// Budgets. A part is only asked for "less than `upper` minus what root and other part must cost", plus an eighth of the width of the
// interval: a bound that goes that far prunes the neighbors as well.
//
// Deepening. Every node first solves itself one level shallower. That is cheap, its tree is a good one to beat, and its bounds by ordering
// tell which orderings to try first.
//
// Profiles. A node that is asked again with a higher budget goes on from its solved cuts: what they prove stays true. A solved cut whose two
// bounds together stay below the new budget is asked again itself, before the cuts around it.
//
// At most C splits. Each way to share C - 1 splits between the parts is an interval problem of its own.
//
// Known bounds. A solved part S also tells, for every ordering f, a bound L_f(S) on the trees whose root asks f. It holds for every part
// that contains S, and, less the weight of the rows that are left out, for every part of S:
//   - S' contains S. Take a tree on S' whose root asks f. Where its root parts S, its errors on S alone cost at least the bound on roots
//     that part S. Where all of S goes the same way, one subtree holds S, so the tree costs at least a split and the optimum of S one level
//     shallower. L_f(S) is the smaller of the two bounds; without the second it would be infinite for an f that is constant in S.
//   - S' is a part of S. A tree on S' whose root parts S' by f also parts S by f, and costs on S at most the weight of S \ S' more.
// Splits: a part's bound was proved for at least as many splits as the part that inherits it may have. With min_rows > 1 neither holds (a
// tree on S' may leave too few rows of S in a leaf), so the rule is off.

#include "treewright/search/node_search.h"

#include <algorithm>
#include <numeric>

namespace treewright {

Worker::Level& Worker::level(int depth) {
  while (levels.size() <= static_cast<std::size_t>(depth)) levels.push_back(std::make_unique<Level>());
  return *levels[static_cast<std::size_t>(depth)];
}

double Line::lower(double price) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < solved.size(); ++i) {
    if (i + 1 < solved.size()) least = std::min(least, solved[i].lower);
    if (i > 0 && i + 1 < solved.size()) least = std::min(least, price + solved[i].sides.left + solved[i].sides.right);
  }
  return least;
}

std::size_t Profile::bytes() const {
  const auto known = [](const auto& bounds) { return bounds ? bounds->size() * sizeof(double) : 0; };
  std::size_t total = sizeof(Profile) + lines.size() * sizeof(Line);
  for (const Line& line : lines) {
    total += line.solved.size() * sizeof(SolvedCut);
    for (const SolvedCut& cut : line.solved) {
      total += known(cut.left_known) + known(cut.right_known);
      if (cut.left) total += cut.left->bytes();
      if (cut.right) total += cut.right->bytes();
    }
  }
  return total;
}

// More classes than leaves: the lightest classes are lost. Large leaves and few rows of other classes: see Problem::row_bound.
NodeSearch::Lost NodeSearch::lost(const Subset& subset, double leaf, int depth, std::int64_t splits) const {
  Lost lost;
  if (limits_.rules.class_bound) {
    std::vector<double> weights = subset.class_weights(problem_.classes);
    std::sort(weights.begin(), weights.end(), std::greater<>());
    const auto leaves = static_cast<std::size_t>(std::min<std::int64_t>(std::min(splits, full_splits(depth)) + 1, problem_.classes));
    lost.relaxed = std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(leaves), weights.end(), 0.0);
  }
  lost.strict = lost.relaxed;
  if (limits_.rules.row_bound) {
    const double rows = static_cast<double>(subset.rows);
    lost.strict = std::max(lost.strict, problem_.row_bound(leaf, subset.total_weight - leaf, rows, limits_.min_rows));
  }
  return lost;
}

std::vector<Line> NodeSearch::lines_of(const Answer& shallow, int depth, std::int64_t splits) const {
  std::vector<std::size_t> sequence(problem_.orderings.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  if (!shallow.lower_by_ordering.empty()) {
    const std::vector<double>& by = shallow.lower_by_ordering;
    std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t f, std::size_t g) { return by[f] < by[g]; });
  }
  const std::int64_t most = full_splits(depth - 1);
  std::vector<Line> lines;
  for (const std::size_t f : sequence) {
    if (splits - 1 >= 2 * most) {
      lines.push_back({f, most, most, {}});
      continue;
    }
    for (std::int64_t left = std::max<std::int64_t>(0, splits - 1 - most); left <= std::min(most, splits - 1); ++left) {
      lines.push_back({f, left, splits - 1 - left, {}});
    }
  }
  return lines;
}

// The cuts after solved[i], up to the next solved one.
void NodeSearch::bound_gap(Line& line, std::size_t i, const Cuts& cuts, const Subset& subset, double best) const {
  SolvedCut &a = line.solved[i], &b = line.solved[i + 1];
  const auto weight = [&](std::int64_t t) { return cuts.weight_left[static_cast<std::size_t>(t)]; };
  Stretch fitting{a.cut + 1, b.cut};
  if (limits_.min_rows > 1) {
    const auto& rows = cuts.rows_left;
    fitting.first = std::max(fitting.first, std::lower_bound(rows.begin(), rows.end(), limits_.min_rows) - rows.begin());
    fitting.last = std::min(fitting.last, std::upper_bound(rows.begin(), rows.end(), subset.rows - limits_.min_rows) - rows.begin());
  }
  a.lower = limits_.split_price + bounds_.least(a.sides, b.sides, a.weight_left, b.weight_left, fitting, weight);
  a.open = bounds_.open(a.sides, b.sides, a.weight_left, b.weight_left, fitting, best - limits_.split_price, weight);
  a.open_weight = a.open.size() > 0 ? weight(a.open.last - 1) - weight(a.open.first) : 0;
}

// Bound on every cut of the line without min_rows.
double NodeSearch::relaxed(const Line& line, const Cuts& cuts) const {
  const auto weight = [&](std::int64_t t) { return cuts.weight_left[static_cast<std::size_t>(t)]; };
  double least = kInfinity;
  for (std::size_t i = 0; i + 1 < line.solved.size(); ++i) {
    const SolvedCut &a = line.solved[i], &b = line.solved[i + 1];
    least = std::min(least, bounds_.least_relaxed(a.sides, b.sides, a.weight_left, b.weight_left, {a.cut + 1, b.cut}, weight));
    if (i > 0) least = std::min(least, a.sides.left_relaxed + a.sides.right_relaxed);
  }
  return limits_.split_price + least;
}

void NodeSearch::open(Line& line, const Cuts& cuts, const Subset& subset, const Answer& shallow, double best) const {
  // The node one level shallower bounds the part that is everything.
  if (line.solved.empty()) {
    line.solved.resize(2);
    line.solved.front().cut = -1;
    line.solved.back().cut = cuts.size();
    line.solved.back().weight_left = subset.total_weight;
  }
  SolvedCut &nothing = line.solved.front(), &everything = line.solved.back();
  nothing.sides = {0, shallow.lower, 0, shallow.relaxed};
  everything.sides = {shallow.lower, 0, shallow.relaxed, 0};
  if (!shallow.lower_by_ordering.empty() && knows()) {
    nothing.right_known = everything.left_known = std::make_shared<const std::vector<double>>(shallow.lower_by_ordering);
  }
  for (std::size_t i = 0; i + 1 < line.solved.size(); ++i) bound_gap(line, i, cuts, subset, best);
}

bool NodeSearch::is_weak(const Line& line, std::size_t i, double best) const {
  const Sides& sides = line.solved[i].sides;
  return i > 0 && i + 1 < line.solved.size() && limits_.split_price + sides.left + sides.right < best;
}

Candidate NodeSearch::again(const Line& line, std::size_t i) const {
  const SolvedCut& here = line.solved[i];
  return {&line.solved[i - 1], &line.solved[i + 1], &here, here.cut, limits_.split_price + here.sides.left + here.sides.right, 0};
}

Candidate NodeSearch::middle(const Line& line, std::size_t i, const Cuts& cuts) const {
  const SolvedCut& here = line.solved[i];
  const auto weight = cuts.weight_left.begin();
  const double target = (weight[here.open.first] + weight[here.open.last - 1]) / 2;
  const auto above = std::lower_bound(weight + here.open.first, weight + here.open.last - 1, target) - weight;
  const bool lower_one = above > here.open.first && target - weight[above - 1] <= weight[above] - target;
  return {&here, &line.solved[i + 1], nullptr, lower_one ? above - 1 : above, here.lower, here.open_weight};
}

std::vector<Candidate> NodeSearch::candidates(const Line& line, const Cuts& cuts, double best) const {
  std::vector<Candidate> found;
  for (std::size_t i = 0; i + 1 < line.solved.size(); ++i) {
    if (is_weak(line, i, best)) found.push_back(again(line, i));
    if (line.solved[i].is_open(best)) found.push_back(middle(line, i, cuts));
  }
  return found;
}

std::vector<double> NodeSearch::known_between(const std::shared_ptr<const std::vector<double>>& smaller,
                                              const std::shared_ptr<const std::vector<double>>& larger, double weight) const {
  std::vector<double> known;
  if (smaller) known = *smaller;
  if (!larger) return known;
  known.resize(larger->size(), 0.0);
  for (std::size_t f = 0; f < known.size(); ++f) known[f] = std::max(known[f], (*larger)[f] - weight);
  return known;
}

NodeSearch::Solved NodeSearch::solve_cut(Worker& worker, const Subset& subset, const Cuts& cuts, const Line& line,
                                         const Candidate& candidate, int depth, double best, bool keep) const {
  const SolvedCut &a = *candidate.before, &b = *candidate.after;
  const auto t = static_cast<std::size_t>(candidate.cut);
  const double w_a = cuts.weight_left[t] - a.weight_left, w_b = b.weight_left - cuts.weight_left[t];
  const Part left_part{subset, line.ordering, 0, cuts.place[t]}, right_part{subset, line.ordering, cuts.place[t], subset.size};
  // What both parts together must stay below, and how far beyond that their bounds should go.
  const double need = limits_.rules.budgets ? best - limits_.split_price : kInfinity;
  const double reach = candidate.open_weight / 8;

  Solved solved;
  solved.cut = candidate.cut;
  Answer &left = solved.left, &right = solved.right;
  Sides floor{bounds_.left(a.sides, b.sides, w_b), bounds_.right(a.sides, b.sides, w_a), bounds_.left_relaxed(a.sides, b.sides, w_b),
              bounds_.right_relaxed(a.sides, b.sides, w_a)};
  if (candidate.again != nullptr) {
    const Sides& own = candidate.again->sides;
    floor = {std::max(floor.left, own.left), std::max(floor.right, own.right), std::max(floor.left_relaxed, own.left_relaxed),
             std::max(floor.right_relaxed, own.right_relaxed)};
    solved.left_profile = candidate.again->left;
    solved.right_profile = candidate.again->right;
  }
  left.lower = floor.left, left.relaxed = floor.left_relaxed;
  right.lower = floor.right, right.relaxed = floor.right_relaxed;
  const auto solve_left = [&] {
    left = solve(worker, left_part, depth - 1, line.left_splits, need - right.lower + reach, known_between(a.left_known, b.left_known, w_b),
                 keep ? &solved.left_profile : nullptr);
    left.lower = std::max(left.lower, floor.left);
    left.relaxed = std::max(left.relaxed, floor.left_relaxed);
  };
  const auto solve_right = [&] {
    right = solve(worker, right_part, depth - 1, line.right_splits, need - left.lower + reach,
                  known_between(b.right_known, a.right_known, w_a), keep ? &solved.right_profile : nullptr);
    right.lower = std::max(right.lower, floor.right);
    right.relaxed = std::max(right.relaxed, floor.right_relaxed);
  };
  // The smaller part first: it costs less, and its bound may spare the larger one.
  const bool left_first = left_part.size() <= right_part.size();
  left_first ? solve_left() : solve_right();
  if (left.lower + right.lower < need + reach) left_first ? solve_right() : solve_left();
  return solved;
}

Plan NodeSearch::plan_of(Worker& worker, const Subset& subset, const Cuts& cuts, const Line& line, Solved& solved) const {
  const auto cut = static_cast<std::size_t>(solved.cut);
  const std::uint32_t place = cuts.place[cut];
  worker.depth_two.finish({subset, line.ordering, 0, place}, solved.left);
  worker.depth_two.finish({subset, line.ordering, place, subset.size}, solved.right);
  return Plan::split({static_cast<std::int32_t>(line.ordering), cuts.low[cut], cuts.high[cut]}, solved.left.plan, solved.right.plan);
}

SolvedCut& NodeSearch::add(Line& line, const Cuts& cuts, const Subset& subset, Solved& solved, double best) const {
  auto at = std::lower_bound(line.solved.begin(), line.solved.end(), solved.cut,
                             [](const SolvedCut& known, std::int64_t cut) { return known.cut < cut; });
  if (at->cut != solved.cut) {
    at = line.solved.insert(at, SolvedCut{});
    at->cut = solved.cut;
    at->weight_left = cuts.weight_left[static_cast<std::size_t>(solved.cut)];
  }
  at->sides = {solved.left.lower, solved.right.lower, solved.left.relaxed, solved.right.relaxed};
  at->left = std::move(solved.left_profile);
  at->right = std::move(solved.right_profile);
  if (knows()) {
    const auto share = [](std::vector<double>& by_ordering, std::shared_ptr<const std::vector<double>>& to) {
      if (!by_ordering.empty()) to = std::make_shared<const std::vector<double>>(std::move(by_ordering));
    };
    share(solved.left.lower_by_ordering, at->left_known);
    share(solved.right.lower_by_ordering, at->right_known);
  }
  const auto i = static_cast<std::size_t>(at - line.solved.begin());
  bound_gap(line, i - 1, cuts, subset, best);
  bound_gap(line, i, cuts, subset, best);
  return *at;
}

Answer NodeSearch::solve(Worker& worker, const Part& part, int depth, std::int64_t splits, double upper, std::span<const double> known,
                         std::shared_ptr<Profile>* keep) const {
  // Two splits never need a third level.
  if (depth <= 2 || splits <= 2) return worker.depth_two.solve(part, std::min(depth, 2), splits, upper, known, *worker.deadline);
  Profile own;
  if (keep != nullptr && !*keep) *keep = std::make_shared<Profile>();
  Profile& profile = keep == nullptr ? own : **keep;
  const bool keeps = keep != nullptr && depth > 3;
  if (part.is_whole()) return solve_deep(worker, part.whole, depth, splits, upper, known, profile, keeps);
  if (profile.answer.found() && profile.answer.lower >= profile.answer.cost) return profile.answer;  // nothing to copy it for
  Subset& subset = worker.level(depth).subset;
  part.copy_to(subset);
  return solve_deep(worker, subset, depth, splits, upper, known, profile, keeps);
}

// Solves cuts of one line until none is left that may win.
void NodeSearch::search_line(Worker& worker, const Subset& subset, Line& line, int depth, double& best, Profile& profile,
                             bool keeps) const {
  const Cuts& cuts = worker.level(depth).cuts;
  open(line, cuts, subset, profile.shallow, best);
  while (!worker.deadline->stopped()) {
    // What was solved before comes first: it bounds what lies around it. Then the widest gap.
    std::size_t weak = 0, widest = line.solved.size();
    for (std::size_t i = 0; i + 1 < line.solved.size() && weak == 0; ++i) {
      if (is_weak(line, i, best)) weak = i;
      if (!line.solved[i].is_open(best)) continue;
      if (widest == line.solved.size() || line.solved[i].open_weight > line.solved[widest].open_weight) widest = i;
    }
    if (weak == 0 && widest == line.solved.size()) return;
    const Candidate next = weak > 0 ? again(line, weak) : middle(line, widest, cuts);
    Solved solved = solve_cut(worker, subset, cuts, line, next, depth, best, keeps);
    if (solved.cost(limits_.split_price) < best) {
      best = profile.answer.cost = solved.cost(limits_.split_price);
      profile.answer.plan = plan_of(worker, subset, cuts, line, solved);
    }
    add(line, cuts, subset, solved, best);
  }
}

Answer NodeSearch::solve_deep(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                              std::span<const double> known, Profile& profile, bool keeps) const {
  const double price = limits_.split_price;
  Answer& answer = profile.answer;
  if (answer.found() && answer.lower >= answer.cost) return answer;  // solved to the optimum before
  const double leaf = subset.leaf_errors(problem_.classes);
  const auto [lost, lost_relaxed] = this->lost(subset, leaf, depth, splits);
  answer.lower = answer.relaxed = leaf;
  if ((limits_.rules.leaf_price && leaf <= price) || subset.size < 2 || leaf <= price + lost) {
    if (leaf > price + lost_relaxed) answer.relaxed = price + lost_relaxed;
    if (leaf < upper) answer.cost = leaf, answer.plan = Plan::leaf();
    return answer;
  }
  if (price + lost >= upper) {
    answer.lower = price + lost;
    answer.relaxed = price + lost_relaxed;
    return answer;
  }
  // One level shallower, to the optimum: its value bounds this node's largest parts and its tree is the one to beat.
  Answer& shallow = profile.shallow;
  if (!shallow.found()) {
    shallow = solve(worker, Part::all(subset), depth - 1, std::min(splits, full_splits(depth - 1)), kInfinity, {});
    worker.depth_two.finish(Part::all(subset), shallow);
  }
  double best = std::min(upper, answer.cost);
  if (shallow.cost < best) {
    best = answer.cost = shallow.cost;
    answer.plan = shallow.plan;
  }
  // Without an error left, or with no more than the splits' price to gain, nothing is better than the shallow tree.
  if (answer.found() && best <= price + lost) {
    answer.lower = answer.cost;
    answer.relaxed = std::min(leaf, price + lost_relaxed);
    return answer;
  }
  answer.lower_by_ordering.assign(problem_.orderings.size(), kInfinity);
  Cuts& cuts = worker.level(depth).cuts;
  std::size_t assigned = problem_.orderings.size();
  if (profile.lines.empty()) profile.lines = lines_of(shallow, depth, splits);
  for (Line& line : profile.lines) {
    double& lower = answer.lower_by_ordering[line.ordering];
    if (!known.empty() && known[line.ordering] >= best) {
      lower = std::min(lower, known[line.ordering]);
      continue;
    }
    if (line.ordering != assigned) cuts.assign(subset, assigned = line.ordering);
    search_line(worker, subset, line, depth, best, profile, keeps);
    lower = std::min(lower, line.lower(price));
    if (limits_.min_rows > 1) answer.relaxed = std::min(answer.relaxed, relaxed(line, cuts));
  }
  for (const double lower : answer.lower_by_ordering) answer.lower = std::min(answer.lower, lower);
  answer.cover_unparted(price + shallow.lower);
  answer.lower = std::min(answer.lower, answer.cost);
  answer.relaxed = limits_.min_rows > 1 ? std::min(answer.relaxed, answer.lower) : answer.lower;
  return answer;
}

}  // namespace treewright
