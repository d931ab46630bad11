// The page of a tree: trains the greedy tree and the complexity path; report/report.cpp writes it.

#include "page.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "interrupt.h"
#include "progress.h"
#include "treewright/base/sha256.h"
#include "treewright/base/system.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/fit/registry.h"
#include "treewright/tune.h"

namespace treewright::cli {

std::string today() {
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return date_text(static_cast<double>(day.time_since_epoch().count()), DateUnit::day);
}

void add_page_flags(CLI::App& command, std::string& title, std::string& author, CLI::Option* page) {
  CLI::Option* const headline = command.add_option("--title", title, "headline of the page (default: the file and the target)");
  CLI::Option* const name = command.add_option("--author", author, "who is responsible for the tree, shown with today's date");
  for (CLI::Option* const option : {headline, name}) {
    option->type_name("TEXT");
    if (page != nullptr) option->needs(page)->group(page->get_group());
  }
}

std::string checksum(const std::string& path) {
  // Standard input is gone when it has been read. Packed files are taken as they are, as sha256sum does.
  if (path == "-") return "";
  std::ifstream file(system::path_of(path), std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return sha256(bytes.str());
}

std::string page_of(ReportParts parts, std::optional<double> path_seconds) {
  if (parts.train == nullptr) return to_html(parts);
  const Result& result = *parts.result;
  Result greedy;
  if (result.method != "cart") {
    Options plain;
    plain.method = "cart";
    plain.max_depth = result.max_depth;
    plain.max_splits = result.max_splits;
    plain.min_samples_leaf = static_cast<double>(result.min_leaf_rows);
    plain.min_weight_fraction_leaf = options_of(result).min_weight_fraction_leaf;
    greedy = fit(*parts.train, plain);
    parts.beside = &greedy;
  }
  if (path_seconds) {
    Options options = options_of(result);
    options.class_weight.clear();  // the rows carry it already
    options.time_limit = *path_seconds;
    ProgressDisplay display({"errors", 1}, ProgressOutput::on_terminals);
    FitHooks hooks;
    hooks.stop = stop_on_interrupt();
    hooks.listener = [&display](const Progress& news) { display.show(news); };
    for (const PathPoint& point : complexity_path(*parts.train, options, hooks).points) {
      parts.path.push_back(corner_of(point, parts.test));
    }
  }
  return to_html(parts);
}

}  // namespace treewright::cli
