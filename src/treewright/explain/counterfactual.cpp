// The nearest row with another label, or with a number that is wanted (counterfactual).
//
// A tree predicts another class exactly in its leaves with another label. So the nearest change is the nearest point of any such leaf. A
// leaf is a box cut by at most `depth` half-spaces (explain/region.h). In units of `scale` its nearest point is
//
//     min ||z||  subject to  G z >= h,    z = (new - old) / scale.
//
// Features that occur in thresholds only are separable: each moves to the nearer end of its interval, if it is outside. The other features
// occur in hyperplanes. They form a small problem of "least distance programming" (Lawson and Hanson, Solving Least Squares Problems, 1974,
// chapter 23): solve min ||E u - f|| over u >= 0, with the rows of G and h as columns of E = [G'; h'] and f the last unit vector. The
// residual r = E u - f gives z = -r[1..n] / r[n+1], and r = 0 means that the conditions contradict each other. The inner problem is their
// NNLS (nonnegative least squares): an active-set method that ends after finitely many steps with the exact solution. There are at most
// `depth` + 2 * features conditions, and few of them are ever active.
//
// A level, also one of an order, can only be changed as a whole, and each such change counts 1: it goes to the nearest level of an order
// that the leaf allows, or to the first one of a category. Where training rows are at hand, it must be a level of theirs. Inside
// hyperplanes the levels must be tried. `Search` tries no such change, then
// every single one, then every two, and so on, and solves the rest with the levels fixed. A solution with k changes has a length of at
// least sqrt(k), so the search stops when that is not below the best length so far; usually at once. A missing value with a replacement is
// a constant of the sum.
//
// "Left" is open (x < threshold), so the infimum is not always attained. `distance` is the infimum. The reported row lies inside by
// a thousandth of the scale at most, at a number with few decimals (thresholds), or by as little as rounding allows (hyperplanes): a
// billionth of the scale, or ten times more, and so on, until routing the row finds it in the leaf.

#include "treewright/explain/counterfactual.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "treewright/base/short_decimal.h"
#include "treewright/error.h"
#include "treewright/explain.h"
#include "treewright/explain/region.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

using Matrix = std::vector<std::vector<double>>;

// Solves the symmetric system restricted to the indices in `chosen`; Gaussian elimination with pivots.
std::vector<double> solve(const Matrix& A, const std::vector<double>& b, const std::vector<std::size_t>& chosen) {
  const std::size_t n = chosen.size();
  Matrix a(n, std::vector<double>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = A[chosen[i]][chosen[j]];
    a[i][n] = b[chosen[i]];
  }
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t i = c + 1; i < n; ++i) {
      if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
    }
    std::swap(a[c], a[pivot]);
    if (a[c][c] == 0) a[c][c] = 1e-300;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == c) continue;
      const double factor = a[i][c] / a[c][c];
      for (std::size_t j = c; j <= n; ++j) a[i][j] -= factor * a[c][j];
    }
  }
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = a[i][n] / a[i][i];
  return x;
}

// min ||E u - f||, u >= 0, from the normal equations A = E'E, b = E'f (Lawson and Hanson, algorithm NNLS).
std::vector<double> nonnegative_least_squares(const Matrix& A, const std::vector<double>& b) {
  const std::size_t m = b.size();
  std::vector<double> u(m, 0.0);
  std::vector<bool> positive(m, false);
  // Every pass enlarges the set by one and lowers the residual: no set comes twice. The limit is for rounding only.
  for (std::size_t pass = 0; pass < 3 * m + 10; ++pass) {
    std::size_t enters = m;
    double steepest = 1e-12;
    for (std::size_t i = 0; i < m; ++i) {
      double slope = b[i];
      for (std::size_t j = 0; j < m; ++j) slope -= A[i][j] * u[j];
      if (!positive[i] && slope > steepest) {
        steepest = slope;
        enters = i;
      }
    }
    if (enters == m) break;
    positive[enters] = true;
    while (true) {
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < m; ++i) {
        if (positive[i]) chosen.push_back(i);
      }
      const std::vector<double> wanted = solve(A, b, chosen);
      double step = 1;
      for (std::size_t c = 0; c < chosen.size(); ++c) {
        if (wanted[c] <= 0) step = std::min(step, u[chosen[c]] / (u[chosen[c]] - wanted[c]));
      }
      for (std::size_t c = 0; c < chosen.size(); ++c) {
        double& value = u[chosen[c]];
        value += step * (wanted[c] - value);
        if (step < 1 && value <= 1e-14) {
          value = 0;
          positive[chosen[c]] = false;
        }
      }
      if (step >= 1) break;
    }
  }
  return u;
}

struct Query {
  const Dataset& row;  // one row
  const std::vector<double>& scale;
  const std::vector<bool>& held;  // features whose level may not change
  const Matrix& occurring;        // of features that are levels or whole numbers in training: these, sorted; else nothing
};

// The sorted levels of a column, or its numbers if all are whole.
std::vector<double> whole_values(const Column& column) {
  std::vector<double> values;
  for (const std::int32_t code : column.codes) {
    if (code >= 0) values.push_back(code);
  }
  for (const double v : column.values) {
    if (!std::isnan(v) && v != std::floor(v)) return {};
    if (!std::isnan(v)) values.push_back(v);
  }
  std::ranges::sort(values);
  return values;
}

// The value in [low, high) that is nearest to one outside.
std::optional<double> nearest_occurring(const std::vector<double>& values, const explain::FeatureLimit& limit, double x) {
  const auto low = std::ranges::lower_bound(values, limit.low), high = std::ranges::lower_bound(values, limit.high);
  if (low == high) return std::nullopt;
  return x < limit.low ? *low : *std::prev(high);
}

double value(const Query& query, std::size_t feature) {
  return query.row.columns[feature].values[0];
}

// The conditions G z >= h + margin of one leaf on the features of its hyperplanes; false if missing values send the row elsewhere.
bool plane_conditions(const Query& query, const explain::Region& region, std::vector<std::size_t>& tied, Matrix& G,
                      std::vector<double>& h) {
  std::vector<const explain::HalfSpace*> open;
  const auto moves = [&](const HyperplaneSplit::Term& term) {
    const Column& column = query.row.columns[+term.feature];
    return !column.has_levels() && !column.missing(0);
  };
  for (const explain::HalfSpace& plane : region.planes) {
    if (lacks_value(*plane.split, query.row, 0)) {
      if (plane.split->missing_left != plane.left) return false;
      continue;
    }
    open.push_back(&plane);
    for (const auto& term : plane.split->plane()->terms) {
      if (moves(term)) tied.push_back(+term.feature);
    }
  }
  std::sort(tied.begin(), tied.end());
  tied.erase(std::unique(tied.begin(), tied.end()), tied.end());
  const auto add = [&](std::vector<double> normal, double least) {
    double length = 0;
    for (const double g : normal) length += g * g;
    length = std::sqrt(length);
    if (length == 0) return least <= 0;
    for (double& g : normal) g /= length;
    G.push_back(std::move(normal));
    h.push_back(least / length);
    return true;
  };
  for (const explain::HalfSpace* side : open) {
    const HyperplaneSplit& plane = *side->split->plane();
    std::vector<double> normal(tied.size(), 0.0);
    double beyond = plane.threshold;
    for (const auto& term : plane.terms) {
      beyond -= term.weight * term_value(term, query.row, 0);
      if (!moves(term)) continue;
      const std::size_t at = std::lower_bound(tied.begin(), tied.end(), static_cast<std::size_t>(+term.feature)) - tied.begin();
      normal[at] += (side->left ? -1 : 1) * term.weight * query.scale[+term.feature];
    }
    if (!add(normal, side->left ? -beyond : beyond)) return false;
  }
  for (std::size_t i = 0; i < tied.size(); ++i) {
    const explain::FeatureLimit& limit = region.limits[tied[i]];
    const double x = value(query, tied[i]), s = query.scale[tied[i]];
    std::vector<double> normal(tied.size(), 0.0);
    normal[i] = 1;
    if (std::isfinite(limit.low) && !add(normal, (limit.low - x) / s)) return false;
    normal[i] = -1;
    if (std::isfinite(limit.high) && !add(normal, (x - limit.high) / s)) return false;
  }
  return true;
}

// A value below the threshold for a person to read: 2.499 for 2.5 rather than the nearest double, 2.4999999999999996.
double inside_of(const explain::FeatureLimit& limit, double scale) {
  constexpr double kNear = 1e-3;  // share of the scale
  const double low = std::max(limit.low, limit.high - kNear * scale);
  return short_decimal(low, limit.high, low / 2 + limit.high / 2)
      .value_or(std::nextafter(limit.high, -std::numeric_limits<double>::infinity()));
}

bool occurs(const std::vector<double>& occurring, std::size_t level) {
  return occurring.empty() || std::binary_search(occurring.begin(), occurring.end(), static_cast<double>(level));
}

// The level of those allowed that the cell may change to; nothing if there is none.
std::optional<std::size_t> nearest_level(const Column& column, const std::vector<bool>& allowed, const std::vector<double>& occurring) {
  std::optional<std::size_t> nearest;
  const auto distance = [&](std::size_t level) { return std::abs(static_cast<double>(level) - column.code(0)); };
  for (std::size_t level = 0; level < allowed.size(); ++level) {
    if (!allowed[level] || !occurs(occurring, level)) continue;
    if (!nearest || (column.notation == Notation::ordered && distance(level) < distance(*nearest))) nearest = level;
  }
  return nearest;
}

// How far the reported row lies inside the hyperplanes, in units of the scale: the least and the most.
constexpr double kInside = 1e-9, kFarInside = 1e-2;

// The nearest point of the leaf and its distance; nothing if no change leads the row there. The reported row lies `inside` the hyperplanes.
std::optional<Counterfactual> change_towards(const Query& query, NodeId leaf, const explain::Region& region, double inside) {
  Counterfactual way;
  way.leaf = leaf;
  Matrix G;
  std::vector<double> h;
  std::vector<std::size_t> tied;
  if (!plane_conditions(query, region, tied, G, h)) return std::nullopt;
  double squared = 0;
  for (std::size_t f = 0; f < region.limits.size(); ++f) {
    const explain::FeatureLimit& limit = region.limits[f];
    if (!limit.asked) continue;
    const Column& column = query.row.columns[f];
    const FeatureId id{static_cast<std::int32_t>(f)};
    if (column.missing(0)) {
      if (!limit.missing) return std::nullopt;
      continue;
    }
    if (column.has_levels()) {
      if (limit.levels[column.code(0)]) continue;
      const auto to = nearest_level(column, limit.levels, query.occurring[f]);
      if (!to || query.held[f]) return std::nullopt;
      squared += 1;
      way.changes.push_back({id, static_cast<double>(column.code(0)), static_cast<double>(*to), std::nullopt});
      continue;
    }
    // No number is beyond the split "has a value?".
    if (limit.low >= std::min(limit.high, std::numeric_limits<double>::max())) return std::nullopt;
    if (std::binary_search(tied.begin(), tied.end(), f)) continue;
    const double x = column.values[0];
    if (x >= limit.low && x < limit.high) continue;
    if (const auto to = nearest_occurring(query.occurring[f], limit, x)) {
      squared += std::pow((*to - x) / query.scale[f], 2);
      way.changes.push_back({id, x, *to, std::nullopt});
      continue;
    }
    const double end = x < limit.low ? limit.low : limit.high;
    squared += std::pow((end - x) / query.scale[f], 2);
    if (x < limit.low) {
      way.changes.push_back({id, x, end, std::nullopt});
    } else {
      const double to = inside_of(limit, query.scale[f]);
      if (to < limit.low) return std::nullopt;
      way.changes.push_back({id, x, to, end});
    }
  }
  if (!G.empty()) {
    const auto nearest = explain::least_distance(G, h);
    if (!nearest) return std::nullopt;
    for (const double z : *nearest) squared += z * z;
    std::vector<double> inner = h;
    for (double& bound : inner) bound += inside * (1 + std::abs(bound));
    const auto shown = explain::least_distance(G, inner);
    if (!shown) return std::nullopt;
    for (std::size_t i = 0; i < tied.size(); ++i) {
      const double x = value(query, tied[i]), to = x + query.scale[tied[i]] * (*shown)[i];
      if (std::abs((*shown)[i]) > 1e-12) way.changes.push_back({FeatureId{static_cast<std::int32_t>(tied[i])}, x, to, std::nullopt});
    }
  }
  way.distance = std::sqrt(squared);
  return way;
}

class Search {
 public:
  Search(const Tree& tree, const Dataset& data, std::size_t row, const std::vector<double>& scale, const Dataset* train,
         const WantedNumber& wanted)
      : tree_(tree),
        wanted_(wanted),
        scale_(scale),
        regions_(explain::regions(tree)),
        here_(tree.node(tree.route(data, row))),
        held_(tree.features.size(), false),
        occurring_(tree.features.size()) {
    for (std::size_t f = 0; train != nullptr && f < occurring_.size(); ++f) occurring_[f] = whole_values(train->columns[f]);
    const std::vector<std::int32_t> only = {static_cast<std::int32_t>(row)};
    original_ = now_ = data.subset(only);
    for (const Node& node : tree.nodes()) {
      const HyperplaneSplit* plane = node.plane();
      if (plane == nullptr) continue;
      for (const auto& term : plane->terms) {
        const Column& column = original_.columns[+term.feature];
        if (column.has_levels() && !column.missing(0)) held_[+term.feature] = true;
      }
    }
  }

  std::optional<Counterfactual> run() {
    const std::size_t most = static_cast<std::size_t>(std::count(held_.begin(), held_.end(), true));
    for (std::size_t k = 0; k <= most && (!best_ || static_cast<double>(k) < best_->distance * best_->distance); ++k) vary(0, k);
    return best_;
  }

 private:
  bool is_wanted(const Node& leaf) const {
    if (!tree_.loss) return leaf.label != here_.label;
    const double value = leaf.estimate.value;
    if (!wanted_.below && !wanted_.above) return value != here_.estimate.value;
    return (!wanted_.below || value < *wanted_.below) && (!wanted_.above || value > *wanted_.above);
  }

  // All rows with `left` more levels changed, in features from `first` on.
  void vary(std::size_t first, std::size_t left) {
    if (left == 0) {
      try_leaves();
      return;
    }
    for (std::size_t f = first; f < held_.size(); ++f) {
      if (!held_[f]) continue;
      const auto set = [&](std::int32_t level) {
        now_ = changed(std::move(now_), {{FeatureId{static_cast<std::int32_t>(f)}, 0, static_cast<double>(level), std::nullopt}});
      };
      const std::int32_t was = now_.columns[f].code(0);
      for (std::int32_t level = 0; level < static_cast<std::int32_t>(tree_.features[f].levels.size()); ++level) {
        if (level == was || !occurs(occurring_[f], static_cast<std::size_t>(level))) continue;
        set(level);
        vary(f + 1, left - 1);
      }
      set(was);
    }
  }

  void try_leaves() {
    std::vector<Change> levels;
    for (std::size_t f = 0; f < held_.size(); ++f) {
      if (!held_[f]) continue;
      const std::int32_t from = original_.columns[f].code(0), to = now_.columns[f].code(0);
      if (to == from) continue;
      levels.push_back({FeatureId{static_cast<std::int32_t>(f)}, static_cast<double>(from), static_cast<double>(to), std::nullopt});
    }
    for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
      const NodeId leaf{static_cast<std::int32_t>(i)};
      if (!tree_.node(leaf).is_leaf() || !is_wanted(tree_.node(leaf))) continue;
      for (double inside = kInside; inside <= kFarInside; inside *= 10) {
        auto way = change_towards({now_, scale_, held_, occurring_}, leaf, regions_[i], inside);
        if (!way) break;
        way->distance = std::sqrt(way->distance * way->distance + static_cast<double>(levels.size()));
        if (best_ && way->distance >= best_->distance) break;
        way->changes.insert(way->changes.end(), levels.begin(), levels.end());
        std::sort(way->changes.begin(), way->changes.end(), [](const Change& a, const Change& b) { return +a.feature < +b.feature; });
        if (tree_.route(changed(original_, way->changes), 0) != leaf) continue;
        best_ = std::move(way);
        break;
      }
    }
  }

  const Tree& tree_;
  const WantedNumber wanted_;
  const std::vector<double>& scale_;
  std::vector<explain::Region> regions_;
  const Node& here_;  // the leaf of the row
  std::vector<bool> held_;
  Matrix occurring_;
  Dataset original_, now_;
  std::optional<Counterfactual> best_;
};

}  // namespace

Dataset changed(Dataset row, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    Column& column = row.columns[+change.feature];
    if (column.kind == ColumnKind::numeric) {
      column.values[0] = change.to;
    } else {
      column.codes[0] = static_cast<std::int32_t>(change.to);
    }
  }
  return row;
}

double column_scale(const Column& column) {
  double n = 0, mean = 0, squares = 0;
  for (const double v : column.values) {
    if (std::isnan(v)) continue;
    const double step = v - mean;  // Welford: no cancellation
    mean += step / ++n;
    squares += step * (v - mean);
  }
  const double deviation = n > 0 ? std::sqrt(squares / n) : 0;
  return deviation > 0 && std::isfinite(deviation) ? deviation : 1;
}

// Solved in units of the largest bound, and with each condition times a factor that makes its column of E one long: rounding must not
// decide where the row is far from the leaf.
std::optional<std::vector<double>> explain::least_distance(const Matrix& G, const std::vector<double>& h) {
  const std::size_t m = G.size(), n = m == 0 ? 0 : G[0].size();
  const double unit = m == 0 ? 0 : *std::max_element(h.begin(), h.end());
  std::vector<double> z(n, 0.0);
  if (unit <= 0) return z;
  Matrix E = G;
  for (std::size_t i = 0; i < m; ++i) {
    E[i].push_back(h[i] / unit);
    double length = 0;
    for (const double e : E[i]) length += e * e;
    for (double& e : E[i]) e /= std::sqrt(length);
  }
  Matrix A(m, std::vector<double>(m, 0.0));
  std::vector<double> b;
  for (std::size_t i = 0; i < m; ++i) {
    b.push_back(E[i][n]);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t k = 0; k <= n; ++k) A[i][j] += E[i][k] * E[j][k];
    }
  }
  const std::vector<double> u = nonnegative_least_squares(A, b);
  std::vector<double> residual(n + 1, 0.0);
  residual[n] = -1;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k <= n; ++k) residual[k] += u[i] * E[i][k];
  }
  if (residual[n] >= -1e-12) return std::nullopt;
  for (std::size_t k = 0; k < n; ++k) z[k] = -residual[k] / residual[n] * unit;
  for (std::size_t i = 0; i < m; ++i) {
    double reached = 0;
    for (std::size_t k = 0; k < n; ++k) reached += G[i][k] * z[k];
    if (reached < h[i] - 1e-7 * (unit + std::abs(h[i]))) return std::nullopt;
  }
  return z;
}

std::optional<Counterfactual> nearest_change(const Tree& tree, const Dataset& data, std::size_t row, const std::vector<double>& scale,
                                             const Dataset* train, const WantedNumber& wanted) {
  need_trained(tree);
  if (wanted.below || wanted.above) need_numbers(tree);
  need_aligned(tree, data, row);
  if (scale.size() != tree.features.size())
    throw Error("scale", "is not one number for each column of the tree", "give one", ErrorKind::usage);
  return Search(tree, data, row, scale, train, wanted).run();
}

}  // namespace treewright
