#include "treewright/fit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "commands.h"
#include "treewright/base/progress_table.h"
#include "treewright/explain.h"
#include "treewright/result.h"

namespace treewright::cli {

namespace {

struct FitArguments {
  std::string data, out;
  ReadOptions read;
  Options options;
  bool json = false, verbose = false, quiet = false;
};

std::string report(const Result& result) {
  // No objective is negative, so a bound of 0 says nothing unless a tree reaches it.
  const bool bounded = result.bound > 0 || result.status == Status::optimal;
  const bool stopped = !bounded && result.status != Status::heuristic;
  return fmt::format(
      "{}\nstatus    {}\nobjective {:.9g}\nbound     {}\ngap       {}\nerrors    {}\n"
      "splits    {} (depth {}, {} {})\nproved    {}\nseconds   {:.3f} ({} thread{})\n",
      to_text(result.tree), to_string(result.status), result.objective, bounded ? fmt::format("{:.9g}", result.bound) : "none",
      bounded ? fmt::format("{:.4g} %", 100 * result.gap()) : "unknown", errors_of(result), result.tree.splits(), result.tree.depth(),
      result.tree.leaves(), result.tree.leaves() == 1 ? "leaf" : "leaves", stopped ? "nothing before the run stopped" : result.proved,
      result.seconds, result.threads, result.threads == 1 ? "" : "s");
}

int run(FitArguments& arguments) {
  check_output(arguments.out, {arguments.data});
  check_model_outputs(arguments.options, {arguments.data, arguments.out});
  arguments.read.training = true;
  const Dataset data = read_dataset(arguments.data, arguments.read);
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  if (arguments.verbose || (isatty(STDERR_FILENO) != 0 && !arguments.quiet)) {
    hooks.listener = [table = std::make_shared<ProgressTable>()](const Progress& news) { fmt::print(stderr, "{}", table->line(news)); };
  }
  const Result result = fit(data, arguments.options, hooks);
  // The tree is printed before its file is written, so it is not lost if the disk is full.
  const std::string why = result.selection.empty() ? "" : "\n" + result.selection;
  if (arguments.out != "-") write_output("", arguments.json ? summary_json(result) + "\n" : report(result) + why);
  if (!arguments.out.empty()) write_output(arguments.out, to_json(result));
  return kOk;
}

}  // namespace

void add_fit(CLI::App& app, int& code) {
  auto arguments = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "train a tree on a data file");
  command->add_option("data", arguments->data, "data file (CSV, LIBSVM, ARFF; also gzipped; - is standard input)")->required();
  add_read_flags(*command, arguments->read);
  add_option_flags(*command, arguments->options);
  command->add_option("--out", arguments->out, "write the tree with its claims to this file (JSON; - is standard output)");
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command->add_flag("-v,--verbose", arguments->verbose, "print progress on standard error even if it is not a terminal");
  command->add_flag("-q,--quiet", arguments->quiet, "print no progress");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
