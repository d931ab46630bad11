#include "treewright/mip/solution.h"

namespace treewright::mip {

MipOptions MipOptions::from(const Options& options) {
  MipOptions how;
  how.solver = options.mip_solver;
  how.threads = static_cast<int>(options.n_jobs);
  how.seed = options.random_state;
  how.node_limit = options.node_limit;
  return how;
}

}  // namespace treewright::mip
