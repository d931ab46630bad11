#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "commands.h"
#include "help.h"
#include "interrupt.h"
#include "read_rows.h"
#include "treewright/base/did_you_mean.h"
#include "treewright/base/system.h"
#include "treewright/base/version.h"
#include "treewright/error.h"
#include "treewright/explain/text.h"
#include "treewright/mip/highs.h"
#include "treewright/options.h"

namespace treewright::cli {

namespace {

int out_of_memory() {
  fmt::print(stderr, "treewright: out of memory (use fewer rows or columns, or a machine with more memory)\n");
  return kBadData;
}

// A variable of the shell that is not set would leave out a file or a condition without a word.
void refuse_empty_words(CLI::App& command) {
  for (const char* name :
       {"--out", "--html", "--svg", "--trees", "--proof", "--test", "--costs", "--top", "--first", "--never", "--drop"}) {
    if (CLI::Option* const option = command.get_option_no_throw(name); option != nullptr)
      option->check([](const std::string& text) { return std::string(text.empty() ? "is empty (give it a value, or leave it out)" : ""); });
  }
}

// The commands, in the order in which help lists them.
void add_commands(CLI::App& app, int& code) {
  struct Command {
    const char* group;
    void (*add)(CLI::App&, int&);
    const char* example;
  };
  constexpr Command kCommands[] = {
      {"Train", add_fit, "fit data.csv --max-depth 3 --test-share 0.25 --out tree.json"},
      {"Train", add_tune, "tune data.csv --try max_depth=1,2,3 --test-share 0.25 --out tree.json"},
      {"Train", add_trade_off, "trade-off data.csv --positive sick --max-depth 2 --at-most-missed 5"},
      {"Train", add_column_worth, "column-worth data.csv --max-depth 2"},
      {"Train", add_near_trees, "near-trees data.csv --max-depth 2 --within 1"},
      {"Use a tree", add_predict, "predict tree.json new.csv --out labels.csv"},
      {"Use a tree", add_score, "score tree.json data.csv"},
      {"Use a tree", add_show, "show tree.json"},
      {"Use a tree", add_report, "report tree.json data.csv --out report.html"},
      {"Use a tree", add_explain, "explain tree.json 6 data.csv"},
      {"Use a tree", add_export, "export tree.json data.csv --to sql --out tree.sql"},
      {"Use a tree", add_check, "check tree.json data.csv"},
      {"Data", add_describe, "describe data.csv"},
      {"Data", add_table, "table data.csv --out data.tw"},
      {"Data", add_generate, "generate bd17 --depth 3 --rows 500 --out data.csv"},
      {"Data", add_partition, "partition data.csv --out clusters.csv"},
      {"This program", add_methods, "methods"},
      {"This program", add_completion, nullptr},
      {"This program", add_manual, "manual > treewright.1"},
  };
  for (const auto& [group, add, example] : kCommands) {
    add(app, code);
    CLI::App* const command = app.get_subcommand(commands_of(app).back()->get_name());
    command->group(group);
    refuse_empty_words(*command);
    if (example != nullptr) command->footer(fmt::format("Example: treewright {}", example));
  }
}

// A flag that says yes takes the word, too: --verify yes for --verify.
std::vector<std::string> with_choices(std::vector<std::string> arguments) {
  for (const OptionInfo& info : option_table()) {
    for (std::size_t i = 0; info.is_three_way() && i + 1 < arguments.size(); ++i) {
      if (arguments[i] != info.flags || (arguments[i + 1] != "yes" && arguments[i + 1] != "no" && arguments[i + 1] != "auto")) continue;
      arguments[i] += "=" + arguments[i + 1];
      arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }
  return arguments;
}

// Names as Python spells them are accepted: --max_depth for --max-depth.
std::vector<std::string> with_dashes(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) {
    if (argument.rfind("--", 0) != 0) continue;
    const auto end = argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size()));
    std::replace(argument.begin(), end, '_', '-');
  }
  return arguments;
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

// The first argument that the command does not know, with the nearest option that it has.
std::string unknown_argument(const CLI::App& command) {
  const std::vector<std::string> rest = command.remaining();
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& text) { return text.size() > 1 && text[0] == '-'; });
  if (option == rest.end()) return rest.empty() ? "" : fmt::format("'{}' is one argument too many", rest.front());
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> names;
  for (const Flag& flag : flags_of(command)) names.insert(names.end(), flag.names.begin(), flag.names.end());
  if (name == "--max-leaf-nodes" && std::find(names.begin(), names.end(), "--max-splits") != names.end())
    return fmt::format("{} has no option {}; a tree with L leaves has L - 1 splits, so say --max-splits", command.get_name(), name);
  return fmt::format("{} has no option {}{}", command.get_name(), name, did_you_mean(name, names));
}

std::ptrdiff_t times_given(const std::vector<std::string>& typed, const std::string& flag) {
  return std::count_if(typed.begin(), typed.end(), [&](const std::string& word) { return word == flag || word.starts_with(flag + "="); });
}

// The file that a command was given as this argument; "" = none.
std::string file_given(const CLI::App& app, const char* argument) {
  const std::vector<CLI::App*> called = app.get_subcommands();
  const CLI::Option* option = called.empty() ? nullptr : called.front()->get_option_no_throw(argument);
  return option == nullptr || option->empty() ? "" : option->as<std::string>();
}

bool is_tree(const std::string& path) {
  try {
    load_tree(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The message of an error. Where it speaks of an option by the table's name, and the user typed one of its flags, it has the user's word;
// so it is with the data and the name of their file.
std::string in_typed_words(const Error& error, const std::vector<std::string>& typed, const CLI::App& app) {
  const std::string tree = file_given(app, "tree"), data = file_given(app, "data");
  if (error.where() == "data" && !data.empty()) return fmt::format("{}: {} ({})", data, error.problem(), error.fix());
  if (error.where() == tree && !data.empty() && data != "-" && is_tree(data))
    return fmt::format("{}: {}, but {} is a tree (are the two files swapped?)", tree, error.problem(), data);
  for (const OptionInfo& info : option_table()) {
    if (error.where() != fmt::format("option '{}'", info.name)) continue;
    for (const std::string& flag : CLI::detail::split(std::string(info.flags), ',')) {
      if (times_given(typed, flag) > 0) return fmt::format("{}: {} ({})", flag, error.problem(), error.fix());
    }
  }
  return error.what();
}

// The parser's words where they can be understood.
std::string parse_problem(const CLI::ParseError& error, const std::vector<std::string>& typed) {
  const std::string said = error.what(), flag = said.substr(0, said.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && flag.starts_with('-'))
    return flag + (times_given(typed, flag) > 1 ? " is given more than once" : " needs a value");
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const std::string between = " excludes ";
    const std::size_t at = said.find(between);
    return fmt::format("{} and {} cannot be given together", said.substr(0, at), said.substr(at + between.size()));
  }
  // "--format: Check sql value in {arff->3,csv->1} OR {3,1} FAILED", "--to: sqll not in {rules,sql}"
  for (const auto& [before, behind] : {std::pair<std::string, std::string>{": Check ", " value in {"}, {": ", " not in {"}}) {
    const std::size_t from = said.find(before), names = said.find(behind);
    if (from == std::string::npos || names == std::string::npos) continue;
    const std::string given = said.substr(from + before.size(), names - from - before.size());
    const std::size_t begin = names + behind.size();
    std::vector<std::string> known;
    for (const std::string& name : CLI::detail::split(said.substr(begin, said.find('}') - begin), ','))
      known.push_back(name.substr(0, name.find("->")));
    return fmt::format("{}: '{}' is not one of {}{}", flag, given, fmt::join(known, ", "), did_you_mean(given, known));
  }
  return said;
}

int wrong_usage(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& typed) {
  const std::vector<CLI::App*> called = app.get_subcommands();
  const CLI::App& command = called.empty() ? app : *called.front();
  const bool unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string name = called.empty() ? "treewright" : "treewright " + command.get_name();
  fmt::print(stderr, "treewright: {}\n'{} --help' lists what there is\n", unknown ? unknown_argument(command) : parse_problem(error, typed),
             name);
  return kUsage;
}

int run(const std::vector<std::string>& words) {
  CLI::App app{"treewright trains decision trees to proven optimality: for classes, numbers, rates and times.", "treewright"};
  app.allow_windows_style_options(false);  // the name of a file may begin with a slash, on every system
  app.formatter(help_layout());
  app.set_version_flag("--version", fmt::format("treewright {}", version()), "print the version");
  app.set_help_flag("-h,--help", "print the usual options");
  app.set_help_all_flag("--help-all", "print all options");
  app.footer(
      "A first tree:\n"
      "  treewright describe data.csv                              what is in the data\n"
      "  treewright fit data.csv --test-share 0.25 --out tree.json train, and score on held-out rows\n"
      "  treewright predict tree.json new.csv                      label new rows\n\n"
      "Exit codes: 0 done, 1 check failed, 2 wrong usage, 3 bad data or file, 130 ended by Ctrl-C.\n"
      "'treewright COMMAND --help' lists a command's options.");
  int code = kOk;
  add_commands(app, code);
  std::vector<std::string> arguments = with_choices(with_dashes(words));
  if (arguments.empty()) {
    fmt::print("{}", app.help());
    return kUsage;
  }
  const std::string& first = arguments.front();
  const std::vector<std::string> names = names_of(commands_of(app));
  if (first.rfind('-', 0) != 0 && std::find(names.begin(), names.end(), first) == names.end()) {
    fmt::print(stderr, "treewright: '{}' is not a command{}\nthe commands are {}; 'treewright --help' explains them\n", first,
               did_you_mean(first, names), fmt::join(names, ", "));
    return kUsage;
  }
  const std::vector<std::string> typed = arguments;
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them, and takes them away
  try {
    app.parse(arguments);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, error, typed);
  } catch (const Error& error) {
    fmt::print(stderr, "treewright: {}\n", explain::printable(in_typed_words(error, typed, app)));
    return error.kind() == ErrorKind::usage ? kUsage : kBadData;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    return out_of_memory();
  }
  return code;
}

}  // namespace

}  // namespace treewright::cli

int main(int argc, char** argv) {
  using namespace treewright;
  int code = cli::kOk;
  try {
    code = cli::run(system::start(argc, argv));
    if (code == cli::kOk) code = cli::code_of_interrupt();
  } catch (const std::system_error&) {
    if (std::ferror(stdout) == 0) throw;
  }
  // What was printed may not have arrived: a full disk, a closed pipe.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    if (code != cli::kBadData)  // else it has been said
      fmt::print(stderr, "treewright: standard output: cannot be written (free some space, or check the program it is piped to)\n");
    code = cli::kBadData;
  }
  if (mip::highs_was_left_behind()) std::_Exit(code);
  return code;
}
