#pragma once

#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright::report {

/// The survival curve of a leaf's rows.
struct LeafCurve {
  std::size_t series = 0;  ///< its place among the leaves, which decides on its color
  std::vector<SurvivalStep> steps;
  double end = 0;          ///< until when its rows are observed
  std::string words = {};  ///< what they say of it
};

/// The class of a series' line.
std::string series_class(std::size_t series);
/// A piece of that line, for a legend.
std::string series_key(std::size_t series);

/// All curves in one picture, over the time of this name up to `most`.
std::string curves_chart(const std::vector<LeafCurve>& leaves, double most, const std::string& time);

/// A curve up to `most`, as an SVG fragment of exports::kPictureWidth. `kind`: the class of its line.
std::string small_curve(const std::vector<SurvivalStep>& steps, double end, double most, const std::string& kind);

}  // namespace treewright::report
