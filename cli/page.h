#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "treewright/report.h"

namespace treewright::cli {

/// The report of a tree as a page. Trains the greedy tree on `parts.train` to compare with and, if `path_seconds` is given, in that time
/// the complexity path.
std::string page_of(ReportParts parts, std::optional<double> path_seconds = {});

/// --title and --author of the page that `page` writes; nullptr = the command writes one anyhow.
void add_page_flags(CLI::App& command, std::string& title, std::string& author, CLI::Option* page);

/// The day in Greenwich.
std::string today();

/// SHA-256 of a data file; "" for standard input.
std::string checksum(const std::string& path);

}  // namespace treewright::cli
