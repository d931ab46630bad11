#pragma once

#include <string>
#include <vector>

#include "treewright/explain/text.h"

namespace treewright::exports {

/// Characters that a box of the drawing holds. Hyperplanes with a longer question are drawn by a name.
inline constexpr std::size_t kLongestLabel = 30;

/// A picture in the box of a split, in pixels.
inline constexpr double kPictureWidth = 104, kPictureHeight = 24;

/// Class of the style sheet for a class label. The first eight colors are those that color-blind readers tell apart (Okabe and Ito 2008),
/// the others keep a distance of 25 in CIELAB to all before; from the 33rd class on they come again, paler.
std::string color_class(std::size_t label);

/// The style sheet of the palette: rules ".c0 { fill: ... }" and so on.
std::string palette_css();

/// Bars side by side, `width` long in all, in the order of the classes: shares of `weights`. An SVG fragment.
std::string class_bar(const std::vector<double>& weights, double x, double y, double width, double height);

/// How tall and how wide the drawing is with nothing folded, in pixels.
double drawing_height(const Tree& tree);
double drawing_width(const Tree& tree);

/// The drawing itself, an <svg> element without a style sheet. Elements of node i have the ids `prefix`n{i} and, for the edge that
/// leads to it, `prefix`e{i}. `pictures`: for each node an SVG fragment, kPictureWidth wide and kPictureHeight tall from (0, 0), to stand
/// in their boxes; empty = none.
std::string tree_drawing(const Tree& tree, const std::string& prefix = "", int digits = explain::kDigits,
                         const std::vector<std::string>& pictures = {});

/// The drawing as a file of its own, with its style sheet.
std::string to_svg(const Tree& tree, int digits = explain::kDigits);

}  // namespace treewright::exports
