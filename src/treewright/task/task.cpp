#include "treewright/task/task.h"

#include <cassert>

namespace treewright {

Result single_leaf(const Task& task, std::string why) {
  assert(task.objective != nullptr);
  Result result;
  result.tree = Tree(task.data);
  result.tree.tally(task.data);
  result.status = Status::optimal;
  result.bound = task.objective->of(result.tree, task.data);
  result.proved = std::move(why);
  return result;
}

}  // namespace treewright
