// Completion for shells, made from the list of commands and options.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.h"
#include "help.h"
#include "outputs.h"

namespace treewright::cli {

namespace {

// The beginning of a description, without characters that mean something to a shell.
std::string brief(const std::string& text) {
  constexpr std::size_t kLongest = 70;
  std::string out;
  for (const char c : text.substr(0, text.find_first_of(";:(\n"))) {
    if (c == '\'') out += "’";  // ends no quotation of a shell
    if (std::string_view("'\"`$[]\\").find(c) == std::string_view::npos) out += c;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == ',')) out.pop_back();
  if (out.size() <= kLongest) return out;
  return out.substr(0, out.rfind(' ', kLongest)) + " ...";
}

std::string bash_script(const CLI::App& app) {
  std::vector<std::string> names;
  std::string flag_cases, value_cases;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    std::vector<std::string> words;
    for (const Flag& flag : flags_of(*command)) {
      const std::string choices = fmt::format("{}", fmt::join(flag.choices(), " "));
      if (!flag.positional) words.insert(words.end(), flag.names.begin(), flag.names.end());
      if (choices.empty()) continue;
      for (const std::string& name : flag.positional ? std::vector{names.back()} : flag.names)
        value_cases += fmt::format("    '{} {}') words='{}' ;;\n", names.back(), name, choices);
    }
    flag_cases += fmt::format("    {}) words='{}' ;;\n", names.back(), fmt::join(words, " "));
  }
  return fmt::format(
      "# Completion of treewright for bash: source this file.\n"
      "_treewright() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    words='{} --help --help-all --version'\n"
      "  elif [[ $current == -* ]]; then\n"
      "    case ${{COMP_WORDS[1]}} in\n{}    esac\n"
      "  else\n"
      "    case \"${{COMP_WORDS[1]}} $previous\" in\n{}    esac\n"
      "  fi\n"
      "  # Without words of ours, bash completes file names.\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -o bashdefault -F _treewright treewright\n",
      fmt::join(names, " "), flag_cases, value_cases);
}

std::string zsh_script(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(app)) {
    commands += fmt::format("    '{}:{}'\n", command->get_name(), brief(command->get_description()));
    cases += fmt::format("    {})\n      _arguments", command->get_name());
    for (const Flag& flag : flags_of(*command)) {
      if (flag.positional) continue;
      std::string value;
      if (!flag.value.empty())
        value = ":value:" + (flag.choices().empty() ? "_files" : fmt::format("({})", fmt::join(flag.choices(), " ")));
      for (const std::string& name : flag.names) cases += fmt::format(" \\\n        '{}[{}]{}'", name, brief(flag.help), value);
    }
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef treewright\n"
      "# Completion of treewright for zsh: put this file as _treewright into a folder of $fpath.\n"
      "_treewright() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _treewright ]]; then _treewright \"$@\"; else compdef _treewright treewright; fi\n",
      commands, cases);
}

std::string fish_script(const CLI::App& app) {
  std::string out = "# Completion of treewright for fish: put this file as treewright.fish into ~/.config/fish/completions.\n";
  for (const CLI::App* command : commands_of(app)) {
    const std::string name = command->get_name();
    out += fmt::format("complete -c treewright -n __fish_use_subcommand -f -a {} -d '{}'\n", name, brief(command->get_description()));
    for (const Flag& flag : flags_of(*command)) {
      if (flag.positional) continue;
      for (const std::string& flag_name : flag.names) {
        const bool is_long = flag_name.rfind("--", 0) == 0;
        out += fmt::format("complete -c treewright -n '__fish_seen_subcommand_from {}' -{} {}", name, is_long ? "l" : "s",
                           flag_name.substr(is_long ? 2 : 1));
        if (!flag.choices().empty()) {
          out += fmt::format(" -x -a '{}'", fmt::join(flag.choices(), " "));
        } else if (!flag.value.empty()) {
          out += " -r";
        }
        out += fmt::format(" -d '{}'\n", brief(flag.help));
      }
    }
  }
  return out;
}

}  // namespace

void add_completion(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("completion", "print a script that completes commands and options in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("bash|zsh|fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  command->footer(
      "bash: add to ~/.bashrc: source <(treewright completion bash)\n"
      "zsh:  treewright completion zsh > FOLDER/_treewright, for a FOLDER of $fpath\n"
      "fish: treewright completion fish > ~/.config/fish/completions/treewright.fish");
  command->callback([&app, shell, &code] {
    write_output("", *shell == "bash" ? bash_script(app) : *shell == "zsh" ? zsh_script(app) : fish_script(app));
    code = kOk;
  });
}

}  // namespace treewright::cli
