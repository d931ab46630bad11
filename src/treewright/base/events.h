#pragma once

#include <functional>

namespace treewright {

/// One line of a solver's log. The library never prints: it tells whoever listens.
struct Progress {
  double seconds;    ///< since the start of the run
  double incumbent;  ///< objective of the best tree so far
  double bound;      ///< proved lower bound on the objective
  char source;       ///< who found the incumbent: 'C' CART, 'L' look-ahead, 'S' exact search, ' ' bound only
};

using ProgressListener = std::function<void(const Progress&)>;

}  // namespace treewright
