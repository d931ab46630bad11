// Proof files: one line of text that names the format, one line of JSON with the table and the claim, the body in bytes, and a checksum.
//
// There is one way to write a header. So it is read, written again, and must come out the same: doubled keys, blanks and other spellings of
// a number or a text are refused without a rule for each. What remains are the kinds of the values, their ranges, and the order of lists.

#include "treewright/proof/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "treewright/base/hash.h"
#include "treewright/error.h"

namespace treewright::proof {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFirstLine = "treewright proof 1\n";
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

Json to_json(const Ordering& ordering) {
  Json json = {{"column", ordering.column}};
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

Json to_json(const TopPlace& place) {
  if (place.kind == TopPlace::Kind::split) return Json::array({place.ordering, place.rank});
  return place.kind == TopPlace::Kind::leaf ? "leaf" : "...";
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

const Json& pair(const Json& json, std::string_view what) {
  if (list(json, what).size() != 2) fault(fmt::format("{} is no pair", what));
  return json;
}

Binary binary(const Json& json, std::string_view what) {
  const Json& parts = pair(json, what);
  const Binary number{whole(parts[0], 1, kNumbersEnd - 1, what), static_cast<int>(whole(parts[1], -1074, 1023, what))};
  if (number.mantissa % 2 == 0) fault(fmt::format("{} is {}, which is not written as an odd number", what, json.dump()));
  if (!std::isfinite(number.value())) fault(fmt::format("{} is infinite", what));
  return number;
}

// Two keys that stand in proofs of squared error alone.
TargetGrid target_from(const Json& json, const Binary& unit) {
  const Json& parts = pair(json["center"], "'center'");
  TargetGrid target;
  target.center = {whole(parts[0], 1 - kNumbersEnd, kNumbersEnd - 1, "'center'"),
                   static_cast<int>(whole(parts[1], -1074, 1023, "'center'"))};
  if (target.center.mantissa % 2 == 0 && target.center != Binary{0, 0})
    fault(fmt::format("'center' is {}, which is not written as an odd number", json["center"].dump()));
  target.digits = static_cast<int>(whole(json["digits"], -kMostDigits, kMostDigits, "'digits'"));
  if (!has_room(target, unit)) fault("its units are too large or too small");
  return target;
}

// The key of proofs of rates and hazards.
Binary exposure_from(const Json& json, const Binary& unit) {
  const Binary exposure = binary(json["exposure"], "'exposure'");
  if (!has_room(exposure, unit)) fault("its units are too large or too small");
  return exposure;
}

Level level_from(const Json& json) {
  return json.is_null() ? Level() : Level(text(json, "a level"));
}

Ordering ordering_from(const Json& json) {
  Ordering ordering;
  if (json.contains("missing")) {
    expect_keys(json, {"column", "missing"}, "an ordering");
    const std::string side = text(json["missing"], "the side of missing values");
    if (side != "first" && side != "last") fault(fmt::format("an ordering has missing values '{}'", side));
    ordering.form = side == "first" ? Ordering::Form::missing_first : Ordering::Form::missing_last;
  } else if (json.contains("level")) {
    expect_keys(json, {"column", "level"}, "an ordering");
    ordering.form = Ordering::Form::level;
    ordering.levels = {{level_from(json["level"])}};
  } else if (json.contains("levels")) {
    expect_keys(json, {"column", "levels"}, "an ordering");
    ordering.form = Ordering::Form::levels;
    for (const Json& group : list(json["levels"], "'levels'")) {
      std::vector<Level>& levels = ordering.levels.emplace_back();
      for (const Json& level : list(group, "a group of levels")) levels.push_back(level_from(level));
    }
  } else {
    expect_keys(json, {"column"}, "an ordering");
  }
  ordering.column = whole(json["column"], 0, kNumbersEnd - 1, "the column of an ordering");
  return ordering;
}

// One tree.
std::vector<TopPlace> top_from(const Json& json) {
  std::vector<TopPlace> top;
  std::int64_t wanted = 1;  // places that are still to come
  for (const Json& of : list(json, "'top'")) {
    if (wanted == 0) fault("'top' goes on behind its last place");
    TopPlace& place = top.emplace_back();
    if (of.is_array()) {
      place = {TopPlace::Kind::split, whole(pair(of, "a split of 'top'")[0], 0, kNumbersEnd - 1, "an ordering in 'top'"),
               whole(of[1], 1, kNumbersEnd - 1, "a rank in 'top'")};
      ++wanted;
      continue;
    }
    const std::string word = text(of, "a place in 'top'");
    if (word != "leaf" && word != "...") fault(fmt::format("'top' has a place '{}'", word));
    if (word == "leaf") place.kind = TopPlace::Kind::leaf;
    --wanted;
  }
  if (wanted > 0) fault("'top' ends too early");
  return top;
}

Json parsed(std::string_view line) {
  // The parser does not recur, but to write a value and to end it does.
  constexpr int kDeepestNesting = 8;
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepestNesting) fault("its header is nested too deeply");
    return true;
  };
  if (std::any_of(line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }))
    fault("its header has bytes beyond printable ASCII");
  try {
    Json json = Json::parse(line, shallow);
    if (json.dump() != line)
      fault("its header is not written in the one way that the format has (blanks, a doubled key, an odd number or text)");
    return json;
  } catch (const nlohmann::json::exception&) {
    fault("its header is no JSON");
  }
}

Proof header_from(std::string_view line, std::size_t& body_bytes) {
  const Json json = parsed(line);
  const bool of_means = json.contains("center"), of_events = json.contains("exposure");
  std::vector<std::string_view> keys = {"made_by",  "table", "unit",  "grid",      "depth", "max_splits",
                                        "min_rows", "price", "bound", "orderings", "bytes"};
  if (of_means) keys.insert(keys.begin() + 3, {"center", "digits"});
  if (of_events) keys.insert(keys.begin() + 3, "exposure");
  if (json.contains("top")) keys.insert(keys.end() - 4, "top");
  expect_keys(json, keys, "the header");
  text(json["made_by"], "'made_by'");
  Proof proof;
  proof.table = text(json["table"], "'table'");
  proof.unit = binary(json["unit"], "'unit'");
  if (of_means && of_events) fault("it has the keys of two kinds of proofs");
  if (of_means) proof.target = target_from(json, proof.unit);
  if (of_events) proof.exposure = exposure_from(json, proof.unit);
  const auto [coarsest, finest] = of_means    ? std::pair(kCoarsestOfSums, kFinestOfSums)
                                  : of_events ? std::pair(kCoarsestOfEvents, kFinestOfEvents)
                                              : std::pair(0, kFinestGrid);
  proof.grid = static_cast<int>(whole(json["grid"], coarsest, finest, "'grid'"));
  proof.depth = static_cast<std::int32_t>(whole(json["depth"], 0, kDeepest, "'depth'"));
  if (!json["max_splits"].is_null()) proof.max_splits = whole(json["max_splits"], 0, kMostSplits, "'max_splits'");
  proof.min_rows = whole(json["min_rows"], 1, kNumbersEnd - 1, "'min_rows'");
  if (json.contains("top")) {
    proof.top = top_from(json["top"]);
    if (proof.max_splits) fault("it has given splits and a limit on all");
  }
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
  Json header = {{"made_by", std::string(made_by)}, {"table", proof.table}, {"unit", to_json(proof.unit)}};
  if (proof.target) {
    header["center"] = to_json(proof.target->center);
    header["digits"] = proof.target->digits;
  }
  if (proof.exposure) header["exposure"] = to_json(*proof.exposure);
  header["grid"] = proof.grid;
  header["depth"] = proof.depth;
  header["max_splits"] = proof.max_splits ? Json(*proof.max_splits) : Json();
  header["min_rows"] = proof.min_rows;
  if (!proof.top.empty()) {
    Json& top = header["top"] = Json::array();
    for (const TopPlace& place : proof.top) top.push_back(to_json(place));
  }
  header["price"] = proof.price;
  header["bound"] = proof.bound;
  Json& orderings = header["orderings"] = Json::array();
  for (const Ordering& ordering : proof.orderings) orderings.push_back(to_json(ordering));
  header["bytes"] = proof.body.size();
  std::string bytes = fmt::format("{}{}\n{}", kFirstLine, header.dump(), proof.body);
  return bytes + hash_text(hash(bytes));
}

Proof from_bytes(std::string_view bytes, const std::string& origin) {
  const std::size_t header_end = bytes.find('\n', kFirstLine.size());
  if (!bytes.starts_with(kFirstLine)) refuse(origin, "is no proof of format 1");
  if (header_end == bytes.npos || bytes.size() - header_end - 1 < kChecksumBytes) refuse(origin, "was cut off");
  const std::string_view line = bytes.substr(kFirstLine.size(), header_end - kFirstLine.size());
  const std::string_view body = bytes.substr(header_end + 1, bytes.size() - header_end - 1 - kChecksumBytes);
  if (hash_text(hash(bytes.substr(0, bytes.size() - kChecksumBytes))) != bytes.substr(bytes.size() - kChecksumBytes))
    refuse(origin, "is damaged: its checksum does not match");
  try {
    std::size_t size = 0;
    Proof proof = header_from(line, size);
    if (size != body.size()) fault(fmt::format("its body has {} bytes, and 'bytes' says {}", body.size(), size));
    proof.body = body;
    return proof;
  } catch (const Fault& found) {
    refuse(origin, fmt::format("is no proof of format 1: {}", found.problem));
  }
}

}  // namespace treewright::proof
