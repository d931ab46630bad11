#pragma once

#include <CLI/CLI.hpp>

namespace treewright::cli {

/// Exit codes of the command.
enum ExitCode { kOk = 0, kCheckFailed = 1, kUsage = 2, kBadData = 3 };

/// Each adds its subcommand to `app`; running it stores the exit code in `code`.
void add_fit(CLI::App& app, int& code);
void add_predict(CLI::App& app, int& code);
void add_show(CLI::App& app, int& code);
void add_export(CLI::App& app, int& code);
void add_explain(CLI::App& app, int& code);
void add_report(CLI::App& app, int& code);
void add_score(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);
void add_describe(CLI::App& app, int& code);
void add_table(CLI::App& app, int& code);
void add_generate(CLI::App& app, int& code);
void add_methods(CLI::App& app, int& code);
void add_tune(CLI::App& app, int& code);
void add_trade_off(CLI::App& app, int& code);
void add_column_worth(CLI::App& app, int& code);
void add_near_trees(CLI::App& app, int& code);
void add_partition(CLI::App& app, int& code);
void add_completion(CLI::App& app, int& code);
void add_manual(CLI::App& app, int& code);

}  // namespace treewright::cli
