#pragma once

#include <optional>
#include <string>

#include "treewright/progress.h"

namespace treewright {

/// Subproblems a second, on average since the start of the run.
double per_second(const Progress& progress);

/// A rough time for people: "35s", "12min", "5h", "3d".
std::string duration(double seconds);

/// A run's log as people read it, like a MIP solver's: a line for each new incumbent or bound. One table for each run.
class ProgressTable {
 public:
  /// `unit`: what incumbent and bound are: "objective" or "errors".
  explicit ProgressTable(std::string unit = "objective") : unit_(std::move(unit)) {}

  /// The text to print, with the table's head and its legend before its first line. "" where a rise of the bound, or no news, follows too
  /// soon: bounds may rise thousands of times a second.
  std::string line(const Progress& progress);

 private:
  std::string head() const;

  std::string unit_;
  std::optional<Progress> last_;  // as printed
};

}  // namespace treewright
