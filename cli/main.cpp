#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "commands.h"
#include "treewright/base/error.h"
#include "treewright/base/version.h"

int main(int argc, char** argv) {
  using namespace treewright::cli;
  CLI::App app{"treewright trains classification trees to proven optimality."};
  app.set_version_flag("--version", fmt::format("treewright {}", treewright::version()));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 check failed, 2 wrong usage, 3 bad data or file, 4 limit reached before any tree.\n"
      "'treewright COMMAND --help' lists a command's flags.");
  int code = kOk;
  add_fit(app, code);
  add_tune(app, code);
  add_predict(app, code);
  add_show(app, code);
  add_export(app, code);
  add_report(app, code);
  add_explain(app, code);
  add_check(app, code);
  add_describe(app, code);
  add_generate(app, code);
  add_partition(app, code);
  add_methods(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version arrive here as well, with exit code 0.
    return app.exit(error) == 0 ? kOk : kUsage;
  } catch (const treewright::Error& error) {
    fmt::print(stderr, "treewright: {}\n", error.what());
    return error.kind() == treewright::ErrorKind::usage ? kUsage : kBadData;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "treewright: out of memory (use fewer rows or columns, or a machine with more memory)\n");
    return kBadData;
  }
  return code;
}
