#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "commands.h"
#include "treewright/base/file.h"
#include "treewright/error.h"
#include "treewright/fit/registry.h"
#include "treewright/result.h"

namespace treewright::cli {

void add_read_flags(CLI::App& command, ReadOptions& options) {
  command
      .add_option(
          "--target",
          [&options](const CLI::results_t& value) {
            options.target = value.front();
            return true;
          },
          "target column by name or index; negative counts from the end (default: the last column)")
      ->type_name("COLUMN");
  command.add_option("--drop", options.drop, "columns to leave out")->type_name("COLUMN,...")->delimiter(',');
  command.add_option("--weights", options.weights, "column that holds row weights")->type_name("COLUMN");
  const auto kinds = [&options](ColumnKind kind) {
    return [&options, kind](const CLI::results_t& names) {
      for (const std::string& name : names) options.kinds[name] = kind;
      return true;
    };
  };
  command.add_option("--categorical", kinds(ColumnKind::categorical), "columns to read as categories")
      ->type_name("COLUMN,...")
      ->delimiter(',')
      ->expected(1, 1000000);
  command.add_option("--numeric", kinds(ColumnKind::numeric), "columns to read as numbers")
      ->type_name("COLUMN,...")
      ->delimiter(',')
      ->expected(1, 1000000);
  command.add_option("--format", options.format, "format of the file (default: by its extension)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, FileFormat>{{"csv", FileFormat::csv}, {"libsvm", FileFormat::libsvm}, {"arff", FileFormat::arff}}));
  command.add_option("--header", options.header, "whether a CSV file's first row holds names (default: detected)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Header>{{"yes", Header::yes}, {"no", Header::no}}));
  command
      .add_option(
          "--separator",
          [&options](const CLI::results_t& value) {
            const std::string& text = value.front();
            if (text == "tab" || text == "\\t")
              options.separator = '\t';
            else if (text.size() == 1)
              options.separator = text.front();
            else
              return false;
            return true;
          },
          "CSV separator, one character or 'tab' (default: detected)")
      ->type_name("CHAR");
}

namespace {

// A flag of earlier versions: accepted, not shown in the help, and its use prints the new name.
void add_old_flag(CLI::App& command, Options& options, const OptionInfo& info) {
  std::string flag = "--" + std::string(info.old_name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  const std::string now(info.flags.substr(0, info.flags.find(',')));
  command
      .add_option(flag,
                  [&options, flag, now, name = std::string(info.name)](const CLI::results_t& value) {
                    fmt::print(stderr, "treewright: {} is now called {}\n", flag, now);
                    set_option(options, name, value.front());
                    return true;
                  })
      ->group("");
}

}  // namespace

void add_option_flags(CLI::App& command, Options& options, const std::vector<std::string>& names) {
  for (const OptionEntry& info : option_entries()) {
    const std::string name(info.name);
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    std::string help = fmt::format("{}", info.help);
    if (!info.unit.empty()) help += fmt::format(" [{}]", info.unit);
    CLI::Option* option = command.add_option(
        std::string(info.flags),
        [&options, name](const CLI::results_t& value) {
          set_option(options, name, value.front());
          return true;
        },
        help);
    option->type_name(info.type == OptionType::Choice ? std::string(info.range) : info.type == OptionType::Text ? "TEXT" : "NUMBER");
    if (!info.default_text.empty()) option->default_str(std::string(info.default_text));
    if (!info.old_name.empty()) add_old_flag(command, options, info);
  }
}

namespace {

std::atomic<bool> stop_requested{false};

// Ctrl-C, the end of a cluster job, a closed terminal.
constexpr int kStopSignals[] = {SIGINT, SIGTERM, SIGHUP};

extern "C" void on_interrupt(int signal) {
  stop_requested.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>* stop_on_interrupt() {
  for (const int signal : kStopSignals) {
    // A signal that the caller ignores stays ignored (nohup).
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  return &stop_requested;
}

Result load_tree(const std::string& path) {
  return from_json(read_file(path), path);
}

Dataset read_for(const Result& result, const std::string& path, ReadOptions options) {
  if (!options.target) options.target = "-1";
  Dataset data = align(read_dataset(path, options), result.tree);
  if (!data.labelled()) throw Error(path, "has no target column", "name it with --target");
  for (const auto& [name, value] : result.options) {
    if (name == "class_weight") apply_class_weights(data, value);
  }
  return data;
}

std::string errors_of(const Result& result) {
  return fmt::format("{:.9g} of {:.9g} (accuracy {:.4f}{})", result.errors, result.total_weight, result.accuracy(),
                     result.weighted() ? "; sums of row weights" : "");
}

void check_output(const std::string& path, std::initializer_list<std::string> inputs) {
  if (!path.empty() && path != "-") check_writable(path, inputs);
}

void check_model_outputs(const Options& options, std::initializer_list<std::string> inputs) {
  check_output(options.write_model, inputs);
  check_output(options.write_rows, inputs);
}

void write_output(const std::string& path, const std::string& content) {
  if (!path.empty() && path != "-") {
    write_file(path, content);
    return;
  }
  if (std::fwrite(content.data(), 1, content.size(), stdout) != content.size() || std::fflush(stdout) != 0) {
    throw Error("standard output", "cannot be written", "free some space, or check the program it is piped to", ErrorKind::file);
  }
}

}  // namespace treewright::cli
