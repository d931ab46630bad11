#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// MM-SVM-OCT (Blanco, Japon & Puerto 2022 as DGMP23 uses it).
std::vector<Method> mm_svm_methods();

}  // namespace treewright
