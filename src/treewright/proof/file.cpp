// Proof files: one line of text that names the format, one line of JSON with the table and the claim, the body in bytes, and a checksum.
//
// There is one way to write a header. So it is read, written again, and must come out the same: doubled keys, blanks and other spellings of
// a number or a text are refused without a rule for each. What remains are the kinds of the values, their ranges, and the order of lists.

#include "treewright/proof/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "treewright/base/hash.h"
#include "treewright/error.h"

namespace treewright::proof {

namespace {

using Json = nlohmann::ordered_json;

// The second one: with a least number of rows in a leaf. Equally long.
constexpr std::string_view kFirstLine = "treewright proof 3\n", kFirstLineOfLeaves = "treewright proof 4\n";
constexpr std::size_t kChecksumBytes = 16;
constexpr int kDeepest = 60, kFinestGrid = 52;

// What is wrong with a header, for the sentence that refuses it.
struct Fault {
  std::string problem;
};

[[noreturn]] void fault(std::string problem) {
  throw Fault{std::move(problem)};
}

Json to_json(const Level& level) {
  return level ? Json(*level) : Json();
}

Json to_json(const Binary& number) {
  return Json::array({number.mantissa, number.exponent});
}

Json to_json(const Reader& reader) {
  Json json = {{"target", to_json(reader.target)}, {"against_rest", to_json(reader.against_rest)}, {"cost_matrix", nullptr},
               {"cost_columns", nullptr},          {"weights", to_json(reader.weights)},           {"class_weights", nullptr}};
  for (const std::vector<Binary>& line : reader.cost_matrix) {
    Json& costs = json["cost_matrix"].emplace_back(Json::array());
    for (const Binary& cost : line) costs.push_back(to_json(cost));
  }
  if (!reader.cost_columns.empty()) json["cost_columns"] = reader.cost_columns;
  if (reader.class_weights) {
    Json& weights = json["class_weights"] = Json::array();
    for (const auto& [name, weight] : *reader.class_weights) weights.push_back(Json::array({name, to_json(weight)}));
  }
  json["missing"] = reader.missing;
  json["categories"] = reader.categories;
  Json& written = json["written"] = Json::array();
  for (const auto& [name, reading] : reader.written) written.push_back(Json::array({name, reading}));
  json["left_out"] = reader.left_out;
  return json;
}

Json to_json(const Ordering& ordering) {
  Json json = {{"column", ordering.column}, {"name", ordering.name}};
  switch (ordering.form) {
    case Ordering::Form::numbers:
      break;
    case Ordering::Form::missing_last:
      json["missing"] = "last";
      break;
    case Ordering::Form::missing_first:
      json["missing"] = "first";
      break;
    case Ordering::Form::level:
      json["level"] = to_json(ordering.levels.front().front());
      break;
    case Ordering::Form::levels:
      Json& groups = json["levels"] = Json::array();
      for (const std::vector<Level>& group : ordering.levels) {
        Json& levels = groups.emplace_back(Json::array());
        for (const Level& level : group) levels.push_back(to_json(level));
      }
  }
  return json;
}

// An object with exactly these keys, in their order.
void expect_keys(const Json& json, const std::vector<std::string_view>& keys, std::string_view what) {
  if (!json.is_object()) fault(fmt::format("{} is no object", what));
  std::size_t i = 0;
  for (const auto& [key, value] : json.items()) {
    if (i == keys.size() || key != keys[i]) fault(fmt::format("{} has the key '{}' out of place", what, key));
    ++i;
  }
  if (i < keys.size()) fault(fmt::format("{} lacks the key '{}'", what, keys[i]));
}

std::int64_t whole(const Json& json, std::int64_t least, std::int64_t most, std::string_view what) {
  if (!json.is_number_integer()) fault(fmt::format("{} is no whole number", what));
  // A number that no std::int64_t holds is unsigned here.
  const bool large = json.is_number_unsigned() && json.get<std::uint64_t>() >= static_cast<std::uint64_t>(kNumbersEnd);
  if (large || json.get<std::int64_t>() < least || json.get<std::int64_t>() > most)
    fault(fmt::format("{} is {}, outside {} to {}", what, json.dump(), least, most));
  return json.get<std::int64_t>();
}

std::string text(const Json& json, std::string_view what) {
  if (!json.is_string()) fault(fmt::format("{} is no text", what));
  return json.get<std::string>();
}

const Json& list(const Json& json, std::string_view what) {
  if (!json.is_array()) fault(fmt::format("{} is no list", what));
  return json;
}

std::vector<std::string> texts(const Json& json, std::string_view what) {
  std::vector<std::string> result;
  for (const Json& entry : list(json, what)) result.push_back(text(entry, what));
  return result;
}

const Json& pair(const Json& json, std::string_view what) {
  if (list(json, what).size() != 2) fault(fmt::format("{} is no pair", what));
  return json;
}

// From the least mantissa that is allowed.
Binary binary(const Json& json, std::int64_t least, std::string_view what) {
  const Json& parts = pair(json, what);
  const Binary number{whole(parts[0], least, kNumbersEnd - 1, what), static_cast<int>(whole(parts[1], -1074, 1023, what))};
  if (number != Binary{0, 0} && number.mantissa % 2 == 0)
    fault(fmt::format("{} is {}, which is not written as an odd number", what, json.dump()));
  if (!std::isfinite(number.value())) fault(fmt::format("{} is infinite", what));
  return number;
}

// Whether a list has an entry twice; `ascending`: or one that is not behind the one before.
void expect_distinct(const std::vector<std::string>& names, bool ascending, std::string_view what) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!seen.insert(names[i]).second) fault(fmt::format("{} has '{}' twice", what, names[i]));
    if (ascending && i > 0 && names[i] < names[i - 1]) fault(fmt::format("{} has '{}' out of order", what, names[i]));
  }
}

std::vector<std::string> names_of(const auto& pairs) {
  std::vector<std::string> names;
  for (const auto& entry : pairs) names.push_back(entry.first);
  return names;
}

std::optional<std::string> text_or_null(const Json& json, std::string_view what) {
  return json.is_null() ? std::optional<std::string>() : text(json, what);
}

std::vector<std::vector<Binary>> matrix_from(const Json& json) {
  constexpr std::string_view kName = "'cost_matrix'";
  std::vector<std::vector<Binary>> matrix;
  if (json.is_null()) return matrix;
  for (const Json& line : list(json, kName)) {
    std::vector<Binary>& costs = matrix.emplace_back();
    for (const Json& cost : list(line, kName)) costs.push_back(binary(cost, 1 - kNumbersEnd, kName));
  }
  const bool square = std::all_of(matrix.begin(), matrix.end(), [&](const auto& line) { return line.size() == matrix.size(); });
  if (matrix.empty() || !square) fault("'cost_matrix' has not a line and a column for each class");
  return matrix;
}

// Labels are classes of the target, or columns of costs.
void read_labels(const Json& json, Reader& reader) {
  reader.target = text_or_null(json["target"], "'target'");
  reader.against_rest = text_or_null(json["against_rest"], "'against_rest'");
  reader.cost_matrix = matrix_from(json["cost_matrix"]);
  if (!json["cost_columns"].is_null()) {
    reader.cost_columns = texts(json["cost_columns"], "'cost_columns'");
    if (reader.cost_columns.size() < 2) fault("'cost_columns' has less than two labels");
  }
  if (reader.target.has_value() != reader.cost_columns.empty()) fault("there must be a target or columns of costs, and not both");
  if (!reader.target && (reader.against_rest || !reader.cost_matrix.empty() || !json["class_weights"].is_null()))
    fault("there is no target, and something is said of its classes");
}

Reader reader_from(const Json& json) {
  expect_keys(
      json,
      {"target", "against_rest", "cost_matrix", "cost_columns", "weights", "class_weights", "missing", "categories", "written", "left_out"},
      "'reader'");
  Reader reader;
  read_labels(json, reader);
  reader.weights = text_or_null(json["weights"], "'weights'");
  if (!json["class_weights"].is_null()) {
    auto& weights = reader.class_weights.emplace();
    for (const Json& entry : list(json["class_weights"], "'class_weights'")) {
      weights.emplace_back(text(pair(entry, "'class_weights'")[0], "'class_weights'"), binary(entry[1], 0, "'class_weights'"));
    }
    expect_distinct(names_of(weights), true, "'class_weights'");
  }
  reader.missing = texts(json["missing"], "'missing'");
  expect_distinct(reader.missing, true, "'missing'");
  if (!reader.missing.empty() && reader.missing.front().empty()) fault("'missing' lists the empty text, which is always missing");
  reader.categories = texts(json["categories"], "'categories'");
  for (const Json& entry : list(json["written"], "'written'"))
    reader.written.emplace_back(text(pair(entry, "'written'")[0], "'written'"), text(entry[1], "'written'"));
  reader.left_out = texts(json["left_out"], "'left_out'");
  // A column has one place among these.
  std::vector<std::string> named = reader.cost_columns;
  if (reader.target) named.push_back(*reader.target);
  if (reader.weights) named.push_back(*reader.weights);
  for (const auto& names : {reader.categories, names_of(reader.written), reader.left_out})
    named.insert(named.end(), names.begin(), names.end());
  expect_distinct(named, false, "'reader'");
  return reader;
}

Level level_from(const Json& json) {
  return json.is_null() ? Level() : Level(text(json, "a level"));
}

Ordering ordering_from(const Json& json) {
  Ordering ordering;
  if (json.contains("missing")) {
    expect_keys(json, {"column", "name", "missing"}, "an ordering");
    const std::string side = text(json["missing"], "the side of missing values");
    if (side != "first" && side != "last") fault(fmt::format("an ordering has missing values '{}'", side));
    ordering.form = side == "first" ? Ordering::Form::missing_first : Ordering::Form::missing_last;
  } else if (json.contains("level")) {
    expect_keys(json, {"column", "name", "level"}, "an ordering");
    ordering.form = Ordering::Form::level;
    ordering.levels = {{level_from(json["level"])}};
  } else if (json.contains("levels")) {
    expect_keys(json, {"column", "name", "levels"}, "an ordering");
    ordering.form = Ordering::Form::levels;
    for (const Json& group : list(json["levels"], "'levels'")) {
      std::vector<Level>& levels = ordering.levels.emplace_back();
      for (const Json& level : list(group, "a group of levels")) levels.push_back(level_from(level));
    }
  } else {
    expect_keys(json, {"column", "name"}, "an ordering");
  }
  ordering.column = whole(json["column"], 0, kNumbersEnd - 1, "the column of an ordering");
  ordering.name = text(json["name"], "the name of a column");
  return ordering;
}

Json parsed(std::string_view line) {
  // The parser does not recur, but to write a value and to end it does.
  constexpr int kDeepestNesting = 8;
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepestNesting) fault("its header is nested too deeply");
    return true;
  };
  try {
    Json json = Json::parse(line, shallow);
    if (json.dump() != line)
      fault("its header is not written in the one way that the format has (blanks, a doubled key, an odd number or text)");
    return json;
  } catch (const nlohmann::json::exception&) {
    fault("its header is no JSON");
  }
}

// `of_leaves`: of format 4.
Proof header_from(std::string_view line, bool of_leaves, std::size_t& body_bytes) {
  const Json json = parsed(line);
  std::vector<std::string_view> keys{"made_by", "reader",     "rows",  "table", "unit",      "grid",
                                     "depth",   "max_splits", "price", "bound", "orderings", "bytes"};
  if (of_leaves) keys.insert(keys.begin() + 8, "min_rows");
  expect_keys(json, keys, "the header");
  text(json["made_by"], "'made_by'");
  Proof proof;
  proof.reader = reader_from(json["reader"]);
  proof.rows = whole(json["rows"], 0, kNumbersEnd - 1, "'rows'");
  proof.table = text(json["table"], "'table'");
  proof.unit = binary(json["unit"], 1, "'unit'");
  proof.grid = static_cast<int>(whole(json["grid"], 0, kFinestGrid, "'grid'"));
  proof.depth = static_cast<std::int32_t>(whole(json["depth"], 0, kDeepest, "'depth'"));
  if (!json["max_splits"].is_null()) proof.max_splits = whole(json["max_splits"], 0, kMostSplits, "'max_splits'");
  if (of_leaves) proof.min_rows = whole(json["min_rows"], 2, kNumbersEnd - 1, "'min_rows'");
  proof.price = whole(json["price"], 0, kNumbersEnd - 1, "'price'");
  proof.bound = whole(json["bound"], 0, kNumbersEnd - 1, "'bound'");
  for (const Json& ordering : list(json["orderings"], "'orderings'")) proof.orderings.push_back(ordering_from(ordering));
  body_bytes = static_cast<std::size_t>(whole(json["bytes"], 0, kNumbersEnd - 1, "'bytes'"));
  return proof;
}

}  // namespace

void refuse(const std::string& origin, const std::string& problem) {
  throw Error(origin, problem, kAnotherProof, ErrorKind::file);
}

std::string to_bytes(const Proof& proof, std::string_view made_by) {
  Json header = {{"made_by", std::string(made_by)},
                 {"reader", to_json(proof.reader)},
                 {"rows", proof.rows},
                 {"table", proof.table},
                 {"unit", to_json(proof.unit)},
                 {"grid", proof.grid},
                 {"depth", proof.depth},
                 {"max_splits", proof.max_splits ? Json(*proof.max_splits) : Json()}};
  if (proof.min_rows > 1) header["min_rows"] = proof.min_rows;
  header["price"] = proof.price;
  header["bound"] = proof.bound;
  Json& orderings = header["orderings"] = Json::array();
  for (const Ordering& ordering : proof.orderings) orderings.push_back(to_json(ordering));
  header["bytes"] = proof.body.size();
  std::string bytes = fmt::format("{}{}\n{}", proof.min_rows > 1 ? kFirstLineOfLeaves : kFirstLine, header.dump(), proof.body);
  return bytes + hash_text(hash(bytes));
}

Proof from_bytes(std::string_view bytes, const std::string& origin) {
  for (const std::string_view old : {"1", "2"}) {
    if (bytes.starts_with(fmt::format("treewright proof {}\n", old))) {
      throw Error(origin, fmt::format("is a proof of format {}, and this is a reader of formats 3 and 4", old),
                  "write it anew with fit --proof", ErrorKind::file);
    }
  }
  const std::size_t header_end = bytes.find('\n', kFirstLine.size());
  const bool of_leaves = bytes.starts_with(kFirstLineOfLeaves);
  if (!of_leaves && !bytes.starts_with(kFirstLine)) refuse(origin, "is no proof");
  if (header_end == bytes.npos || bytes.size() - header_end - 1 < kChecksumBytes) refuse(origin, "was cut off");
  const std::string_view line = bytes.substr(kFirstLine.size(), header_end - kFirstLine.size());
  const std::string_view body = bytes.substr(header_end + 1, bytes.size() - header_end - 1 - kChecksumBytes);
  if (hash_text(hash(bytes.substr(0, bytes.size() - kChecksumBytes))) != bytes.substr(bytes.size() - kChecksumBytes))
    refuse(origin, "is damaged: its checksum does not match");
  try {
    std::size_t size = 0;
    Proof proof = header_from(line, of_leaves, size);
    if (size != body.size()) fault(fmt::format("its body has {} bytes, and 'bytes' says {}", body.size(), size));
    proof.body = body;
    return proof;
  } catch (const Fault& found) {
    refuse(origin, fmt::format("is no proof of format {}: {}", of_leaves ? 4 : 3, found.problem));
  }
}

}  // namespace treewright::proof
