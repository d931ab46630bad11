// Which column of a file is the target, which the weights, which are left out, and which kinds the user
// wants.
//
// Every reader finds the names first, asks for the plan, and only then reads cells, so that the target is
// read as text from the first row on and cells of dropped columns are never looked at.

#include "treewright/data/read/column_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "treewright/base/did_you_mean.h"
#include "treewright/error.h"

namespace treewright {

namespace {

constexpr const char* kCostColumns = "columns of costs (--cost-columns)";

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  const std::size_t shown = std::min(names.size(), kShown);
  std::string list = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > kShown) list += fmt::format(", ... and {} more", names.size() - kShown);
  return list;
}

void check_distinct(const std::vector<std::string>& names, const std::string& origin) {
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [found, fresh] = first.emplace(names[i], i);
    if (!fresh) {
      throw Error(fmt::format("{}, column '{}'", origin, names[i]),
                  fmt::format("columns {} and {} have the same name", found->second + 1, i + 1), "rename one of the columns");
    }
  }
}

const char* describe(ColumnRole role) {
  switch (role) {
    case ColumnRole::feature:
      return "a feature";
    case ColumnRole::target:
      return "the target";
    case ColumnRole::weight:
      return "the weights";
    case ColumnRole::dropped:
      return "dropped";
  }
  return "";
}

}  // namespace

std::size_t find_column(const std::vector<std::string>& names, const std::string& spec, const std::string& what,
                        const std::string& origin) {
  const auto found = std::find(names.begin(), names.end(), spec);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::int64_t index = 0;
  const auto count = static_cast<std::int64_t>(names.size());
  const auto [end, code] = std::from_chars(spec.data(), spec.data() + spec.size(), index);
  if (code == std::errc() && end == spec.data() + spec.size()) {
    const std::int64_t place = index < 0 ? index + count : index;
    if (place >= 0 && place < count) return static_cast<std::size_t>(place);
    throw Error(fmt::format("{}, {}", origin, what), fmt::format("there is no column {}: the file has {} columns", index, count),
                fmt::format("use an index in {}..{} or one of the names {}", -count, count - 1, list_names(names)));
  }
  throw Error(fmt::format("{}, {}", origin, what), fmt::format("there is no column '{}'{}", spec, did_you_mean(spec, names)),
              fmt::format("use one of {}", list_names(names)));
}

std::vector<ColumnPlan> plan_columns(const std::vector<std::string>& names, const ReadOptions& options, const std::string& origin) {
  check_distinct(names, origin);
  std::vector<ColumnPlan> plans(names.size());
  const auto give_role = [&](const std::string& spec, ColumnRole role, const std::string& what) {
    const std::size_t column = find_column(names, spec, what, origin);
    ColumnRole& present = plans[column].role;
    if (present != ColumnRole::feature && present != role) {
      throw Error(fmt::format("{}, column '{}'", origin, names[column]),
                  fmt::format("is {} and {} at once", describe(present), describe(role)), "name another column for one of them");
    }
    present = role;
  };
  const bool known = std::find(names.begin(), names.end(), options.known_target) != names.end();
  if (options.target) give_role(known ? options.known_target : *options.target, ColumnRole::target, "target");
  if (options.weights) give_role(*options.weights, ColumnRole::weight, "weights");
  for (const std::string& spec : options.drop) give_role(spec, ColumnRole::dropped, "columns to drop (--drop)");
  for (const std::string& spec : options.cost_columns) {
    const std::size_t column = find_column(names, spec, kCostColumns, origin);
    if (plans[column].role != ColumnRole::feature) {
      throw Error(fmt::format("{}, column '{}'", origin, names[column]),
                  fmt::format("is {} and holds costs at once", describe(plans[column].role)), "name another column for one of them");
    }
  }
  const auto give_kind = [&](const std::string& spec, ColumnKind kind, const char* what) {
    const std::size_t column = find_column(names, spec, what, origin);
    if (plans[column].role == ColumnRole::target || plans[column].role == ColumnRole::weight) {
      throw Error(fmt::format("{}, column '{}'", origin, names[column]),
                  fmt::format("is {}: its kind cannot be chosen", describe(plans[column].role)), "leave its kind out");
    }
    if (plans[column].kind.value_or(kind) != kind) {
      throw Error(fmt::format("{}, column '{}'", origin, names[column]), "is said to be of two kinds", "name it with one of the flags",
                  ErrorKind::usage);
    }
    plans[column].kind = kind;
  };
  for (const auto& [spec, kind] : options.kinds) give_kind(spec, kind, "column kinds (--numeric, --categorical)");
  // Their cells are read as texts, and ordered afterwards (ordered_levels.h).
  for (const auto& [spec, levels] : options.ordered) give_kind(spec, ColumnKind::categorical, "columns of ordered levels (--ordered)");
  for (const std::string& name : options.categories) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;
    ColumnPlan& plan = plans[static_cast<std::size_t>(found - names.begin())];
    if (plan.role == ColumnRole::feature && !plan.kind) plan.kind = ColumnKind::categorical;
  }
  return plans;
}

ReadOptions labels_of_costs(const ReadOptions& given, const std::string& origin) {
  ReadOptions options = given;
  if (options.cost_columns.empty()) return options;
  const bool named = options.target && options.target != ReadOptions().target;
  if (named || options.bins > 0 || !options.edges.empty() || options.target_classes || !options.against_rest.empty() ||
      options.drop_unlabeled) {
    throw Error(origin + ", cost columns", "the labels are these columns, and there is no target beside them",
                "leave out what is said of the target, and name the column with --drop if it is no feature", ErrorKind::usage);
  }
  options.target.reset();
  return options;
}

std::vector<std::string> cost_columns_of(const std::vector<std::string>& names, const ReadOptions& options) {
  std::vector<std::string> columns;
  for (const std::string& spec : options.cost_columns) columns.push_back(names[find_column(names, spec, kCostColumns, "")]);
  return columns;
}

Reading reading_of(const std::vector<std::string>& names, const std::vector<ColumnPlan>& plans, const ReadOptions& options) {
  Reading reading;
  reading.of_file = true;
  reading.missing = options.missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (plans[i].role == ColumnRole::dropped) reading.left_out.push_back(names[i]);
    if (plans[i].role == ColumnRole::weight) reading.weights = names[i];
  }
  reading.columns = names;
  reading.costs = cost_columns_of(names, options);
  return reading;
}

}  // namespace treewright
