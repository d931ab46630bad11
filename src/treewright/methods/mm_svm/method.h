#pragma once

#include "treewright/methods/method.h"

namespace treewright::mm_svm {

/// MM-SVM-OCT (Blanco, Japon & Puerto 2022 as DGMP23 uses it).
std::vector<Method> methods();

}  // namespace treewright::mm_svm
