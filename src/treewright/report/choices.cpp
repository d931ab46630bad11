#include "treewright/report/choices.h"

#include <fmt/format.h>

#include "treewright/export/svg.h"

namespace treewright::report {

std::string choice_slider(const std::string& what, const std::string& low, const std::string& high) {
  return fmt::format("<div class=\"mover\" data-what=\"{}\" data-low=\"{}\" data-high=\"{}\"></div>", what, low, high);
}

std::string choice_drawing(std::size_t number, const std::string& line, const Tree& tree, const std::string& prefix) {
  return fmt::format("<details data-choice=\"{}\"><summary>{}</summary><div class=\"canvas\">{}</div></details>", number, line,
                     exports::tree_drawing(tree, fmt::format("{}{}", prefix, number)));
}

}  // namespace treewright::report
