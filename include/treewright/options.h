#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace treewright {

/// Every option of every method, generated from options.def.
struct Options {
  using Integer = std::int64_t;
  using Real = double;
  using Choice = std::string;
  using Text = std::string;
#define OPTION(type, name, default_value, range, flag, unit, source, help) type name = default_value;
#include "treewright/options.def"
#undef OPTION
};

enum class OptionType { Integer, Real, Choice, Text };

/// One line of the option table.
struct OptionInfo {
  OptionType type;
  std::string_view name, default_text, range, flags, unit, source, help;

  /// On, off, or as the program sees fit: the command's flag needs no value.
  bool is_three_way() const { return range == "auto|no|yes"; }
};

/// The table, in the order of options.def.
const std::vector<OptionInfo>& option_table();

/// The table's name for an option. Throws Error when there is no such option.
std::string_view option_name(std::string_view name);

/// Sets one option from text, by its name. Throws Error when the name is unknown or the value does not fit its type and
/// range. The names of methods are checked by whoever trains.
void set_option(Options& options, std::string_view name, std::string_view value);

/// The option's present value as text that `set_option` reads back to the same value.
std::string get_option(const Options& options, std::string_view name);

/// Names and texts of the options that are not at their defaults, in the order of the table.
std::vector<std::pair<std::string, std::string>> options_set(const Options& options);

/// Throws Error when any value is outside its range (for options set as struct members).
void check_options(const Options& options);

}  // namespace treewright
