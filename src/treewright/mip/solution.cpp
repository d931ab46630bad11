#include "treewright/mip/solution.h"

#include <fmt/format.h>

#include "treewright/base/error.h"

namespace treewright::mip {

MipOptions MipOptions::from(const Options& options) {
  MipOptions how;
  how.solver = options.mip_solver;
  how.threads = static_cast<int>(options.n_jobs);
  how.seed = options.random_state;
  how.node_limit = options.node_limit;
  return how;
}

void expect_own_start(const Options& options) {
  if (options.mip_start == "auto" || options.mip_start == "none") return;
  throw option_error("mip_start", fmt::format("method '{}' starts from its own search, not from '{}'", options.method, options.mip_start),
                     "leave it out, or give none");
}

}  // namespace treewright::mip
