// Tidy drawings of binary trees (Reingold and Tilford, "Tidier drawings of trees", IEEE Transactions on Software Engineering 7, 1981).
//
// A subtree is drawn by itself, around its root at x = 0. Its surroundings only need its outline: on each level
// below its root the leftmost and the rightmost edge. Two subtrees are placed as near as their outlines allow, with the parent in
// the middle above their roots. The shape of a subtree does not depend on its place, so equal subtrees look equal, and a deep
// narrow one fits under a shallow wide one.
//
// Differences from the paper: boxes have individual widths, and outlines are lists instead of threads through the tree. So a
// join costs the height of both subtrees (not of the lower one): O(nodes * depth) in all.

#include "treewright/export/layout.h"

#include <algorithm>

namespace treewright::exports {

namespace {

struct Outline {
  std::vector<double> left, right;  // relative to the subtree's root, one for each level
};

class Drawing {
 public:
  Drawing(const Tree& tree, const std::vector<double>& widths, double gap)
      : tree_(tree), widths_(widths), gap_(gap), offset_(tree.nodes().size(), 0) {}

  // Draws the subtree; its children learn their distance from it.
  Outline draw(NodeId id) {
    const Node& node = tree_.node(id);
    const double half = widths_[+id] / 2;
    if (node.is_leaf()) return {{-half}, {half}};
    const Outline a = draw(node.left), b = draw(node.right);
    double apart = 0;
    for (std::size_t k = 0; k < std::min(a.right.size(), b.left.size()); ++k) apart = std::max(apart, a.right[k] - b.left[k] + gap_);
    offset_[+node.left] = -apart / 2;
    offset_[+node.right] = apart / 2;
    Outline both = {{-half}, {half}};
    for (std::size_t k = 0; k < std::max(a.left.size(), b.left.size()); ++k) {
      both.left.push_back(k < a.left.size() ? a.left[k] - apart / 2 : b.left[k] + apart / 2);
      both.right.push_back(k < b.right.size() ? b.right[k] + apart / 2 : a.right[k] - apart / 2);
    }
    return both;
  }

  double offset(NodeId id) const { return offset_[+id]; }

 private:
  const Tree& tree_;
  const std::vector<double>& widths_;
  double gap_;
  std::vector<double> offset_;
};

}  // namespace

Layout tidy_layout(const Tree& tree, const std::vector<double>& widths, double gap, double row, double box) {
  Drawing drawing(tree, widths, gap);
  const Outline outline = drawing.draw(Tree::root());
  const double left = *std::min_element(outline.left.begin(), outline.left.end());
  const double right = *std::max_element(outline.right.begin(), outline.right.end());
  Layout layout;
  layout.places.resize(tree.nodes().size());
  layout.places[0] = {-left, 0};
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (node.is_leaf()) continue;
    for (const NodeId child : {node.left, node.right}) {
      layout.places[+child] = {layout.places[i].x + drawing.offset(child), layout.places[i].y + row};
    }
  }
  layout.width = right - left;
  layout.height = row * tree.depth() + box;
  return layout;
}

}  // namespace treewright::exports
