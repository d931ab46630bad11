#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/draw_case.h"
#include "support/text_case.h"

namespace treewright::testing {

/// Makes a failing case smaller step by step, as long as `fails` holds: fewer rows, columns, values, levels, classes, weights and
/// options, less depth. The smallest failure is the easiest to understand.
class CaseShrinker {
 public:
  CaseShrinker(Case failing, std::function<bool(const Case&)> fails) : case_(std::move(failing)), fails_(std::move(fails)) {}

  Case shrink() {
    for (bool smaller = true; smaller;) {
      smaller = false;
      smaller |= fewer_rows();
      smaller |= fewer_columns();
      smaller |= simpler_options();
      smaller |= simpler_weights();
      smaller |= fewer_values();
      smaller |= fewer_classes();
    }
    drop_names();
    return case_;
  }

 private:
  template <class Change>
  bool attempt(const Change& change) {
    Case smaller = case_;
    change(smaller);
    if (!fails_(smaller)) return false;
    case_ = std::move(smaller);
    return true;
  }

  bool fewer_rows() {
    bool any = false;
    for (std::size_t chunk = std::max<std::size_t>(1, case_.data.rows() / 2); chunk > 0; chunk /= 2) {
      for (std::size_t begin = 0; begin < case_.data.rows();) {
        const bool removed = attempt([&](Case& c) {
          std::vector<std::int32_t> kept;
          for (std::size_t row = 0; row < c.data.rows(); ++row) {
            if (row < begin || row >= begin + chunk) kept.push_back(static_cast<std::int32_t>(row));
          }
          c.data = c.data.subset(kept);
        });
        any |= removed;
        if (!removed) begin += chunk;
      }
    }
    return any;
  }

  bool fewer_columns() {
    bool any = false;
    for (std::size_t f = 0; f < case_.data.features();) {
      const bool removed = attempt([&](Case& c) { c.data.columns.erase(c.data.columns.begin() + static_cast<std::ptrdiff_t>(f)); });
      any |= removed;
      if (!removed) ++f;
    }
    return any;
  }

  bool simpler_options() {
    bool any = false;
    for (const OptionInfo& info : option_table()) {
      const std::string usual = get_option(Options(), info.name);
      if (info.name == "method" || info.name == "max_depth" || get_option(case_.options, info.name) == usual) continue;
      any |= attempt([&](Case& c) { set_option(c.options, info.name, usual); });
    }
    const std::vector<std::string> names = words_of(case_.options.disable, ',');
    for (std::size_t out = 0; names.size() > 1 && out < names.size(); ++out) {
      const bool removed = attempt([&](Case& c) {
        c.options.disable.clear();
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (i != out) c.options.disable += (c.options.disable.empty() ? "" : ",") + names[i];
        }
      });
      if (removed) return true;  // `names` is out of date
    }
    while (case_.options.max_depth > 0 && attempt([](Case& c) { --c.options.max_depth; })) any = true;
    if (case_.options.n_jobs > 2) any |= attempt([](Case& c) { c.options.n_jobs = 2; });
    return any;
  }

  bool simpler_weights() {
    const auto clear_costs = [](Case& c) { c.data.costs.clear(), c.data.row_costs.clear(); };
    if (case_.data.has_costs() && attempt(clear_costs)) return true;
    if (case_.data.weights.empty()) return false;
    if (attempt([](Case& c) { c.data.weights.clear(); })) return true;
    bool any = false;
    for (std::size_t row = 0; row < case_.data.rows(); ++row) {
      if (case_.data.weights[row] != 1) any |= attempt([&](Case& c) { c.data.weights[row] = 1; });
    }
    return any;
  }

  // Numbers become their ranks, two neighboring values or levels become one, missing values become values.
  bool fewer_values() {
    bool any = false;
    for (std::size_t f = 0; f < case_.data.features(); ++f) {
      any |= case_.data.columns[f].kind == ColumnKind::numeric ? fewer_numbers(f) : fewer_levels(f);
    }
    return any;
  }

  std::set<double> numbers(std::size_t f) const {
    std::set<double> values;
    for (const double v : case_.data.columns[f].values) {
      if (!std::isnan(v)) values.insert(v);
    }
    return values;
  }

  bool fewer_numbers(std::size_t f) {
    bool any = false;
    std::map<double, double> rank;
    bool ranked = true;
    for (const double v : numbers(f)) ranked &= v == static_cast<double>(rank.size()), rank.emplace(v, rank.size());
    const auto change = [&](const auto& to) {
      return attempt([&](Case& c) {
        for (double& v : c.data.columns[f].values) v = to(v);
      });
    };
    if (!ranked) any |= change([&](double v) { return std::isnan(v) ? v : rank.at(v); });
    const std::set<double> values = numbers(f);
    for (auto high = values.begin(); high != values.end(); ++high) {
      if (high == values.begin()) continue;
      any |= change([&](double v) { return v == *high ? *std::prev(high) : v; });
    }
    if (!values.empty() && case_.data.columns[f].has_missing())
      any |= change([&](double v) { return std::isnan(v) ? *values.begin() : v; });
    return any;
  }

  bool fewer_levels(std::size_t f) {
    bool any = false;
    const auto change = [&](std::int32_t from, std::int32_t to) {
      return attempt([&](Case& c) { std::replace(c.data.columns[f].codes.begin(), c.data.columns[f].codes.end(), from, to); });
    };
    const std::set<std::int32_t> codes(case_.data.columns[f].codes.begin(), case_.data.columns[f].codes.end());
    for (auto code = codes.begin(); code != codes.end() && codes.size() > 1; ++code) {
      if (code != codes.begin()) any |= change(*code, *std::prev(code));
    }
    if (codes.contains(-1)) any |= change(-1, 0);
    return any;
  }

  bool fewer_classes() {
    bool any = false;
    const std::set<std::int32_t> labels(case_.data.labels.begin(), case_.data.labels.end());
    for (const std::int32_t label : labels) {
      if (label == *labels.begin()) continue;
      any |= attempt([&](Case& c) { std::replace(c.data.labels.begin(), c.data.labels.end(), label, *labels.begin()); });
    }
    return any;
  }

  // Levels and classes that do not occur: a file would lose them.
  void drop_names() {
    const auto compact = [](std::vector<std::string>& names, std::vector<std::int32_t>& codes) {
      std::set<std::int32_t> used(codes.begin(), codes.end());
      used.erase(-1);
      std::map<std::int32_t, std::int32_t> place = {{-1, -1}};
      std::vector<std::string> kept;
      for (const std::int32_t code : used) place[code] = static_cast<std::int32_t>(kept.size()), kept.push_back(names[code]);
      for (std::int32_t& code : codes) code = place[code];
      names = kept;
    };
    attempt([&](Case& c) {
      const std::set<std::int32_t> used(c.data.labels.begin(), c.data.labels.end());
      std::vector<double> costs, row_costs;
      for (std::size_t i = 0; i < c.data.row_costs.size(); ++i) {
        if (used.contains(static_cast<std::int32_t>(i % c.data.classes()))) row_costs.push_back(c.data.row_costs[i]);
      }
      c.data.row_costs = std::move(row_costs);
      for (std::size_t i = 0; i < c.data.costs.size(); ++i) {
        const auto truth = static_cast<std::int32_t>(i / c.data.classes()), label = static_cast<std::int32_t>(i % c.data.classes());
        if (used.contains(truth) && used.contains(label)) costs.push_back(c.data.costs[i]);
      }
      c.data.costs = std::move(costs);
      compact(c.data.class_names, c.data.labels);
    });
    for (std::size_t f = 0; f < case_.data.features(); ++f) {
      if (case_.data.columns[f].kind == ColumnKind::categorical)
        attempt([&](Case& c) { compact(c.data.columns[f].levels, c.data.columns[f].codes); });
    }
  }

  Case case_;
  std::function<bool(const Case&)> fails_;
};

}  // namespace treewright::testing
