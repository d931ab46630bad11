#include "treewright/mip/solution_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "treewright/error.h"

namespace treewright::mip {

namespace {

constexpr const char* kFix = "let the command write CBC's format or lines of a name and a value; docs/mip.md shows both";

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || std::isnan(value)) return {};
  return value;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// What CBC or a comment says of the run.
void set_status(MipSolution& solution, std::string_view word) {
  solution.infeasible = word == "infeasible" || word == "Infeasible";
  solution.status = word == "optimal" || word == "Optimal"      ? Status::optimal
                    : word == "time_limit" || word == "Stopped" ? Status::time_limit
                                                                : Status::heuristic;
}

}  // namespace

MipSolution read_solution(std::string_view text, const MipModel& model, const std::string& origin) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < model.variables.size(); ++i) index.emplace(model.variables[i].name, i);
  MipSolution solution;
  std::vector<double> values(model.variables.size(), 0.0);
  if (model.offset != 0) index.emplace("constant", values.size());  // see to_lp
  std::size_t named = 0;
  int line_number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++line_number;
    std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "#") {
      const std::optional<double> value = words.size() == 3 ? number(words[2]) : std::nullopt;
      if (words.size() == 3 && words[1] == "status") set_status(solution, words[2]);
      if (value && words[1] == "bound") solution.bound = *value;
      if (value && words[1] == "nodes" && *value >= 0 && *value < 9e18) solution.nodes = static_cast<std::int64_t>(*value);
      continue;
    }
    if (words[0].front() == '#') continue;
    if (line_number == 1 && line.find(" - objective value") != std::string_view::npos) {
      set_status(solution, words[0]);
      continue;
    }
    if (words[0] == "**") words.erase(words.begin());  // CBC marks what breaks its tolerance
    const std::size_t name = words.size() == 4 ? 1 : 0;
    const auto found = words.size() == 2 || words.size() == 4 ? index.find(words[name]) : index.end();
    const std::optional<double> value = found == index.end() ? std::nullopt : number(words[name + 1]);
    if (!value || !std::isfinite(*value))
      throw Error(fmt::format("{}, line {}", origin, line_number), fmt::format("'{}' is no variable with a value", line.substr(0, 80)),
                  kFix);
    if (found->second < values.size()) values[found->second] = *value;
    ++named;
  }
  if (solution.infeasible) return solution;
  if (named == 0) {
    if (solution.status == Status::time_limit) return solution;
    throw Error(origin, "holds no values", kFix);
  }
  if (const std::vector<std::string> broken = model.broken(values, 1e-5); !broken.empty()) {
    // A solver that was stopped may leave what it had: an LP solution.
    if (solution.status == Status::time_limit) return solution;
    throw Error(origin, fmt::format("its values break {} of the model's demands, {} among them", broken.size(), broken.front()), kFix);
  }
  solution.objective = model.objective(values);
  solution.values = std::move(values);
  return solution;
}

}  // namespace treewright::mip
