// A state of SVM1-ODT's search: its bound, and what a decision implies.
//
// Decisions. An item is right in a leaf, which gives the leaf its label, or it is wrong: in some leaf, or in a leaf of another label. A
// node is a hyperplane or a set of levels of one column, by (8) of Z20's supplement. A node without a split is a hyperplane with h = 0.
//
// Bound. The sum of four parts that no tree can pay twice:
// - the weight of the items that are wrong;
// - for each node the least that its split can cost: of a hyperplane its linear program (node_program.h) over the items whose way through
//   the node is known, of a set of levels alpha2. Other items only add slack. The programs of two nodes share no variable, and a row pays
//   slack at each of them;
// - for each point with open items of several classes, all of them but the heaviest: equal rows go to the same leaf, which has one label.
//   Without numeric columns this holds for all rows that have the same levels in the columns of the nodes, once these are known;
// - class counting (Z20, Theorem 3, for all leaves at once): an open item is right only in a leaf of its label. If f leaves have no label
//   yet, at most f classes that no leaf has can get one; the open items of the others are wrong. Only items alone at their point count
//   here, so no item counts twice. Weights take the place of numbers of rows.
// All hold for closed half spaces: a row on a hyperplane may choose its side in the programs. Routed trees are among these trees.
//
// Mirror images. Exchanging the sides of a node changes no cost. While no item is certain to pass a node, the first one that does may be
// sent left, together with the image of everything below. What has been excluded before is excluded for the image as well, since the trees
// that agree with a state are closed under exchange at a node that nothing has reached.
//
// Wrong items pay slack too. They enter the programs once they are placed in a leaf.

#include "treewright/methods/svm1/state.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "treewright/base/infinity.h"

namespace treewright::svm1 {

namespace {

// Nodes are numbered level by level, the root 0. The step from node t towards leaf l of a tree with so many inner nodes.
struct Step {
  std::size_t node;
  bool right;
};

std::vector<Step> path_to(std::size_t leaf, int depth) {
  std::vector<Step> path;
  std::size_t t = 0;
  for (int level = depth - 1; level >= 0; --level) {
    const bool right = (leaf >> level) & 1;
    path.push_back({t, right});
    t = 2 * t + (right ? 2 : 1);
  }
  return path;
}

}  // namespace

Svm1Items::Svm1Items(const Svm1Problem& of) : problem(of) {
  const Dataset& data = of.data;
  for (std::size_t f = 0; f < data.features(); ++f) {
    if (data.columns[f].kind == ColumnKind::categorical) categories.push_back(f);
  }
  const PointMatrix all = coordinates(data, of.axes);
  std::map<std::pair<std::vector<double>, std::vector<std::int32_t>>, std::size_t> points;
  std::map<std::pair<std::size_t, std::int32_t>, std::size_t> known;
  u.axes = of.axes.size();
  level.resize(categories.size());
  for (const std::size_t f : categories) levels.push_back(data.columns[f].levels.size() + 1);
  for (const std::uint32_t row : grow::weighty_rows(data)) {
    const auto x = all.row(row);
    std::vector<std::int32_t> codes;
    for (std::size_t c = 0; c < categories.size(); ++c) {
      const std::int32_t code = data.columns[categories[c]].codes[row];
      codes.push_back(code < 0 ? static_cast<std::int32_t>(levels[c]) - 1 : code);
    }
    const std::size_t point = points.try_emplace({{x.begin(), x.end()}, codes}, points.size()).first->second;
    const auto [at, is_new] = known.try_emplace({point, data.labels[row]}, items.size());
    if (is_new) {
      items.push_back({row, data.labels[row], 0, 0, point});
      u.x.insert(u.x.end(), x.begin(), x.end());
      for (std::size_t c = 0; c < categories.size(); ++c) level[c].push_back(codes[c]);
      of_point.resize(points.size());
      of_point[point].push_back(at->second);
    }
    items[at->second].weight += data.weight(row);
    items[at->second].slack_price += of.slack_price[row];
  }
}

Svm1State::Svm1State(const Svm1Items& items, double most) : all_(&items), most_(most) {
  const std::size_t n = items.items.size();
  role_.assign(n, Role::open);
  leaf_.assign(n, 0);
  may_.assign(n, items.all_leaves());
  label_.assign(items.leaves(), -1);
  nodes_.resize(items.nodes());
  if (items.categories.empty()) {
    for (Svm1NodeState& node : nodes_) node.kind = Svm1NodeState::kPlane;
  }
  count();
}

LeafSet Svm1State::leaves(std::size_t item) const {
  if (role_[item] == Role::right || role_[item] == Role::placed) return 0;
  LeafSet set = 0;
  const std::int32_t label = all_->items[item].label;
  for (std::size_t l = 0; l < label_.size(); ++l) {
    if (!((may_[item] >> l) & 1)) continue;
    if (role_[item] == Role::open ? label_[l] >= 0 && label_[l] != label : label_[l] == label) continue;
    bool open = true;
    for (const Step step : path_to(l, all_->depth())) {
      const Svm1NodeState& node = nodes_[step.node];
      if (step.right && !node.reached[0] && !node.reached[1]) open = false;
      if (node.kind >= 0) {
        const auto c = static_cast<std::size_t>(node.kind);
        if (node.goes[static_cast<std::size_t>(all_->level[c][item])] == (step.right ? -1 : 1)) open = false;
      }
    }
    if (open) set |= LeafSet{1} << l;
  }
  return set;
}

svm::MarginConstraint Svm1State::soft(std::size_t item, bool right) const {
  return {item, right ? 1.0 : -1.0, all_->problem.eps, all_->items[item].slack_price};
}

// What goes with an item that becomes right: the others of its group whose leaf is not known yet.
std::vector<std::size_t> Svm1State::company(std::size_t item) const {
  std::vector<std::size_t> others;
  if (role_[item] != Role::open) return others;
  for (const std::size_t other : groups()[cells_ ? cell_of_[item] : all_->items[item].point]) {
    if (other != item && (role_[other] == Role::open || role_[other] == Role::wrong)) others.push_back(other);
  }
  return others;
}

svm::MarginConstraint Svm1State::hard(std::size_t item, bool right) {
  return {item, right ? 1.0 : -1.0, 0, kInfinity};
}

void Svm1State::require(NodeProgram& program, std::size_t item, bool right) const {
  program.require(soft(item, right));
  for (const std::size_t other : company(item)) program.require(soft(other, right));
  program.require(hard(item, right));
}

double Svm1State::glance(std::size_t item, std::size_t leaf) const {
  double bound = bound_, price = all_->items[item].slack_price;
  for (const std::size_t other : company(item)) price += all_->items[other].slack_price;
  for (const Step step : path_to(leaf, all_->depth())) {
    const Svm1NodeState& node = nodes_[step.node];
    if (node.kind == Svm1NodeState::kPlane && node.program) bound += node.program->rise(item, step.right, all_->problem.eps, price);
  }
  return bound;
}

Svm1State::Trial Svm1State::trial(std::size_t item, std::size_t leaf, double cutoff) const {
  Trial trial;
  trial.bound = bound_;
  for (const Step step : path_to(leaf, all_->depth())) {
    Svm1NodeState node = nodes_[step.node];
    node.reached[step.right] = true;
    if (node.kind == Svm1NodeState::kPlane) {
      const double d = node.program ? node.program->distance(item) * (step.right ? 1 : -1) : 0;
      node.satisfied = trial.bound >= cutoff || d >= all_->problem.eps;
      if (!node.satisfied) {
        const double elsewhere = trial.bound - node.lower;
        auto program = node.program ? std::make_shared<NodeProgram>(*node.program)
                                    : std::make_shared<NodeProgram>(all_->u, all_->problem.alpha2, most_);
        require(*program, item, step.right);
        program->solve(cutoff - elsewhere);
        node.lower = std::max(node.lower, program->lower());
        node.program = std::move(program);
        trial.bound = elsewhere + node.lower;
      }
    } else if (node.kind >= 0) {
      node.goes[static_cast<std::size_t>(all_->level[static_cast<std::size_t>(node.kind)][item])] = step.right ? 1 : -1;
    }
    trial.path.push_back(std::move(node));
  }
  return trial;
}

Svm1State Svm1State::after(std::size_t item, std::size_t leaf, Trial trial) const {
  Svm1State to = *this;
  const std::vector<Step> path = path_to(leaf, all_->depth());
  for (std::size_t k = 0; k < path.size(); ++k) {
    Svm1NodeState& node = trial.path[k];
    if (node.satisfied) {
      auto program = std::make_shared<NodeProgram>(*node.program);
      require(*program, item, path[k].right);
      node.program = std::move(program);
      node.satisfied = false;
    }
    to.nodes_[path[k].node] = std::move(node);
  }
  to.leaf_[item] = static_cast<std::uint8_t>(leaf);
  if (role_[item] == Role::open) {
    to.role_[item] = Role::right;
    to.label_[leaf] = all_->items[item].label;
    for (const std::size_t other : company(item)) {
      const bool also = all_->items[other].label == all_->items[item].label && role_[other] == Role::open;
      if (!also && role_[other] == Role::open) to.make_wrong(other);
      to.role_[other] = also ? Role::right : Role::placed;
      to.leaf_[other] = to.leaf_[item];
    }
  } else {
    to.role_[item] = Role::placed;
  }
  to.settle();
  return to;
}

Svm1State Svm1State::with_kind(std::size_t t, int kind) const {
  Svm1State to = *this;
  Svm1NodeState& node = to.nodes_[t];
  node.kind = kind;
  if (kind >= 0) {
    node.goes.assign(all_->levels[static_cast<std::size_t>(kind)], 0);
    node.lower = all_->problem.alpha2;
  }
  to.join_cells();
  to.count();
  return to;
}

// Without numeric columns: items with the same levels at all nodes go to the same leaf.
void Svm1State::join_cells() {
  if (all_->u.axes > 0 || std::ranges::any_of(nodes_, [](const Svm1NodeState& node) { return node.kind == Svm1NodeState::kOpen; })) return;
  std::map<std::vector<std::int32_t>, std::size_t> cells;
  auto groups = std::make_shared<std::vector<std::vector<std::size_t>>>();
  cell_of_.clear();
  for (std::size_t i = 0; i < role_.size(); ++i) {
    std::vector<std::int32_t> key;
    for (const Svm1NodeState& node : nodes_) {
      if (node.kind >= 0) key.push_back(all_->level[static_cast<std::size_t>(node.kind)][i]);
    }
    cell_of_.push_back(cells.try_emplace(std::move(key), cells.size()).first->second);
    groups->resize(cells.size());
    (*groups)[cell_of_.back()].push_back(i);
  }
  cells_ = std::move(groups);
}

void Svm1State::make_wrong(std::size_t item) {
  role_[item] = Role::wrong;
  may_[item] = all_->all_leaves();
  lost_ += all_->items[item].weight;
}

double Svm1State::if_wrong(std::size_t item) const {
  Svm1State to = *this;
  to.make_wrong(item);
  to.count();
  return to.bound_;
}

void Svm1State::settle() {
  for (std::size_t i = 0; i < role_.size(); ++i) {
    if (role_[i] == Role::open && leaves(i) == 0) make_wrong(i);
  }
  count();
}

void Svm1State::count() {
  double sum = lost_;
  for (const Svm1NodeState& node : nodes_) sum += node.lower;
  std::vector<double> of_class(all_->problem.data.classes(), 0.0);
  std::vector<double> here_of(of_class.size());
  for (const std::vector<std::size_t>& here : groups()) {
    std::fill(here_of.begin(), here_of.end(), 0.0);
    double total = 0;
    bool several = false;  // classes
    for (const std::size_t i : here) {
      several = several || all_->items[i].label != all_->items[here[0]].label;
      if (role_[i] != Role::open) continue;
      total += all_->items[i].weight;
      here_of[static_cast<std::size_t>(all_->items[i].label)] += all_->items[i].weight;
    }
    if (several) {
      sum += total - *std::max_element(here_of.begin(), here_of.end());
    } else {
      of_class[static_cast<std::size_t>(all_->items[here[0]].label)] += total;
    }
  }
  std::size_t free = 0;
  for (const std::int32_t label : label_) {
    if (label < 0) {
      ++free;
    } else {
      of_class[static_cast<std::size_t>(label)] = 0;
    }
  }
  std::erase(of_class, 0.0);
  std::sort(of_class.begin(), of_class.end());
  if (of_class.size() > free) {
    sum = std::accumulate(of_class.begin(), of_class.end() - static_cast<std::ptrdiff_t>(free), sum);
  }
  bound_ = std::max(bound_, sum);
}

void Svm1State::forget() {
  for (Svm1NodeState& node : nodes_) node.program.reset();
}

void Svm1State::prepare() {
  std::vector<std::shared_ptr<NodeProgram>> programs(nodes_.size());
  for (std::size_t i = 0; i < role_.size(); ++i) {
    if (role_[i] != Role::right && role_[i] != Role::placed) continue;
    for (const Step step : path_to(leaf_[i], all_->depth())) {
      if (nodes_[step.node].kind != Svm1NodeState::kPlane || nodes_[step.node].program) continue;
      std::shared_ptr<NodeProgram>& program = programs[step.node];
      if (!program) program = std::make_shared<NodeProgram>(all_->u, all_->problem.alpha2, most_);
      program->require(soft(i, step.right));
      program->require(hard(i, step.right));
    }
  }
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    if (!programs[t]) continue;
    programs[t]->solve(kInfinity);
    nodes_[t].lower = std::max(nodes_[t].lower, programs[t]->lower());
    nodes_[t].program = std::move(programs[t]);
  }
  count();
}

}  // namespace treewright::svm1
