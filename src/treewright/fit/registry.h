#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/methods/method.h"
#include "treewright/options.h"
#include "treewright/result.h"

namespace treewright {

/// All entries of methods, in the order of the documentation.
const std::vector<Method>& methods();

/// The usual entry of the method of this name. Throws Error when there is none.
const Method& method_named(std::string_view name);

/// The entry that the options choose. Throws Error when there is no such method.
const Method& method_of(const Options& options);
/// The options of the fit that made the result. Throws Error where one is unknown.
Options options_of(const Result& result);
/// The entry that made the result; null where its method or an option is unknown.
const Method* method_of(const Result& result);

/// Names with commas of the methods that are so; of some entries of a name with what tells them apart: "oct, margot with solver=mip".
std::string names_of_methods(const std::function<bool(const Method&)>& are_so);

/// Throws Error if an option is not at its default and the method of `options` does not read it; the message names those which do. Options
/// named in `also` are read by the caller.
void check_read(const Options& options, const std::vector<std::string_view>& also = {});

/// The options with all that their method does not read at its default.
Options only_read(const Options& options);

/// The options with the usual depth of their method where none was chosen. An exact search that is deeper because of the classes, and has
/// no limit of its own, gets a limit on its work.
Options with_depth(Options options, const Dataset& data);

/// Whether their method chooses one of the options by cross-validation, besides training a tree.
bool is_undecided(const Options& options);
/// The options with the usual value of what is to be chosen.
Options decided(Options options);

/// The options without a proof and its check: of fits that are only compared with others.
Options unverified(Options options);

/// A line of the option table as users see it: `method` is a choice among all methods, and `methods` says which read it ("all", "all but"
/// and names, or names).
struct OptionEntry : OptionInfo {
  std::string methods;
};

const std::vector<OptionEntry>& option_entries();

}  // namespace treewright
