#include "treewright/select/tune_table.h"

#include <fmt/format.h>

#include <cmath>

namespace treewright::select {

std::string interval(double low, double high) {
  return fmt::format("{:.6g} .. {}", low, std::isfinite(high) ? fmt::format("{:.6g}", high) : "inf");
}

std::string tune_table_head(std::string_view fitted) {
  return fmt::format("{:>4} {:>6} {:>10} {:>24} {:>10} {:>8}  {:<12} {}\n", "fold", "splits", fitted, "alpha", "score", "features",
                     "status", "setting");
}

std::string tune_table_line(std::string_view setting, const TunedTree& tree, double score) {
  const std::string line =
      fmt::format("{:>4} {:>6} {:>10.9g} {:>24} {:>10.4f} {:>8.0f}  {:<12} {}", tree.scored.fold + 1, tree.scored.splits, tree.fitted,
                  tree.on_a_path ? interval(tree.scored.alpha_low, tree.scored.alpha_high) : "as set", score, tree.scored.features,
                  to_string(tree.status), setting);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace treewright::select
