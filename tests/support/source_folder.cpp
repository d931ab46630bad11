#include "support/source_folder.h"

namespace treewright::testing {

std::string in_source(const std::string& path) {
  return TREEWRIGHT_SOURCE_DIR "/" + path;
}

}  // namespace treewright::testing
