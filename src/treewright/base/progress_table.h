#pragma once

#include <string>

#include "treewright/progress.h"

namespace treewright {

/// A run's log as people read it, like a MIP solver's: a line for each new incumbent or bound. One table for each run.
class ProgressTable {
 public:
  /// The text to print, with the table's head before its first line. "" where a rise of the bound follows another too soon: bounds may rise
  /// thousands of times a second.
  std::string line(const Progress& progress);

 private:
  bool begun_ = false;
  double last_seconds_ = 0;
};

}  // namespace treewright
