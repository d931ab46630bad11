#pragma once

#include <string>

namespace treewright {

/// A bound, divided by a scale above 0, for people: whole numbers in full, others with so many significant digits. The number that is
/// printed, or the double that it is read as, is not above the quotient.
std::string bound_text(double bound, int digits = 9, double scale = 1);

}  // namespace treewright
