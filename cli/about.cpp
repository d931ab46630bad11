// What needs no training: describe, generate, methods.

#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "treewright/base/options.h"
#include "treewright/data/describe.h"
#include "treewright/data/generate.h"
#include "treewright/data/write_csv.h"
#include "treewright/fit/fit.h"
#include "treewright/search/rules.h"

namespace treewright::cli {

void add_describe(CLI::App& app, int& code) {
  struct Arguments {
    std::string data;
    ReadOptions read;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("describe", "tell what a data file holds");
  command->add_option("data", arguments->data, "data file")->required();
  add_read_flags(*command, arguments->read);
  command->callback([arguments, &code] {
    write_output("", describe(read_dataset(arguments->data, arguments->read)));
    code = kOk;
  });
}

void add_methods(CLI::App& app, int& code) {
  app.add_subcommand("methods", "list methods, options and pruning rules")->callback([&code] {
    std::string out = "methods (--method)\n";
    for (const MethodInfo& method : method_table()) out += fmt::format("  {:<18} {}{}\n", method.name, method.exact ? "[exact] " : "", method.description);
    out += "\noptions\n";
    for (const OptionInfo& info : option_table()) {
      out += fmt::format("  {:<18} {} (default {}; for {})\n", info.name, info.help, info.default_text.empty() ? "none" : info.default_text, info.methods);
    }
    out += "\npruning rules of oct (--disable)\n";
    for (const RuleInfo& rule : rule_table()) out += fmt::format("  {:<18} {}\n", rule.name, rule.claim);
    write_output("", out);
    code = kOk;
  });
}

}  // namespace treewright::cli
