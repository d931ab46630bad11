#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/make_data.h"
#include "treewright/base/file.h"
#include "treewright/error.h"
#include "treewright/tune.h"

// The checkpoint of a tuning run: its true first line, then the input. Resuming refuses the file or ends the run.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace treewright;
  static const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4, 5, 6})}, {0, 1, 0, 1, 1, 0});
  static const std::string path = "/tmp/treewright-journal-" + std::to_string(getpid());
  Options options;
  options.method = "cart";
  options.max_depth = 1;
  TunePlan plan;
  plan.folds = {{{0, 1, 2, 3}, {4, 5}}};
  plan.checkpoint = path;
  static const std::string head = [&] {
    tune(data, options, plan);
    const std::string text = read_file(path);
    return text.substr(0, text.find('\n') + 1);
  }();
  write_file(path, head + std::string(reinterpret_cast<const char*>(bytes), size));
  plan.on_existing = "resume";
  try {
    tune(data, options, plan);
  } catch (const Error& error) {
    if (error.fix().empty()) std::abort();
  }
  unlink(path.c_str());
  return 0;
}
