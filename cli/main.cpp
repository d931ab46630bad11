#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "commands.h"
#include "treewright/base/version.h"
#include "treewright/error.h"
#include "treewright/mip/highs.h"

namespace treewright::cli {

namespace {

int out_of_memory() {
  fmt::print(stderr, "treewright: out of memory (use fewer rows or columns, or a machine with more memory)\n");
  return kBadData;
}

int run(int argc, char** argv) {
  CLI::App app{"treewright trains classification trees to proven optimality."};
  app.set_version_flag("--version", fmt::format("treewright {}", version()));
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
  } catch (const Error& error) {
    fmt::print(stderr, "treewright: {}\n", error.what());
    return error.kind() == ErrorKind::usage ? kUsage : kBadData;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    return out_of_memory();
  }
  return code;
}

}  // namespace

}  // namespace treewright::cli

int main(int argc, char** argv) {
  using namespace treewright;
  // A file that may not grow is an error of writing, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  int code = cli::run(argc, argv);
  // What was printed may not have arrived: a full disk, a closed pipe.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "treewright: standard output cannot be written (free some space, or check the program it is piped to)\n");
    code = cli::kBadData;
  }
  if (mip::highs_was_left_behind()) std::_Exit(code);
  return code;
}
