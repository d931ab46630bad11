#pragma once

#include "treewright/methods/method.h"

namespace treewright::svm1 {

/// SVM1-ODT (Z20), by a heuristic (alternating.h) and by a solver that starts from its tree (model.h).
std::vector<Method> methods();

}  // namespace treewright::svm1
