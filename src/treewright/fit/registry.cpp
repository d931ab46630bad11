// The one place that lists all methods.

#include "treewright/fit/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "treewright/base/deadline.h"
#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"
#include "treewright/fit.h"
#include "treewright/methods/auto/method.h"
#include "treewright/methods/binoct/method.h"
#include "treewright/methods/cart/method.h"
#include "treewright/methods/fair/method.h"
#include "treewright/methods/hyperplanes/method.h"
#include "treewright/methods/margot/method.h"
#include "treewright/methods/mm_svm/method.h"
#include "treewright/methods/oct/method.h"
#include "treewright/methods/oct_mip/method.h"
#include "treewright/methods/partition/method.h"
#include "treewright/methods/svm1/method.h"

namespace treewright {

namespace {

// A line for each folder of methods/, in the order of the documentation. The comments keep one on each line.
constexpr std::vector<Method> (*kFamilies[])() = {
    oct::methods,          //
    automatic::methods,    //
    hyperplanes::methods,  //
    svm1::methods,         //
    cart::methods,         //
    partition::methods,    //
    margot::methods,       //
    mm_svm::methods,       //
    oct_mip::methods,      //
    binoct::methods,       //
    fair::methods,         //
};

// Limits on subproblems where the depth follows from the classes, and on subproblems times cells of the table: some seconds on two
// threads.
constexpr std::int64_t kNodesOfAUsualDepth = 200'000, kCellsOfAUsualDepth = 10'000'000'000;

// The usual entry of each name.
std::vector<const Method*> usual_entries() {
  std::vector<const Method*> usual;
  for (const Method& method : methods()) {
    if (std::ranges::none_of(usual, [&](const Method* other) { return other->name == method.name; })) usual.push_back(&method);
  }
  return usual;
}

std::vector<const Method*> entries_of(std::string_view name) {
  std::vector<const Method*> entries;
  for (const Method& method : methods()) {
    if (method.name == name) entries.push_back(&method);
  }
  return entries;
}

// The options that choose among entries of one name.
std::vector<std::string_view> choosing_options(const std::vector<const Method*>& entries) {
  std::vector<std::string_view> options;
  for (const Method* entry : entries) {
    for (const auto& [option, value] : entry->when) {
      if (std::ranges::find(options, option) == options.end()) options.push_back(option);
    }
  }
  return options;
}

std::string value_in(const Method& entry, std::string_view option) {
  for (const auto& [name, value] : entry.when) {
    if (name == option) return std::string(value);
  }
  return get_option(Options(), option);
}

// The entries of one name that are so: by the values of one option if these tell them apart, or the name alone where all is as usual.
std::string in_words(std::string_view name, const std::function<bool(const Method&)>& are_so) {
  const std::vector<const Method*> entries = entries_of(name);
  const auto count = std::ranges::count_if(entries, [&](const Method* entry) { return are_so(*entry); });
  if (count == static_cast<std::ptrdiff_t>(entries.size())) return std::string(name);
  for (const std::string_view option : choosing_options(entries)) {
    std::vector<std::string> values;
    for (const Method* entry : entries) {
      const std::string value = value_in(*entry, option);
      if (are_so(*entry) && std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    const auto with_value = [&](const Method* entry) { return std::ranges::find(values, value_in(*entry, option)) != values.end(); };
    if (std::ranges::count_if(entries, with_value) != count) continue;
    const bool usual = values.size() == 1 && values.front() == get_option(Options(), option);
    return usual ? std::string(name) : fmt::format("{} with {}={}", name, option, fmt::join(values, " or "));
  }
  std::vector<std::string> labels;
  for (const Method* entry : entries) {
    if (are_so(*entry)) labels.push_back(entry->label());
  }
  return fmt::to_string(fmt::join(labels, ", "));
}

// Names of the methods that read the option, or of those that do not.
std::string names_of(std::string_view option, bool read) {
  return names_of_methods([&](const Method& method) { return method.reads_option(option) == read; });
}

std::string readers_of(std::string_view option) {
  const std::string readers = names_of(option, true), others = names_of(option, false);
  if (others.empty()) return "all";
  return others.size() < readers.size() ? "all but " + others : readers;
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> table = [] {
    std::vector<Method> all;
    for (const auto family : kFamilies) {
      for (Method& method : family()) all.push_back(std::move(method));
    }
    return all;
  }();
  return table;
}

const Method& method_named(std::string_view name) {
  const auto found = std::find_if(methods().begin(), methods().end(), [&](const Method& method) { return method.name == name; });
  if (found != methods().end()) return *found;
  std::vector<std::string> names;
  for (const Method* method : usual_entries()) names.emplace_back(method->name);
  throw option_error("method", fmt::format("there is no method '{}'{}", name, did_you_mean(std::string(name), names)),
                     fmt::format("use one of {}", fmt::join(names, ", ")));
}

const Method& method_of(const Options& options) {
  const std::vector<const Method*> entries = entries_of(method_named(options.method).name);
  const std::vector<std::string_view> choosing = choosing_options(entries);
  for (const Method* entry : entries) {
    const auto agrees = [&](std::string_view option) { return get_option(options, option) == value_in(*entry, option); };
    if (std::ranges::all_of(choosing, agrees)) return *entry;
  }
  return *entries.front();
}

Options options_of(const Result& result) {
  Options options;
  options.method = result.method;
  for (const auto& [name, value] : result.options) set_option(options, name, value);
  return options;
}

const Method* method_of(const Result& result) try { return &method_of(options_of(result)); } catch (const Error&) {
  return nullptr;
}

std::string names_of_methods(const std::function<bool(const Method&)>& are_so) {
  std::string names;
  for (const Method* usual : usual_entries()) {
    if (std::ranges::any_of(entries_of(usual->name), [&](const Method* entry) { return are_so(*entry); }))
      names += (names.empty() ? "" : ", ") + in_words(usual->name, are_so);
  }
  return names;
}

namespace {

// What to do where a method does not read the option. Some options speak of how greedy trees grow: others say the like of any tree.
std::string_view instead_of(std::string_view option) {
  if (option == "min_samples_split") return "set min_samples_leaf, the smallest size of a leaf, instead";
  if (option == "min_impurity_decrease") return "set ccp_alpha, the price of a split, instead";
  return "leave it out";
}

}  // namespace

void check_read(const Options& options, const std::vector<std::string_view>& also) {
  const Method& method = method_of(options);
  for (const OptionInfo& info : option_table()) {
    if (method.reads_option(info.name) || get_option(options, info.name) == info.default_text) continue;
    if (std::find(also.begin(), also.end(), info.name) != also.end()) continue;
    // A method that has one thread, or nothing random, does as it is told.
    if (std::find(reads::kHarmless.begin(), reads::kHarmless.end(), info.name) != reads::kHarmless.end()) continue;
    throw option_error(info.name, fmt::format("method '{}' does not read it", method.label()),
                       fmt::format("{}, or use one of the methods that do: {}", instead_of(info.name), names_of(info.name, true)));
  }
}

Options only_read(const Options& options) {
  const Method& method = method_of(options);
  Options kept = options;
  for (const OptionInfo& info : option_table()) {
    if (!method.reads_option(info.name)) set_option(kept, info.name, info.default_text);
  }
  return kept;
}

std::int64_t depth_for(std::size_t classes, std::int64_t least) {
  std::int64_t levels = 0;
  while (std::size_t{1} << levels < classes) ++levels;
  return std::max(least, levels + 1);
}

Options with_depth(Options options, const Dataset& data) {
  if (options.max_depth >= 0) return options;
  const Method& method = method_of(options);
  options.max_depth = method.usual_depth(data.classes());
  // Nobody has asked for a search of four levels and more, which may take days.
  const bool limited = options.node_limit >= 0 || options.time_limit != Deadline::kNoLimit || options.stall_limit != Deadline::kNoLimit;
  if (options.max_depth > kUsualDepth && method.exact && !limited && options.proof.empty()) {
    const auto cells = static_cast<std::int64_t>(std::max<std::size_t>(1, data.rows() * data.features()));
    options.node_limit = std::clamp<std::int64_t>(kCellsOfAUsualDepth / cells, 1, kNodesOfAUsualDepth);
  }
  return options;
}

bool is_undecided(const Options& options) {
  const std::string_view option = method_of(options).chosen_option;
  return !option.empty() && get_option(options, option) == get_option(Options(), option);
}

Options decided(Options options) {
  const Method& method = method_of(options);
  if (is_undecided(options)) set_option(options, method.chosen_option, method.unchosen);
  return options;
}

Options unverified(Options options) {
  options.proof.clear();
  if (method_of(options).reads_option("verify")) options.verify = "no";
  return options;
}

const std::vector<OptionEntry>& option_entries() {
  static const std::string names = [] {
    std::string list;
    for (const Method* method : usual_entries()) list += (list.empty() ? "" : "|") + std::string(method->name);
    return list;
  }();
  static const std::vector<OptionEntry> table = [] {
    std::vector<OptionEntry> lines;
    for (const OptionInfo& info : option_table()) lines.push_back({info, readers_of(info.name)});
    lines.front().type = OptionType::Choice;
    lines.front().range = names;
    return lines;
  }();
  return table;
}

const std::vector<MethodInfo>& method_table() {
  static const std::vector<MethodInfo> table = [] {
    std::vector<MethodInfo> infos;
    for (const Method* method : usual_entries()) infos.push_back({method->name, method->family, method->description, method->exact});
    return infos;
  }();
  return table;
}

}  // namespace treewright
