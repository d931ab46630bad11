// Commands that need no training: describe, generate, methods.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands.h"
#include "flags.h"
#include "help.h"
#include "notes.h"
#include "outputs.h"
#include "treewright/base/name_list.h"
#include "treewright/data.h"
#include "treewright/data/describe.h"
#include "treewright/data/generate/generate.h"
#include "treewright/data/losses.h"
#include "treewright/data/read/ragged_lines.h"
#include "treewright/data/read/read.h"
#include "treewright/error.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"
#include "treewright/formulate/rules.h"
#include "treewright/options.h"
#include "treewright/search/bounds/rules.h"

namespace treewright::cli {

namespace {

// Whoever asks what is in a file learns it, and what stands against training on it: each fault that has a way around it is told and passed
// over.
Dataset read_in_spite_of_faults(const std::string& path, ReadOptions read, std::string& faults) {
  FileText file = file_text(path, read.format);
  if (file.format == FileFormat::csv) {
    for (const std::string& fault : blank_ragged_lines(file.text, read, file.origin)) faults += fmt::format("note: {}\n", fault);
  }
  const std::vector<std::function<void()>> ways = {
      [&] { read.drop_unlabeled = true; }, [&] { read.date_order = 'd'; }, [&] { read.infinite_missing = true; },
      [&] { read.target.reset(), read.loss.reset(), read.exposure.reset(), read.event.reset(); }};
  for (const auto& way : ways) {
    try {
      return read_text(file, read);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      const std::string note = fmt::format("note: {}\n", error.what());
      if (faults.find(note) == std::string::npos) faults += note;
    }
    way();
  }
  return read_text(file, read);
}

std::string description_json(const Dataset& data, const std::vector<std::string>& without, const std::string& notes) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::array(), classes = Json::array(), lines = Json::array();
  for (const ColumnSummary& column : summarize_columns(data)) {
    columns.push_back({{"name", column.name},
                       {"kind", column.kind},
                       {"distinct", column.distinct},
                       {"missing", column.missing},
                       {"values", column.values},
                       {"histogram", column.histogram},
                       {"left_out", is_in(without, column.name)}});
    if (!column.levels.empty()) columns.back()["levels"] = column.levels;
  }
  std::vector<std::int64_t> rows_of(data.classes(), 0);
  for (const std::int32_t label : data.labels) ++rows_of[static_cast<std::size_t>(label)];
  for (std::size_t k = 0; k < data.classes(); ++k) classes.push_back({{"name", data.class_names[k]}, {"rows", rows_of[k]}});
  std::istringstream text(notes);
  for (std::string line; std::getline(text, line);) lines.push_back(line.substr(line.starts_with("note: ") ? 6 : 0));
  const Json all = {{"rows", data.rows()},
                    {"target", data.has_target() ? Json(data.target_name) : Json()},
                    {"loss", data.response ? Json(name_of(data.response->loss)) : Json()},
                    {"classes", std::move(classes)},
                    {"columns", std::move(columns)},
                    {"file_columns", data.reading.columns},
                    {"notes", std::move(lines)}};
  // Names may hold bytes that are no UTF-8.
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void add_describe(CLI::App& app, int& code) {
  struct Arguments {
    std::string data;
    ReadOptions read;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("describe", "summarize a data file");
  add_data_flags(*command, arguments->data, arguments->read);
  add_loss_flags(*command, arguments->read);
  command->add_flag("--json", arguments->json,
                    "print one JSON object: rows, target, its loss where it is a number, classes, columns and notes");
  command->callback([arguments, &code] {
    std::string notes;
    arguments->read.guess_numbers = true;
    const Dataset data = read_in_spite_of_faults(arguments->data, arguments->read, notes);
    const std::vector<DataNote> found = look_at(data);
    notes += notes_text(found);
    write_output("", arguments->json ? description_json(data, left_out(found), notes)
                                     : describe(data, left_out(found)) + (notes.empty() ? "" : "\n" + notes));
    code = kOk;
  });
}

void add_generate(CLI::App& app, int& code) {
  struct Arguments {
    std::string name, out;
    GenerateOptions options;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("generate", "write a synthetic data set as CSV");
  command->add_option("name", arguments->name, fmt::format("one of {}", fmt::join(generator_names(), ", ")))->required();
  GenerateOptions& o = arguments->options;
  command->add_option("--seed", o.seed, "seed of the random numbers")->capture_default_str();
  command->add_option("--sample", o.sample, "which data set to draw from the same ground truth")->capture_default_str();
  command->add_option("--depth", o.depth, "depth of the ground truth")->capture_default_str();
  command->add_option("--features", o.features, "features")->capture_default_str();
  command->add_option("--rows", o.rows, "training rows")->capture_default_str();
  command->add_flag("--rows-per-label", o.rows_per_label, "--rows counts for each label of the ground truth");
  command->add_option("--classes", o.classes, "labels to draw from (0 = as many as leaves)")->capture_default_str();
  command->add_option("--label-noise", o.label_noise, "share of rows whose label is changed")->capture_default_str();
  command->add_option("--feature-noise", o.feature_noise, "share of rows whose features are changed")->capture_default_str();
  command->add_option("--out", arguments->out, "write to this file instead of standard output");
  command->callback([arguments, &code] {
    write_output(arguments->out, write_csv(generate(arguments->name, arguments->options)));
    code = kOk;
  });
}

namespace {

std::string plain_list() {
  std::string out = "methods (--method)\n";
  for (const MethodInfo& method : method_table())
    out += fmt::format("  {:<18} {}{}\n", method.name, method.exact ? "[exact] " : "", method.description);
  out += "\noptions\n";
  for (const OptionEntry& info : option_entries()) {
    out += fmt::format("  {:<18} {} (default {}; for {})\n", info.name, info.help, info.default_text.empty() ? "none" : info.default_text,
                       info.methods);
  }
  out += "\npruning rules of oct (--disable)\n";
  for (const search::RuleInfo& rule : search::rule_table()) out += fmt::format("  {:<18} {}\n", rule.name, rule.claim);
  out += "\nstrengthenings of the MIP models (--disable; all = the papers' models)\n";
  for (const formulate::StrengtheningInfo& rule : formulate::strengthening_table())
    out += fmt::format("  {:<18} {} (in {})\n", rule.name, rule.claim, rule.models);
  return with_papers(std::move(out));
}

// A bar would end the cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

// The page docs/options.md.
std::string markdown_page() {
  std::string out =
      "# Methods, options and pruning rules\n\nGenerated by `make docs` from the tables in the source; a test "
      "compares them. The [glossary](glossary.md) explains terms and the short names of papers.\n\n## Methods\n\n"
      "| name | family | what | proves its result |\n|---|---|---|---|\n";
  for (const MethodInfo& method : method_table())
    out += fmt::format("| `{}` | {} | {} | {} |\n", method.name, method.family, cell(method.description), method.exact ? "yes" : "no");
  out +=
      "\n## Options\n\nC++ and the test files use the name; the command uses the flags. The column \"for\" lists the methods that "
      "read the option.\n\n"
      "| name | flags | values | default | for | what |\n|---|---|---|---|---|---|\n";
  for (const OptionEntry& info : option_entries()) {
    std::string flags, what(info.help), values(info.range);
    for (std::string_view rest = info.flags; !rest.empty();) {
      const std::size_t comma = rest.find(',');
      flags += fmt::format("{}`{}`", flags.empty() ? "" : " ", rest.substr(0, comma));
      rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
    }
    if (values.empty()) values = info.type == OptionType::Text ? "text" : "number";
    if (!info.unit.empty()) values += fmt::format(" ({})", info.unit);
    if (!info.source.empty()) what += fmt::format(" ({})", info.source);
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", info.name, flags, cell(values), cell(info.default_text), info.methods,
                       cell(what));
  }
  out +=
      "\n## Pruning rules of `oct`\n\nThe exact search leaves out parts of the search for these reasons. `--disable` switches them off by "
      "name; the optimum stays the "
      "same.\n\n| name | claim |\n|---|---|\n";
  for (const search::RuleInfo& rule : search::rule_table()) out += fmt::format("| `{}` | {} |\n", rule.name, cell(rule.claim));
  out +=
      "\n## Strengthenings of the MIP models\n\nThese constraints and constants help the solver. `--disable` switches them off by name; "
      "`--disable all` leaves the "
      "papers' models; the "
      "optimum stays the same. [mip.md](mip.md) measures their effect.\n\n| name | model | claim |\n|---|---|---|\n";
  for (const formulate::StrengtheningInfo& rule : formulate::strengthening_table()) {
    out += fmt::format("| `{}` | {} | {} |\n", rule.name, rule.models, cell(rule.claim));
  }
  return out;
}

}  // namespace

void add_methods(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand("methods", "list methods, options and pruning rules");
  auto markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *markdown, "as the page docs/options.md");
  command->callback([markdown, &code] {
    write_output("", *markdown ? markdown_page() : plain_list());
    code = kOk;
  });
}

}  // namespace treewright::cli
