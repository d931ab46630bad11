// Proof files: one line of text that names the format, one line of JSON with the claim, the body in bytes, and a checksum.

#include "treewright/proof/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "treewright/base/hash.h"
#include "treewright/base/json_integer.h"
#include "treewright/error.h"

namespace treewright::proof {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFirstLine = "treewright proof 1\n";
constexpr std::size_t kChecksumBytes = 16;
// Of files that strangers may have written.
constexpr int kDeepest = 60;

// Names in another encoding lose the bytes that JSON cannot hold, here and in what they are compared with.
std::string written(const std::string& name) {
  const std::string quoted = Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(quoted).get<std::string>();
}

Json to_json(const Ordering& ordering, const Dataset& data) {
  const Column& column = data.columns[static_cast<std::size_t>(ordering.column)];
  Json json = {{"column", ordering.column}, {"name", written(column.name)}};
  if (column.kind == ColumnKind::numeric) {
    if (column.has_missing()) json["missing"] = ordering.missing_first ? "first" : "last";
    return json;
  }
  Json& ranks = json["levels"] = Json::array();
  for (const std::vector<std::int32_t>& group : ordering.levels) {
    Json levels = Json::array();
    for (const std::int32_t level : group)
      levels.push_back(level < 0 ? Json() : Json(written(column.levels[static_cast<std::size_t>(level)])));
    ranks.push_back(levels.size() == 1 ? levels[0] : levels);
  }
  return json;
}

// The levels of each category by their names.
using LevelNames = std::vector<std::map<std::string, std::int32_t>>;

LevelNames level_names(const Dataset& data) {
  LevelNames names(data.features());
  for (std::size_t c = 0; c < data.features(); ++c) {
    const std::vector<std::string>& levels = data.columns[c].levels;
    for (std::size_t l = 0; l < levels.size(); ++l) names[c].emplace(written(levels[l]), static_cast<std::int32_t>(l));
  }
  return names;
}

// As many as the orderings that any columns have: of numbers at most 2, of all sets of twelve levels 462, and beyond that one for each level and
// each class.
std::size_t most_orderings(const Dataset& data) {
  std::size_t most = 0;
  for (const Column& column : data.columns) most += 462 + column.levels.size() + 1 + data.classes();
  return most;
}

Ordering from_json(const Json& json, const Dataset& data, const LevelNames& names) {
  Ordering ordering;
  ordering.column = integer<std::int32_t>(json.at("column"));
  if (ordering.column < 0 || static_cast<std::size_t>(ordering.column) >= data.features())
    throw std::out_of_range("a column that the data lack");
  const Column& column = data.columns[static_cast<std::size_t>(ordering.column)];
  const auto name = json.at("name").get<std::string>();
  if (name != written(column.name)) throw std::out_of_range(fmt::format("column '{}' where the data have '{}'", name, column.name));
  if (json.contains("levels") != (column.kind == ColumnKind::categorical))
    throw std::out_of_range(fmt::format("another kind of column '{}'", name));
  if (column.kind == ColumnKind::numeric) {
    ordering.missing_first = json.value("missing", "last") == "first";
    return ordering;
  }
  const auto level_of = [&](const Json& level) {
    if (level.is_null()) return std::int32_t{-1};
    const auto found = names[static_cast<std::size_t>(ordering.column)].find(level.get<std::string>());
    if (found == names[static_cast<std::size_t>(ordering.column)].end())
      throw std::out_of_range(fmt::format("a category of '{}' that the data lack", name));
    return found->second;
  };
  for (const Json& rank : json.at("levels")) {
    std::vector<std::int32_t>& group = ordering.levels.emplace_back();
    if (!rank.is_array()) {
      group.push_back(level_of(rank));
      continue;
    }
    for (const Json& level : rank) group.push_back(level_of(level));
  }
  return ordering;
}

}  // namespace

std::string to_bytes(const Proof& proof, const Dataset& data, std::string_view made_by) {
  Json header = {{"made_by", std::string(made_by)},
                 {"rows", data.rows()},
                 {"target", written(data.target_name)},
                 {"depth", proof.depth},
                 {"price", proof.price},
                 {"bound", proof.bound},
                 {"grid", proof.grid},
                 {"unit", proof.unit},
                 {"bytes", proof.body.size()}};
  Json& orderings = header["orderings"] = Json::array();
  for (const Ordering& ordering : proof.orderings) orderings.push_back(to_json(ordering, data));
  std::string bytes = fmt::format("{}{}\n{}", kFirstLine, header.dump(), proof.body);
  return bytes + hash_text(hash(bytes));
}

Proof from_bytes(std::string_view bytes, const Dataset& data, const std::string& origin) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(origin, problem, "give the file that fit --proof wrote for these rows", ErrorKind::file);
  };
  const std::size_t header_end = bytes.find('\n', kFirstLine.size());
  if (!bytes.starts_with(kFirstLine) || header_end == bytes.npos) refuse("is no proof, or one of another version");
  Proof proof;
  try {
    const Json header = Json::parse(bytes.substr(kFirstLine.size(), header_end - kFirstLine.size()));
    const auto size = integer<std::size_t>(header.at("bytes"));
    const std::string_view rest = bytes.substr(header_end + 1);
    if (rest.size() < kChecksumBytes || rest.size() - kChecksumBytes != size) throw std::out_of_range("it was cut off");
    if (hash_text(hash(bytes.substr(0, bytes.size() - kChecksumBytes))) != rest.substr(size))
      throw std::out_of_range("its checksum does not match");
    if (integer<std::size_t>(header.at("rows")) != data.rows()) {
      throw std::out_of_range(fmt::format("it speaks of {} rows, the data have {}", integer<std::size_t>(header.at("rows")), data.rows()));
    }
    proof.depth = integer<std::int32_t>(header.at("depth"));
    proof.price = header.at("price").get<double>();
    proof.bound = header.at("bound").get<double>();
    proof.unit = header.at("unit").get<double>();
    proof.grid = header.at("grid").get<double>();
    int exponent = 0;
    if (proof.depth < 0 || proof.depth > kDeepest) throw std::out_of_range("its depth");
    if (!(proof.price >= 0) || !std::isfinite(proof.bound) || !(proof.grid > 0) || proof.grid > 1 ||
        std::frexp(proof.grid, &exponent) != 0.5) {
      throw std::out_of_range("its numbers");
    }
    if (header.at("orderings").size() > most_orderings(data)) throw std::out_of_range("more orderings than any columns have");
    const LevelNames names = level_names(data);
    for (const Json& ordering : header.at("orderings")) proof.orderings.push_back(from_json(ordering, data, names));
    proof.body = rest.substr(0, size);
  } catch (const nlohmann::json::exception&) {
    refuse("is damaged: its second line is not what a proof begins with");
  } catch (const std::out_of_range& problem) {
    refuse(fmt::format("does not fit: {}", problem.what()));
  }
  return proof;
}

void Writer::number(std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes_.push_back(static_cast<char>(value | 128));
  bytes_.push_back(static_cast<char>(value));
}

double grid_of(double price) {
  double grid = 1;
  while (std::fmod(price, grid) != 0) grid /= 2;
  return grid;
}

double trivial_bound(std::vector<double> class_weights, int depth, double price) {
  std::sort(class_weights.begin(), class_weights.end(), std::greater<>());
  double rest = std::accumulate(class_weights.begin(), class_weights.end(), 0.0), paid = -price;
  double least = std::numeric_limits<double>::infinity();
  const double leaves = std::ldexp(1.0, depth);
  // More leaves than classes cost more and save nothing.
  for (std::size_t j = 0; j < class_weights.size() && static_cast<double>(j) < leaves; ++j) {
    rest -= class_weights[j];
    paid += price;
    least = std::min(least, paid + rest);
  }
  return class_weights.empty() ? 0 : least;
}

}  // namespace treewright::proof
