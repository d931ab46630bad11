// Commands that use a trained tree: predict, show, export, check.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "flags.h"
#include "interrupt.h"
#include "outputs.h"
#include "progress.h"
#include "read_rows.h"
#include "treewright/base/bound_text.h"
#include "treewright/base/file.h"
#include "treewright/base/name_list.h"
#include "treewright/data/write_csv.h"
#include "treewright/explain.h"
#include "treewright/explain/claims.h"
#include "treewright/explain/prediction.h"
#include "treewright/explain/text.h"
#include "treewright/export.h"
#include "treewright/export/code.h"
#include "treewright/fit/check_origin.h"
#include "treewright/probabilities.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/policy_costs.h"
#include "verification.h"

namespace treewright::cli {

namespace {

struct TreeArguments {
  std::string tree, data, out, format, proof, names;
  ExportOptions how;
  ReadOptions read;
  bool proba = false, again = false, quiet = false;
  Decision decision;
  double time_limit = std::numeric_limits<double>::infinity();
};

// A blank line would be no row to most readers.
std::string csv_cell(const std::string& text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string::npos && text.find_first_not_of(" \t") != std::string::npos;
  return plain ? text : csv_quoted(text);
}

int predict(TreeArguments& arguments) {
  const Decision& decision = arguments.decision;
  if (decision.shrinkage && !arguments.proba && !decision.threshold)
    throw Error("--shrinkage", "labels do not depend on it", "add --proba or --threshold, or leave it out", ErrorKind::usage);
  if (!decision.positive.empty() && !decision.threshold)
    throw Error("--positive", "without a threshold each leaf predicts its class", "add --threshold", ErrorKind::usage);
  check_output(arguments.out, {arguments.tree, arguments.data});
  const Result result = load_tree(arguments.tree);
  const Dataset data = read_rows(result, arguments.data, arguments.read, arguments.quiet);
  std::string out;
  if (result.tree.loss) {
    if (arguments.proba || decision.threshold)
      throw Error("--proba, --threshold", "are about classes, and the tree predicts numbers", "leave them out", ErrorKind::usage);
    // A hazard is no time, and a rate no number of events.
    const Loss loss = *result.tree.loss;
    const char* const what = loss == Loss::squared ? "" : loss == Loss::poisson ? "_rate" : "_hazard";
    out += csv_cell(result.tree.target_name + what) + "\n";
    for (const double value : result.tree.predict_values(data)) out += fmt::format("{}\n", value);
  } else if (arguments.proba) {
    for (std::size_t k = 0; k < result.tree.class_names.size(); ++k) out += (k > 0 ? "," : "") + csv_cell(result.tree.class_names[k]);
    out += "\n";
    const std::vector<double> shares = decision.probabilities(result.tree, data);
    const std::size_t classes = result.tree.class_names.size();
    for (std::size_t i = 0; i < shares.size(); ++i) out += fmt::format("{}{}", shares[i], (i + 1) % classes == 0 ? "\n" : ",");
  } else {
    out += csv_cell(result.tree.target_name) + "\n";
    for (const std::int32_t label : decision.labels(result.tree, data)) out += csv_cell(result.tree.class_names[label]) + "\n";
  }
  write_output(arguments.out, out);
  return kOk;
}

int show(const TreeArguments& arguments) {
  check_output(arguments.out, {arguments.tree, arguments.names});
  Tree tree = load_tree(arguments.tree).tree;
  take_names(tree, arguments.names);
  write_output(arguments.out, to_text(tree));
  return kOk;
}

int export_to(const TreeArguments& arguments) {
  check_output(arguments.out, {arguments.tree, arguments.data, arguments.names});
  static const std::vector<std::string> for_people = {"rules", "text", "dot", "svg", "latex"};
  Result result = load_tree(arguments.tree);
  // Columns that training has left out, and the target, have no cells.
  if (arguments.format == "excel" && result.tree.splits() > 0)
    fmt::print(stderr, "treewright: the formula reads {}\n", explain::printable(exports::cells_of_excel(result.tree)));
  if (arguments.data.empty()) {
    take_names(result.tree, arguments.names);
    write_output(arguments.out, export_tree(result, arguments.format, nullptr, arguments.how));
    fmt::print(stderr, "treewright: the export was not tested (name the training data to test it on each row)\n");
    return kOk;
  }
  const Dataset data = read_for(result, arguments.data, arguments.read).train;
  take_names(result.tree, arguments.names);
  write_output(arguments.out, export_tree(result, arguments.format, &data, arguments.how));
  if (!is_in(for_people, arguments.format) && arguments.format != "json") {
    const bool runs = arguments.format == "onnx" || arguments.format == "python";
    fmt::print(stderr, "treewright: tested on {} rows by the thresholds as written, but not run{}\n", data.rows(),
               runs ? fmt::format(" (export(\"{}\", X) in Python runs it)", arguments.format) : "");
  }
  return kOk;
}

// What a tree was found to do on the rows it was trained on. Where each row has costs of its own there is no truth, but a cheapest label.
std::string recounted(const Result& result, const Dataset& data, const char* part) {
  const std::string rows = fmt::format("{}{} rows", part, result.rows);
  if (result.loss) return fmt::format("{} {:.9g} on {}", explain::explained_name(*result.tree.loss), result.explained(), rows);
  if (!data.row_costs.empty() && result.cost) {
    const Share cheapest = policy_costs(result.tree.predict(data), data).agreement;
    return fmt::format("cost {:.9g} on {}, {} of which get their cheapest label", *result.cost, rows, cheapest.part_rows);
  }
  return fmt::format("{} error{} on {}{}{}", result.errors, result.errors == 1 ? "" : "s", rows,
                     result.weighted() ? " (errors by weight)" : "", result.cost ? fmt::format(", cost {:.9g}", *result.cost) : "");
}

int check(TreeArguments& arguments) {
  const std::string text = read_file(arguments.tree);
  const Result result = from_json(text, arguments.tree);
  const DataParts parts = read_for(result, arguments.data, arguments.read);
  const Dataset& data = parts.train;
  std::vector<std::string> broken = check_all_claims(result, data);
  broken.insert(broken.end(), parts.unlike.begin(), parts.unlike.end());
  for (const std::string& sentence : broken) fmt::print("FAILS: {}\n", explain::printable(sentence));
  if (!broken.empty()) return kCheckFailed;
  const bool counts = explain::counts_alone(*result.objective_function);
  fmt::print("holds: {}{}, status {}\n", recounted(result, data, parts.tested() ? "the training part of " : ""),
             counts ? "" : fmt::format(", objective {:.9g}, bound {}", result.objective, bound_text(result.bound)),
             to_string(result.status));
  if (!parts.changed.empty())
    fmt::print("as the tree file says: {}\n", explain::printable(fmt::format("{}", fmt::join(parts.changed, "; "))));
  const Verification verified = arguments.proof.empty() ? Verification() : verification(arguments.proof, result, parts);
  const bool proved = !verified.sentence.empty();
  if (proved) fmt::print("verified: {}\n", verified.sentence);
  // Of the bound a recount says nothing.
  if (!proved && explain::bounded(result))
    fmt::print("not checked: that no tree is better{}\n",
               arguments.again ? "" : " (--proof FILE verifies a proof of it, --again solves the problem anew)");
  fmt::print("not checked: where thresholds lie between training rows, and where values go that no training row lacks ({})\n",
             nlohmann::json::parse(text).contains("checksum") ? "the checksum says that the file has them as fit wrote them"
                                                              : "the file has no checksum");
  if (!proved && !arguments.proof.empty()) {
    fmt::print("interrupted: the proof was not read to its end\n");
    return kOk;
  }
  const int code = proved && !verified.shows_bound ? kCheckFailed : kOk;
  if (!arguments.again) return code;
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  std::optional<ProgressDisplay> display(std::in_place, ProgressUnit{explain::counted(result), 1}, ProgressOutput::on_terminals);
  hooks.listener = [&display](const Progress& news) { display->show(news); };
  const select::SecondSolve second = select::solve_again(result, data, arguments.time_limit, hooks);
  display.reset();
  for (const std::string& sentence : second.broken) fmt::print("FAILS: {}\n", explain::printable(sentence));
  if (!second.broken.empty()) return kCheckFailed;
  const bool solved = second.result.status == Status::optimal;
  const bool errors = explain::counted(result) == "errors";
  const char *const of = result.loss ? "an objective of " : errors ? "" : "a cost of ", *const unit = errors ? " errors" : "";
  fmt::print("solved again in {:.3f} s with other rules: {}\n", second.result.seconds,
             solved ? fmt::format("the optimum is {}{:.12g}{}{}", of, second.result.objective, unit,
                                  result.status == Status::optimal ? ", as claimed" : ", which does not contradict the claims")
                    : fmt::format("stopped ({}): the optimum is between {}{} and {:.9g}{}, which does not contradict the claims",
                                  to_string(second.result.status), of, bound_text(second.result.bound), second.result.objective, unit));
  return code;
}

}  // namespace

void add_predict(CLI::App& app, int& code) {
  auto arguments = std::make_shared<TreeArguments>();
  CLI::App* command = app.add_subcommand("predict", "label the rows of a data file with a trained tree");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  command->add_option("data", arguments->data, "data file; columns are matched with the tree's by name")->required();
  add_read_flags(*command, arguments->read);
  CLI::Option* proba = command->add_flag("--proba", arguments->proba, "print class probabilities instead of labels");
  add_shrinkage_flag(*command, arguments->decision.shrinkage);
  add_decision_flags(*command, arguments->decision)->excludes(proba);
  command->add_flag("-q,--quiet", arguments->quiet, "print no notes on the rows");
  command->add_option("--out", arguments->out, "write to this file instead of standard output");
  command->callback([arguments, &code] { code = predict(*arguments); });
}

void add_show(CLI::App& app, int& code) {
  auto arguments = std::make_shared<TreeArguments>();
  CLI::App* command = app.add_subcommand("show", "print a trained tree as rules");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  add_names_flag(*command, arguments->names);
  command->add_option("--out", arguments->out, "write to this file instead of standard output");
  command->callback([arguments, &code] { code = show(*arguments); });
}

void add_export(CLI::App& app, int& code) {
  auto arguments = std::make_shared<TreeArguments>();
  CLI::App* command = app.add_subcommand("export", "write a tree as a picture, program code or a model file for another library");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  command->add_option("data", arguments->data, "the training data: the export is tested on each row first");
  std::string help = "the format:";
  std::vector<std::string> names;
  for (const ExportFormat& format : export_table()) {
    names.emplace_back(format.name);
    help += fmt::format("\n{} = {}", format.name, format.description);
  }
  command->add_option("--to", arguments->format, help)->required()->type_name("FORMAT")->check(CLI::IsMember(names).description(""));
  command
      ->add_option("--name", arguments->how.name,
                   "c, cpp, javascript: of the prefix, the namespace or the object (default: treewright_ and a checksum)")
      ->type_name("NAME");
  command->add_flag("--backquotes", arguments->how.backquotes,
                    "sql: write names in `backquotes`, as MySQL, Spark, Hive and BigQuery read them");
  add_names_flag(*command, arguments->names);
  add_read_flags(*command, arguments->read);
  command->add_option("--out", arguments->out, "write to this file instead of standard output");
  command->callback([arguments, &code] { code = export_to(*arguments); });
}

void add_check(CLI::App& app, int& code) {
  auto arguments = std::make_shared<TreeArguments>();
  CLI::App* command = app.add_subcommand("check", "recount all that a tree claims, but for the bound, on the data it was trained on");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  command->add_option("data", arguments->data, "the training data")->required();
  add_read_flags(*command, arguments->read);
  command->add_option("--proof", arguments->proof, "also verify this proof, which fit --proof has written, on the raw rows");
  command->add_flag("--again", arguments->again,
                    "also solve the problem again (other pruning rules, other order of columns, one thread) and compare; slower than fit");
  command->add_option("--time-limit", arguments->time_limit, "seconds for --again")->needs("--again");
  command->callback([arguments, &code] { code = check(*arguments); });
}

}  // namespace treewright::cli
