#include "treewright/base/deadline.h"

namespace treewright {

const char* to_string(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::time_limit:
      return "time_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::node_limit:
      return "node_limit";
    case Status::infeasible:
      return "infeasible";
    case Status::heuristic:
      return "heuristic";
  }
  return "unknown";
}

}  // namespace treewright
