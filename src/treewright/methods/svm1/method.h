#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// SVM1-ODT (Z20), by a heuristic (alternating.h) and by a solver that starts from its tree (model.h).
std::vector<Method> svm1_methods();

}  // namespace treewright
