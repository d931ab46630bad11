// The manual page, made from the list of commands and options.

#include <fmt/format.h>

#include "commands.h"
#include "help.h"
#include "outputs.h"
#include "treewright/base/version.h"

namespace treewright::cli {

namespace {

// Text as troff takes it: no character begins a request or an escape, dashes stay dashes.
std::string plain(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string entry(const Flag& flag) {
  std::string names;
  for (const std::string& name : flag.names) names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", plain(name));
  if (!flag.value.empty() && !flag.positional) names += " \\fI" + plain(flag.value) + "\\fR";
  std::string help = plain(flag.help);
  if (!flag.default_text.empty()) help += plain(fmt::format(" (default {})", flag.default_text));
  return fmt::format(".TP\n{}\n{}\n", names, help);
}

std::string page(const CLI::App& app) {
  std::string out = fmt::format(
      ".TH TREEWRIGHT 1 \"\" \"treewright {}\" \"User Commands\"\n"
      ".ad l\n"
      ".SH NAME\ntreewright \\- optimal classification trees with certificates\n"
      ".SH SYNOPSIS\n.B treewright\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      version(), plain(app.get_description()));
  for (const CLI::App* command : commands_of(app)) {
    out += fmt::format(".SS treewright {}\n{}.\n", command->get_name(), plain(command->get_description()));
    for (const Flag& flag : flags_of(*command)) out += entry(flag);
  }
  return out + ".SH NOTES\n.nf\n" + plain(app.get_footer()) + "\n.fi\n";
}

}  // namespace

void add_manual(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("manual", "print the manual page (for man: treewright manual > treewright.1)");
  command->callback([&app, &code] {
    write_output("", page(app));
    code = kOk;
  });
}

}  // namespace treewright::cli
