#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace treewright::cli {

/// Options of a group whose name begins so are listed by --help-all only.
inline constexpr const char* kMore = "More: ";

/// One option of a command, as help, completion and manual show it.
struct Flag {
  std::vector<std::string> names;  ///< with dashes, most common first; for a positional argument its name
  std::string value;               ///< what it takes: "COLUMN", "a|b|c"; "" = nothing
  std::string default_text, help, group;
  bool positional = false, required = false;

  /// The values it takes, if they can be listed.
  std::vector<std::string> choices() const;
  bool more() const { return group.rfind(kMore, 0) == 0; }
};

/// The options of a command in the order of its definition, without hidden ones.
std::vector<Flag> flags_of(const CLI::App& command);

/// The commands, in the order of their definition.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// Short names of papers (BD17) as authors and year.
std::string with_papers(std::string text);

/// The layout of all help texts: options by group, those of groups with `kMore` by --help-all only.
std::shared_ptr<CLI::FormatterBase> help_layout();

}  // namespace treewright::cli
