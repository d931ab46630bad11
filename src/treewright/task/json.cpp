#include "treewright/task/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "treewright/base/hash.h"
#include "treewright/base/json_integer.h"
#include "treewright/error.h"
#include "treewright/options.h"
#include "treewright/tree/tree_json.h"

namespace treewright {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;
// What is left of other encodings stands in messages only and must not stop a save.
constexpr auto kReplace = Json::error_handler_t::replace;

// Of a file without its checksum, in whatever order its keys stand.
std::string checksum_of(const Json& json) {
  return hash_text(hash(nlohmann::json(json).dump(-1, ' ', false, kReplace)));
}

Json with_checksum(Json json) {
  // As it will be read: what cannot be written as it is has changed by then.
  const Json read = Json::parse(json.dump(-1, ' ', false, kReplace));
  json["checksum"] = checksum_of(read);
  return json;
}

// A file need not have one.
bool checksum_differs(Json json) {
  if (!json.contains("checksum")) return false;
  const Json stored = json["checksum"];
  json.erase("checksum");
  return !stored.is_string() || stored.get<std::string>() != checksum_of(json);
}

Status status_from(const std::string& name) {
  for (const Status status :
       {Status::optimal, Status::time_limit, Status::interrupted, Status::node_limit, Status::infeasible, Status::heuristic}) {
    if (name == to_string(status)) return status;
  }
  throw std::out_of_range("unknown status '" + name + "'");
}

// JSON has no infinity: an unknown bound is written as null. And -0 is 0.
Json number(double value) {
  return std::isfinite(value) ? Json(value + 0.0) : Json(nullptr);
}

Json summary(const Result& result) {
  Json json = {{"method", result.method},
               {"status", to_string(result.status)},
               {"objective", number(result.objective)},
               {"bound", number(result.bound)},
               {"gap", number(result.gap())},
               {"errors", result.errors},
               {"n", result.rows},
               {"accuracy", result.accuracy()},
               {"splits", result.tree.splits()},
               {"terms", result.tree.terms()},
               {"leaves", result.tree.leaves()},
               {"depth", result.tree.depth()},
               {"seconds", result.seconds},
               {"seed", result.seed},
               {"threads", result.threads},
               {"proved", result.proved},
               {"verified", result.verified}};
  if (result.cost) json["cost"] = *result.cost;
  if (result.loss) {
    json.erase("errors");
    json.erase("accuracy");
    json["loss"] = *result.loss;
    json["explained"] = result.explained();
  }
  return json;
}

Json history_json(const std::vector<Progress>& history) {
  Json json = Json::array();
  for (const Progress& p : history) json.push_back({p.seconds, number(p.incumbent), number(p.bound), std::string(1, p.source)});
  return json;
}

// Only what differs from the usual.
Json file_json(const TrainingFile& file) {
  Json json = Json::object();
  const auto add_names = [&](const char* key, const std::vector<std::string>& names) {
    if (!names.empty()) json[key] = names_json(names);
  };
  const auto add_letter = [&](const char* key, char letter) {
    if (letter != '\0') json[key] = std::string(1, letter);
  };
  add_names("missing", file.missing);
  add_names("not_missing", file.present);
  if (file.target) json["target"] = name_json(*file.target);
  if (file.weights) json["weights"] = name_json(*file.weights);
  if (file.exposure) json["exposure"] = name_json(*file.exposure);
  if (file.event) json["event"] = name_json(*file.event);
  add_names("cost_columns", file.costs);
  add_names("drop", file.drop);
  add_names("categorical", file.categorical);
  add_names("numeric", file.numeric);
  add_letter("decimal", file.decimal);
  add_letter("doubtful_decimal", file.doubtful_decimal);
  add_letter("date_order", file.date_order);
  if (file.drop_unlabeled) json["drop_unlabeled"] = true;
  if (!file.edges.empty()) json["edges"] = file.edges;
  if (file.target_classes) json["target_classes"] = true;
  if (!file.against_rest.empty()) json["against_rest"] = name_json(file.against_rest);
  if (file.test_share > 0) json.update({{"test_share", file.test_share}, {"rows", file.rows}});
  return json;
}

TrainingFile file_from(const Json& json) {
  TrainingFile file;
  const auto names = [&](const char* key) { return json.contains(key) ? names_from(json.at(key)) : std::vector<std::string>(); };
  const auto name = [&](const char* key) { return json.contains(key) ? std::optional(name_from(json.at(key))) : std::nullopt; };
  const auto letter = [&](const char* key, std::string_view letters) {
    const std::string text = name(key).value_or("");
    if (text.size() > 1 || (text.size() == 1 && letters.find(text[0]) == std::string_view::npos))
      throw std::out_of_range(fmt::format("'{}' is none of '{}'", text, letters));
    return text.empty() ? '\0' : text[0];
  };
  file.missing = names("missing");
  file.present = names("not_missing");
  file.target = name("target");
  file.weights = name("weights");
  file.costs = names("cost_columns");
  file.exposure = name("exposure");
  file.event = name("event");
  file.drop = names("drop");
  file.categorical = names("categorical");
  file.numeric = names("numeric");
  file.decimal = letter("decimal", ".,");
  file.doubtful_decimal = letter("doubtful_decimal", ".,");
  file.date_order = letter("date_order", "dm");
  file.drop_unlabeled = json.value("drop_unlabeled", json.value("drop_unlabelled", false));  // spelled so by 0.2
  file.edges = json.value("edges", std::vector<double>());
  if (!std::is_sorted(file.edges.begin(), file.edges.end())) throw std::out_of_range("the edges of the classes do not ascend");
  file.target_classes = json.value("target_classes", false);
  file.against_rest = name("against_rest").value_or("");
  if (!json.contains("test_share")) return file;
  file.test_share = json.at("test_share").get<double>();
  file.rows = integer(json.at("rows"));
  if (!(file.test_share > 0 && file.test_share < 1)) throw std::out_of_range("the share of test rows is no share");
  return file;
}

Json objective_json(const Objective& objective) {
  Json json = {{"kind", objective.kind()}};
  for (const auto& [name, value] : objective.parameters()) {
    std::visit([&, key = name](const auto& held) { json[key] = held; }, value);
  }
  return json;
}

Parameters parameters_from(const Json& json) {
  Parameters parameters;
  for (const auto& [name, value] : json.items()) {
    if (name == "kind") continue;
    if (value.is_number()) {
      parameters.emplace_back(name, value.get<double>());
    } else if (value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_string(); }) &&
               !value.empty()) {
      parameters.emplace_back(name, value.get<std::vector<std::string>>());
    } else {
      parameters.emplace_back(name, value.get<std::vector<double>>());
    }
  }
  return parameters;
}

Json options_json(const std::vector<std::pair<std::string, std::string>>& options) {
  Json json = Json::array();
  for (const auto& [name, value] : options) json.push_back({name_json(name), name_json(value)});
  return json;
}

std::vector<std::pair<std::string, std::string>> options_from(const Json& json) {
  if (!json.is_array()) throw std::out_of_range("the options are no list");
  std::vector<std::pair<std::string, std::string>> options;
  for (const Json& option : json) {
    options.emplace_back(name_from(option.at(0)), name_from(option.at(1)));
  }
  return options;
}

std::vector<Progress> history_from(const Json& json) {
  if (!json.is_array()) throw std::out_of_range("a history is missing");
  std::vector<Progress> history;
  for (const Json& from : json) {
    const auto source = from.at(3).get<std::string>();
    if (source.size() != 1) throw std::out_of_range("a source in the history is no letter");
    // An unknown objective is +infinity, an unknown bound -infinity.
    const auto real = [&](std::size_t i, double unknown) { return from.at(i).is_null() ? unknown : from.at(i).get<double>(); };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    history.push_back({from.at(0).get<double>(), real(1, infinity), real(2, -infinity), source[0]});
  }
  return history;
}

Json candidates_json(const std::vector<CandidateScore>& candidates) {
  Json json = Json::array();
  for (const CandidateScore& candidate : candidates) {
    json.push_back({{"method", candidate.method},
                    {"options", options_json(candidate.options)},
                    {"accuracy", candidate.accuracy},
                    {"behind", candidate.behind},
                    {"standard_error", candidate.standard_error},
                    {"splits", candidate.splits},
                    {"features", candidate.features},
                    {"parts", candidate.parts},
                    {"seconds", candidate.seconds},
                    {"reason", candidate.reason}});
    if (candidate.cost) json.back()["cost"] = *candidate.cost;
    if (candidate.score) json.back()["score"] = *candidate.score;
  }
  return json;
}

std::vector<CandidateScore> candidates_from(const Json& json) {
  if (!json.is_array()) throw std::out_of_range("the candidates are no list");
  std::vector<CandidateScore> candidates;
  for (const Json& from : json) {
    candidates.push_back({from.at("method").get<std::string>(), options_from(from.at("options")), from.at("accuracy").get<double>(),
                          from.at("behind").get<double>(), from.at("standard_error").get<double>(), from.at("splits").get<double>(),
                          from.at("features").get<double>(), integer(from.at("parts")), from.at("seconds").get<double>(),
                          from.at("reason").get<std::string>()});
    if (from.contains("cost")) candidates.back().cost = from.at("cost").get<double>();
    if (from.contains("score")) candidates.back().score = from.at("score").get<double>();
  }
  return candidates;
}

}  // namespace

std::string to_json(const Result& result) {
  Json claims = summary(result);
  claims["total_weight"] = result.total_weight;
  if (result.unequal_weights) claims["unequal_weights"] = true;
  claims["min_leaf_rows"] = result.min_leaf_rows;
  claims["min_leaf_weight"] = result.min_leaf_weight;
  claims["max_depth"] = result.max_depth;
  claims["max_splits"] = result.max_splits;
  if (!result.selection.empty()) claims["selection"] = result.selection;
  if (!result.candidates.empty()) claims["candidates"] = candidates_json(result.candidates);
  claims["options"] = options_json(result.options);
  claims["history"] = history_json(result.history);
  if (const Json file = file_json(result.file); !file.empty()) claims["file"] = file;
  Json json = {{"format", "treewright"},
               {"schema_version", kSchemaVersion},
               {"objective", objective_json(*result.objective_function)},
               {"result", claims},
               {"tree", tree_json(result.tree)}};
  return with_checksum(std::move(json)).dump(1, ' ', false, kReplace) + "\n";
}

std::string summary_json(const Result& result) {
  return summary(result).dump(2, ' ', false, Json::error_handler_t::replace);
}

namespace {

// What the JSON library found, in our words.
std::string words_of(const Json::exception& problem) {
  constexpr int kMissingKey = 403, kNoSuchEntry = 401;
  const std::string_view text = problem.what();
  const std::size_t begin = text.find('\''), end = text.find('\'', begin + 1);
  if (problem.id == kMissingKey && end != std::string_view::npos)
    return fmt::format("'{}' is missing", text.substr(begin + 1, end - begin - 1));
  return problem.id == kNoSuchEntry ? "a list is too short" : "a value is of another kind than it has to be";
}

// Parses the text and passes it on; any problem in it becomes an Error that names `origin`.
template <class Read>
auto parsed(std::string_view text, const std::string& origin, const Read& read) {
  const char* fix = "give a file that treewright wrote with --out";
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw Error(origin, "is not complete JSON", fix);
  try {
    if (!json.is_object() || json.value("format", "") != "treewright") throw Error(origin, "is JSON, but not a treewright tree", fix);
    const std::int64_t version = integer(json.at("schema_version"));
    if (version != kSchemaVersion) {
      throw Error(origin, fmt::format("has schema version {}, this treewright reads {}", version, kSchemaVersion),
                  "train the tree again, or use the treewright that wrote it");
    }
    return read(json);
  } catch (const Json::exception& problem) {
    throw Error(origin, fmt::format("is not a complete treewright tree: {}", words_of(problem)), fix);
  } catch (const std::out_of_range& problem) {
    throw Error(origin, fmt::format("is not a complete treewright tree: {}", problem.what()), fix);
  } catch (const Error& problem) {
    if (problem.where() == origin) throw;
    throw Error(origin + ", " + problem.where(), problem.problem(), problem.fix());
  }
}

Result result_from(const Json& json, const ObjectiveReader& objectives) {
  const Json& claims = json.at("result");
  const auto real = [&](const char* key) { return claims.at(key).get<double>(); };
  Result result;
  result.tree = tree_from(json.at("tree"));
  result.method = claims.at("method").get<std::string>();
  result.status = status_from(claims.at("status").get<std::string>());
  result.objective = real("objective");
  result.bound = claims.at("bound").is_null() ? -std::numeric_limits<double>::infinity() : real("bound");
  if (result.tree.loss) {
    result.loss = real("loss");
  } else {
    result.errors = real("errors");
  }
  if (claims.contains("cost")) result.cost = claims.at("cost").get<double>();
  result.total_weight = real("total_weight");
  if (claims.contains("unequal_weights")) result.unequal_weights = claims.at("unequal_weights").get<bool>();
  result.rows = integer(claims.at("n"));
  result.seconds = real("seconds");
  result.seed = integer(claims.at("seed"));
  result.threads = integer(claims.at("threads"));
  result.proved = claims.at("proved").get<std::string>();
  if (claims.contains("verified")) result.verified = claims.at("verified").get<bool>();
  if (claims.contains("selection")) result.selection = claims.at("selection").get<std::string>();
  if (claims.contains("candidates")) result.candidates = candidates_from(claims.at("candidates"));
  result.min_leaf_rows = integer(claims.at("min_leaf_rows"));
  result.min_leaf_weight = real("min_leaf_weight");
  result.max_depth = integer(claims.at("max_depth"));
  result.max_splits = integer(claims.at("max_splits"));
  result.options = options_from(claims.at("options"));
  result.history = history_from(claims.at("history"));
  if (claims.contains("file")) result.file = file_from(claims.at("file"));
  const Json& objective = json.at("objective");
  result.objective_function = objectives(objective.at("kind").get<std::string>(), parameters_from(objective));
  return result;
}

}  // namespace

Result from_json(std::string_view text, const std::string& origin, const ObjectiveReader& objectives) {
  return parsed(text, origin, [&](const Json& json) {
    Result result = result_from(json, objectives);
    result.edited = checksum_differs(json);
    return result;
  });
}

Tree tree_from_json(std::string_view text, const std::string& origin) {
  return parsed(text, origin, [](const Json& json) { return tree_from(json.at("tree")); });
}

}  // namespace treewright
