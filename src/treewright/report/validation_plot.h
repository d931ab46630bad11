#pragma once

#include <span>
#include <string>

#include "treewright/select/validation_curve.h"

namespace treewright {

/// The steps of a validation curve as an SVG picture: mean score over alpha, one line for each setting, the choice marked.
/// `settings`: their names. Shape (settings).
std::string to_svg(std::span<const CurveStep> curve, const Choice& choice, std::span<const std::string> settings);

}  // namespace treewright
