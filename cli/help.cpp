// Help texts: what --help and --help-all print. Completion and the manual page use the same list of options.

#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "treewright/base/system.h"

namespace treewright::cli {

namespace {

constexpr std::size_t kUsualWidth = 100;  // characters of a line where no terminal says otherwise
constexpr std::size_t kNarrowest = 40;    // of a terminal that lines are fitted to
constexpr std::size_t kWidest = 120;      // longer lines are hard to read
constexpr std::size_t kLongest = 40;      // of a list of choices beside a flag

constexpr std::pair<const char*, const char*> kPapers[] = {
    {"AHL24", "Ales, Huré and Lambert 2024"},
    {"BD17", "Bertsimas and Dunn 2017"},
    {"DGMP23", "D'Onofrio, Grani, Monaci and Palagi 2023"},
    {"V23", "Vääräniemi 2023"},
    {"Z20", "Zhu, Murali, Phan, Nguyen and Kalagnanam 2020"},
};

// Options that name a file.
constexpr const char* kFiles[] = {"--out",        "--test",        "--proof",      "--html",           "--svg",
                                  "--checkpoint", "--write-model", "--write-rows", "--representatives"};

bool is_named(const Flag& flag, const std::string& name) {
  return std::ranges::find(flag.names, name) != flag.names.end();
}

std::vector<std::string> words_of(const std::string& text, char separator) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// The width of the terminal. COLUMNS overrules it, as in other programs.
std::size_t line_width() {
  const char* columns = std::getenv("COLUMNS");
  std::size_t width = columns != nullptr ? std::strtoul(columns, nullptr, 10) : 0;
  if (width == 0) width = system::terminal_width(1);
  return width == 0 ? kUsualWidth : std::clamp(width, kNarrowest, kWidest);
}

// Where descriptions begin.
std::size_t column() {
  constexpr std::size_t kColumn = 30;
  return std::min(kColumn, line_width() / 3);
}

// The text in lines of at most the width; every line but the first begins at `indent`. `used`: what the first line holds already.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t used) {
  const std::size_t width = line_width();
  std::string out;
  for (const std::string& line : words_of(text, '\n')) {
    if (!out.empty()) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    }
    bool first = true;
    for (const std::string& word : words_of(line, ' ')) {
      if (!first && used + 1 + word.size() > width) {
        out += "\n" + std::string(indent, ' ') + word;
        used = indent + word.size();
      } else {
        out += (first ? "" : " ") + word;
        used += (first ? 0 : 1) + word.size();
      }
      first = false;
    }
  }
  return out;
}

// A name, and what it means beside it, or below it if the name is long.
std::string entry(const std::string& name, const std::string& text) {
  std::string out = "  " + name;
  const std::size_t indent = column();
  if (out.size() + 2 > indent) {
    out += "\n" + std::string(indent, ' ');
  } else {
    out.resize(indent, ' ');
  }
  return out + wrapped(text, indent, indent) + "\n";
}

std::string entry(const Flag& flag, bool all) {
  // Of several long names, the first.
  const std::size_t long_names = flag.names.front().rfind("--", 0) == 0 ? 1 : 2;
  const auto end = all ? flag.names.end() : flag.names.begin() + static_cast<std::ptrdiff_t>(std::min(long_names, flag.names.size()));
  std::string name = fmt::format("{}", fmt::join(flag.names.begin(), end, ", "));
  if (!flag.value.empty() && !flag.positional) name += " " + (flag.value.size() > kLongest ? std::string("NAME") : flag.value);
  std::string text = flag.help;
  if (!flag.default_text.empty()) text += fmt::format(" (default {})", flag.default_text);
  return entry(name, text);
}

std::string options_text(const CLI::App& command, bool all) {
  std::string out;
  const std::vector<Flag> flags = flags_of(command);
  std::vector<std::string> groups;
  for (const Flag& flag : flags) {
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end()) groups.push_back(flag.group);
  }
  // The options of every command come late, what is listed on demand comes last.
  const auto place = [](const std::string& group) { return group.rfind(kMore, 0) == 0 ? 2 : group == "Options" ? 1 : 0; };
  std::stable_sort(groups.begin(), groups.end(), [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  std::string elsewhere;  // groups that are listed on demand
  for (const std::string& group : groups) {
    std::string lines;
    bool more = false;
    for (const Flag& flag : flags) {
      if (flag.group != group) continue;
      more = flag.more();
      lines += entry(flag, all);
    }
    const std::string title = more ? group.substr(std::string_view(kMore).size()) : group;
    if (more && !all) {
      const auto count = std::ranges::count_if(flags, [&](const Flag& flag) { return flag.group == group; });
      elsewhere += fmt::format("{}{} {}", elsewhere.empty() ? "" : ", ", title, count);
      continue;
    }
    out += title.empty() ? "\n" + lines : fmt::format("\n{}:\n{}", title, lines);
  }
  if (!elsewhere.empty())
    out += "\n" + wrapped(fmt::format("More: treewright {} --help-all ({})", command.get_name(), elsewhere), 2, 0) + "\n";
  return out;
}

class HelpLayout : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const bool all = mode == CLI::AppFormatMode::All;
    std::string out = wrapped(app->get_description(), 0, 0) + "\n\nUsage: " + (name.empty() ? app->get_name() : name);
    const std::vector<const CLI::App*> commands = commands_of(*app);
    if (!commands.empty()) out += " COMMAND";
    for (const Flag& flag : flags_of(*app)) {
      if (flag.positional) out += flag.required ? " " + flag.names.front() : " [" + flag.names.front() + "]";
    }
    out += " [OPTIONS]\n";
    std::string group;
    for (const CLI::App* command : commands) {
      if (command->get_group() != group) out += fmt::format("\n{}:\n", group = command->get_group());
      out += entry(command->get_name(), command->get_description());
    }
    out += options_text(*app, all);
    if (!app->get_footer().empty()) out += "\n" + wrapped(app->get_footer(), 0, 0) + "\n";
    if (!all) return out;
    for (const CLI::App* command : commands) {
      out += "\n\n" + make_help(command, fmt::format("{} {}", app->get_name(), command->get_name()), mode);
    }
    return out;
  }
};

}  // namespace

std::vector<std::string> Flag::choices() const {
  return value.find('|') == std::string::npos ? std::vector<std::string>() : words_of(value, '|');
}

std::vector<Flag> flags_of(const CLI::App& command) {
  std::vector<Flag> flags;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    Flag& flag = flags.emplace_back();
    flag.positional = option->get_positional();
    flag.required = option->get_required();
    if (flag.positional) flag.names.push_back(option->get_name(true, false));
    for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
    // CLI11 appends what its checks say of themselves behind a colon.
    if (option->get_type_size() != 0) flag.value = words_of(option->get_type_name(), ':').front();
    for (const char* number : {"INT", "UINT", "FLOAT"}) {
      if (flag.value == number) flag.value = "NUMBER";
    }
    if (flag.value == "TEXT" && std::ranges::any_of(kFiles, [&](const char* name) { return is_named(flag, name); })) flag.value = "FILE";
    flag.default_text = option->get_default_str();
    flag.help = option->get_description();
    flag.group = flag.positional ? "" : option->get_group();
  }
  std::stable_partition(flags.begin(), flags.end(), [](const Flag& flag) { return flag.positional; });
  return flags;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string with_papers(std::string text) {
  for (const auto& [code, paper] : kPapers) {
    const std::string_view short_name(code);
    for (std::size_t at = text.find(short_name); at != std::string::npos; at = text.find(short_name, at)) {
      text.replace(at, short_name.size(), paper);
    }
  }
  return text;
}

std::shared_ptr<CLI::FormatterBase> help_layout() {
  return std::make_shared<HelpLayout>();
}

}  // namespace treewright::cli
