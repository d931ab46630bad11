#include "treewright/search/prove/proof_claim.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "treewright/error.h"
#include "treewright/proof/table.h"

namespace treewright::search {

namespace {

using Form = proof::Ordering::Form;
using Groups = std::vector<std::vector<proof::Level>>;

// An order of levels by their names, with every level that occurs.
class NamedOrders {
 public:
  NamedOrders(const Column& column, const proof::TableColumn& table) : present_(table.levels.begin(), table.levels.end()) {
    if (table.has_missing) present_.insert(proof::Level());
    for (const std::string& level : column.levels) name_.emplace_back(proof::spelled(level));
  }

  Groups of(const LevelOrder& order) const {
    Groups groups;
    std::set<proof::Level> rest = present_;
    for (const std::vector<std::int32_t>& levels : order) {
      std::vector<proof::Level>& group = groups.emplace_back();
      for (const std::int32_t level : levels) {
        group.push_back(level < 0 ? proof::Level() : name_[static_cast<std::size_t>(level)]);
        rest.erase(group.back());
      }
      std::sort(group.begin(), group.end());
    }
    if (!rest.empty()) groups.emplace_back(rest.begin(), rest.end());
    return groups;
  }

 private:
  std::set<proof::Level> present_;
  std::vector<proof::Level> name_;
};

void add_categories(const Column& column, const proof::TableColumn& table, const std::vector<LevelOrder>& orders,
                    const proof::Ordering& blank, std::vector<proof::Ordering>& orderings) {
  const NamedOrders named(column, table);
  const bool wide = static_cast<std::size_t>(table.values()) > kMaxSubsetLevels;
  std::set<Groups> known;
  for (const LevelOrder& order : orders) {
    proof::Ordering ordering = blank;
    ordering.levels = named.of(order);
    if (!known.insert(ordering.levels).second) continue;
    const bool single = wide && ordering.levels.size() == 2 && ordering.levels.front().size() == 1;
    ordering.form = single ? Form::level : Form::levels;
    if (single) ordering.levels.pop_back();
    orderings.push_back(std::move(ordering));
  }
}

// Whether the labels gain as much by the proof's whole costs as by the weights of the search.
bool counts_alike(const proof::Table& table, const Dataset& searched, const WholeWeights& row_weights) {
  const std::vector<std::int32_t>& place = table.labels.place;
  if (std::find(place.begin(), place.end(), -1) != place.end()) return false;
  std::vector<double> gains(table.labels.names.size(), 0.0), weights = gains;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::span<const std::int64_t> costs = table.costs_of(row);
    const std::int64_t dearest = *std::max_element(costs.begin(), costs.end());
    for (std::size_t a = 0; a < costs.size(); ++a) gains[a] += static_cast<double>(dearest - costs[a]);
  }
  for (std::size_t row = 0; row < searched.rows(); ++row)
    weights[static_cast<std::size_t>(place[static_cast<std::size_t>(searched.labels[row])])] += row_weights.of(row);
  return gains == weights;
}

// The same of numbers.
bool counts_alike(const proof::RowSums& sums, const Dataset& data) {
  const ResponseGrid grid = response_grid(data);
  const int halvings = grid.units.halvings, of_exposure = data.response->loss == Loss::squared ? 0 : halvings;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (static_cast<double>(sums.exposure[row]) != std::ldexp(grid.exposure[row], of_exposure) ||
        static_cast<double>(sums.amount[row]) != std::ldexp(grid.amount[row], halvings))
      return false;
  }
  return true;
}

// The units of the search, as a proof writes them.
void take_grids(const Problem& problem, proof::Proof& proof) {
  proof.unit = proof::Binary::of(problem.row_weights.unit);
  if (!problem.sums) return;
  const ResponseUnits& units = problem.response_units;
  const auto has_room = [&](bool of_units, int coarsest, int finest) {
    const int fine = proof.grid + TwoSums::kItemBits;
    return of_units && coarsest <= fine && fine <= finest;
  };
  bool fits = false;
  if (problem.sums->of_events()) {
    proof.unit = proof::Binary::of(std::ldexp(units.unit, -units.halvings));
    proof.exposure = proof::Binary::of(units.exposure);
    proof.grid = -units.halvings;
    fits = has_room(proof::has_room(*proof.exposure, proof.unit), proof::kCoarsestOfEvents, proof::kFinestOfEvents);
  } else {
    proof.target = {proof::Binary::of(units.center), units.digits};
    proof.grid = -2 * units.halvings;
    fits = has_room(proof::has_room(*proof.target, proof.unit), proof::kCoarsestOfSums, proof::kFinestOfSums);
  }
  if (!fits)
    throw Error("proof", "the targets or weights are too large or too small for one", "measure them in another unit", ErrorKind::limit);
}

}  // namespace

std::optional<Dataset> without_absent_classes(const Dataset& data) {
  if (data.has_costs()) return {};
  std::vector<std::int32_t> place(data.classes(), -1);
  for (const std::int32_t label : data.labels) place[static_cast<std::size_t>(label)] = 0;
  if (std::find(place.begin(), place.end(), -1) == place.end()) return {};
  Dataset less = data;
  less.class_names.clear();
  less.reading.class_weights.clear();
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] < 0) continue;
    place[k] = static_cast<std::int32_t>(less.class_names.size());
    less.class_names.push_back(data.class_names[k]);
    if (!data.reading.class_weights.empty()) less.reading.class_weights.push_back(data.reading.class_weights[k]);
  }
  for (std::int32_t& label : less.labels) label = place[static_cast<std::size_t>(label)];
  return less;
}

proof::Proof describe(const Dataset& data, const Dataset& searched, const Problem& problem, const SplitFamily& family) {
  proof::Proof proof;
  take_grids(problem, proof);
  const proof::Table table = proof::make_table(data, proof, "proof");
  if (!(problem.sums ? counts_alike(table.sums, searched) : counts_alike(table, searched, problem.row_weights)))
    throw Error("proof", "the row weights or costs are too unequal for one", "use numbers of fewer digits, or no proof", ErrorKind::limit);
  proof.table = proof::fingerprint(data);
  for (std::size_t c = 0; c < data.features(); ++c) {
    const proof::TableColumn& column = table.columns[c];
    if (column.values() < 2) continue;
    proof::Ordering ordering;
    ordering.column = static_cast<std::int64_t>(c);
    if (!column.category) {
      ordering.form = column.has_missing ? Form::missing_last : Form::numbers;
      proof.orderings.push_back(ordering);
      ordering.form = Form::missing_first;
      if (column.has_missing) proof.orderings.push_back(ordering);
      continue;
    }
    const std::set<std::int32_t> codes(data.columns[c].codes.begin(), data.columns[c].codes.end());
    std::vector<std::int32_t> present(codes.begin(), codes.end());
    if (present.front() < 0) std::rotate(present.begin(), present.begin() + 1, present.end());  // missing comes last
    add_categories(data.columns[c], column, family.orders(c, present), ordering, proof.orderings);
  }
  return proof;
}

}  // namespace treewright::search
