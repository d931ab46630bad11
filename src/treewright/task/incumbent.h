#pragma once

#include <limits>
#include <mutex>
#include <optional>

#include "treewright/tree.h"

namespace treewright {

/// The best tree that a run has reported. It outlives the method that found it, so that it is not lost wherever the run is broken off.
class Incumbent {
 public:
  /// Kept if its objective is less than that of all trees before. Threads may offer trees side by side.
  void offer(const Tree& tree, double objective) {
    const std::scoped_lock lock(mutex_);
    if (!(objective < objective_)) return;
    tree_ = tree;
    objective_ = objective;
  }

  /// Call it when the method has ended.
  const std::optional<Tree>& tree() const { return tree_; }

 private:
  std::mutex mutex_;
  std::optional<Tree> tree_;
  double objective_ = std::numeric_limits<double>::infinity();
};

}  // namespace treewright
