#include "treewright/base/memory.h"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "treewright/error.h"

namespace treewright {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// A number in a file of the system's, as bytes; kUnknown where there is none ("max").
double number_in(const char* path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : kUnknown;
}

double free_on_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name, rest;
  for (double kilobytes = 0; file >> name >> kilobytes; std::getline(file, rest)) {
    if (name == "MemAvailable:") return 1024 * kilobytes;
  }
  return kUnknown;
}

// Files that are kept in memory make room.
double free_in_group() {
  const double limit = number_in("/sys/fs/cgroup/memory.max");
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::string name;
  double used = 0;
  return limit == kUnknown || !(file >> name >> used) || name != "anon" ? kUnknown : limit - used;
}

double free_in_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const double pages = number_in("/proc/self/statm");
  const double used = pages == kUnknown ? 0 : pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  return static_cast<double>(limit.rlim_cur) - used;
}

std::string gigabytes(double bytes) {
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace

double available_memory() {
  return std::max(0.0, std::min({free_on_machine(), free_in_group(), free_in_process()}));
}

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void check_memory(double bytes, double available, const std::string& where, const std::string& what, const std::string& fix) {
  if (bytes <= available) return;
  throw Error(where, fmt::format("{} needs about {} of memory, {} are free", what, gigabytes(bytes), gigabytes(available)), fix,
              ErrorKind::limit);
}

}  // namespace treewright
