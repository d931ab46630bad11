// Another program as the solver: writes the model to files, runs a command, and reads the solution file.
//
// The command may be anything: it may not exist, crash, print megabytes, leave a damaged file or never end. In all cases the temporary
// folder is removed, and its process group is ended by SIGTERM and shortly afterwards SIGKILL. Its output goes to a file; the last lines
// explain a failure.

#include "treewright/mip/external.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "treewright/base/error.h"
#include "treewright/base/file.h"
#include "treewright/base/system.h"
#include "treewright/mip/solution_file.h"
#include "treewright/mip/write.h"

namespace treewright::mip {

namespace {

// What a solver that obeys its time may take to write its files: a share of the time that is left, within these seconds. It is told that
// much less, and ended as soon as the deadline is over.
constexpr double kToWrite = 0.02, kLeastToWrite = 0.5, kMostToWrite = 5;

class Folder {
 public:
  Folder() {
    const std::string name = system::make_temporary_folder("treewright-mip");
    if (name.empty()) {
      throw Error(system::text_of(std::filesystem::temp_directory_path()), "cannot hold the folder of a model",
                  "free some space, or set TMPDIR to a folder that can be written");
    }
    path_ = system::path_of(name);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const char* name) const { return system::text_of(path_ / name); }

 private:
  std::filesystem::path path_;
};

std::string start_lines(const MipModel& model, std::span<const double> start) {
  std::string out = "# the start\n";
  for (std::size_t i = 0; i < start.size(); ++i) out += fmt::format("{} {}\n", model.variables[i].name, start[i]);
  return out;
}

// CBC takes the names and values of integer variables from lines of its own solution format.
std::string cbc_start_lines(const MipModel& model, std::span<const double> start) {
  std::string out = fmt::format("Stopped on iterations - objective value {}\n", start.empty() ? 0 : model.objective(start));
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (model.variables[i].integer) out += fmt::format("{} {} {} 0\n", i, model.variables[i].name, start[i]);
  }
  return out;
}

std::string tail(const std::string& path) {
  std::error_code missing;
  if (!std::filesystem::exists(system::path_of(path), missing) || std::filesystem::file_size(system::path_of(path), missing) == 0)
    return "and printed nothing";
  std::string text = read_file(path);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  text = text.substr(text.size() > 300 ? text.size() - 300 : 0);
  std::replace(text.begin(), text.end(), '\n', '|');
  return fmt::format("and last printed: {}", text);
}

// The command of option mip_solver, with its words in braces replaced. Writes the files that it asks for into the folder.
std::string filled_in(const MipModel& model, std::span<const double> start, const MipOptions& options, const Deadline& deadline,
                      const Folder& folder, const std::string& solution) {
  std::string command = options.solver;
  // Replaces a word by what `value` returns; says whether it occurred.
  const auto replace = [&](std::string_view word, auto&& value) {
    if (command.find(word) == std::string::npos) return false;
    const std::string by = value();
    for (std::size_t at = 0; (at = command.find(word, at)) != std::string::npos; at += by.size()) command.replace(at, word.size(), by);
    return true;
  };
  const auto file = [&](const char* name, auto&& content) {
    return [&folder, name, content] {
      write_file(folder / name, content());
      return folder / name;
    };
  };
  const bool lp = replace("{lp}", file("model.lp", [&] { return to_lp(model); }));
  const bool mps = replace("{mps}", file("model.mps", [&] { return to_mps(model); }));
  if (!(lp || mps) || !replace("{solution}", [&] { return solution; })) {
    throw option_error("mip_solver", fmt::format("'{}' does not say where the {} goes", options.solver, lp || mps ? "solution" : "model"),
                       "write {lp} or {mps} and {solution} where the command names its files, or 'highs' for the solver inside");
  }
  replace("{start}", file("start.mst", [&] { return start_lines(model, start); }));
  replace("{cbc_start}", file("start.sol", [&] { return cbc_start_lines(model, start); }));
  const double remaining = deadline.remaining(), to_write = std::clamp(kToWrite * remaining, kLeastToWrite, kMostToWrite);
  replace("{time}", [&] { return fmt::format("{:.0f}", std::clamp(std::floor(remaining - to_write), 1.0, 1e7)); });
  replace("{threads}", [&] { return std::to_string(std::max(1, options.threads)); });
  replace("{seed}", [&] { return std::to_string(options.seed % 2147483647); });
  return command;
}

}  // namespace

MipSolution solve_with_command(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline) {
  MipSolution nothing;
  if (deadline.poll()) {
    nothing.status = deadline.reason();
    return nothing;
  }
  const Folder folder;
  const std::string solution = folder / "solution.txt", output = folder / "output.txt";
  const std::string command = filled_in(model, start, options, deadline, folder, solution);
  system::ShellCommand child(command, output);
  if (!child.started())
    throw option_error("mip_solver", "the shell cannot be started", "free some memory, or raise the limit on processes");
  bool killed = false;
  while (child.running()) {
    if (deadline.poll()) {
      child.end();
      killed = true;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const bool out_of_time = deadline.poll();
  if (out_of_time) nothing.status = deadline.reason();
  if (!killed && !child.succeeded()) {
    if (out_of_time) return nothing;
    throw option_error("mip_solver", fmt::format("the command {} {}", child.ending(), tail(output)),
                       "run the command by hand on a model that write_model writes");
  }
  std::error_code ignored;
  if (!std::filesystem::exists(system::path_of(solution), ignored)) {
    if (out_of_time) return nothing;
    throw option_error("mip_solver", fmt::format("the command left no solution file {}", tail(output)),
                       "let it write {solution}: docs/mip.md has commands that work");
  }
  try {
    MipSolution found = read_solution(read_file(solution), model, "the solution file of option 'mip_solver'");
    if (found.status != Status::optimal && out_of_time) found.status = nothing.status;
    return found;
  } catch (const Error&) {
    if (out_of_time) return nothing;  // it was writing
    throw;
  }
}

}  // namespace treewright::mip
