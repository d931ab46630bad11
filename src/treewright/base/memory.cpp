#include "treewright/base/memory.h"

#include <fmt/format.h>
#include "treewright/base/system.h"
#include "treewright/error.h"

namespace treewright {

namespace {

std::string gigabytes(double bytes) {
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace

double available_memory() {
  return system::available_memory();
}

void return_freed_memory() {
  system::return_freed_memory();
}

void check_memory(double bytes, double available, const std::string& where, const std::string& what, const std::string& fix) {
  if (bytes <= available) return;
  throw Error(where, fmt::format("{} needs about {} of memory, {} are free", what, gigabytes(bytes), gigabytes(available)), fix,
              ErrorKind::limit);
}

}  // namespace treewright
