// Which column of a file is the target, which the weights, which are left out, and which kinds the user
// wants.
//
// Every reader finds the names first, asks for the plan, and only then reads cells, so that the target is
// read as text from the first row on and cells of dropped columns are never looked at.

#include "treewright/data/column_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <unordered_map>

#include "treewright/error.h"

namespace treewright {

namespace {

// Edit distance of Levenshtein with one row of the table.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

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

std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names) {
  // A long name is near when up to a third of it differs; very long texts are not worth the square of their
  // length.
  constexpr std::size_t kLongest = 200;
  std::size_t best = kLongest;
  const std::string* nearest = nullptr;
  for (const std::string& name : names) {
    if (wanted.size() > kLongest || name.size() > kLongest) continue;
    const std::size_t distance = edit_distance(wanted, name);
    if (distance < best && distance <= std::max<std::size_t>(1, std::max(wanted.size(), name.size()) / 3)) {
      best = distance;
      nearest = &name;
    }
  }
  return nearest == nullptr ? "" : fmt::format(" (did you mean '{}'?)", *nearest);
}

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
  if (options.target) give_role(*options.target, ColumnRole::target, "target");
  if (options.weights) give_role(*options.weights, ColumnRole::weight, "weights");
  for (const std::string& spec : options.drop) give_role(spec, ColumnRole::dropped, "columns to drop");
  for (const auto& [spec, kind] : options.kinds) {
    const std::size_t column = find_column(names, spec, "column kinds", origin);
    if (plans[column].role == ColumnRole::target || plans[column].role == ColumnRole::weight) {
      throw Error(fmt::format("{}, column '{}'", origin, names[column]),
                  fmt::format("is {}: its kind cannot be chosen", describe(plans[column].role)), "leave its kind out");
    }
    plans[column].kind = kind;
  }
  return plans;
}

Reading reading_of(const std::vector<std::string>& names, const std::vector<ColumnPlan>& plans, const ReadOptions& options) {
  Reading reading{true, options.missing, {}, "", {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (plans[i].role == ColumnRole::dropped) reading.left_out.push_back(names[i]);
    if (plans[i].role == ColumnRole::weight) reading.weights = names[i];
  }
  return reading;
}

}  // namespace treewright
