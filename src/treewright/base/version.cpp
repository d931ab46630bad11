#include "treewright/base/version.h"

namespace treewright {

const char* version() {
  return TREEWRIGHT_VERSION;
}

}  // namespace treewright
