#include "treewright/base/stop_point.h"

#include <utility>

namespace treewright {

namespace {

thread_local const StopScope* innermost = nullptr;

}  // namespace

StopScope::StopScope(std::function<bool()> over) : over_(std::move(over)), outer_(innermost) {
  innermost = this;
}

StopScope::~StopScope() {
  innermost = outer_;
}

const StopScope* StopScope::current() {
  return innermost;
}

StopScope::Adopted::Adopted(const StopScope* scope) : before_(innermost) {
  innermost = scope;
}

StopScope::Adopted::~Adopted() {
  innermost = before_;
}

void stop_point() {
  for (const StopScope* scope = innermost; scope != nullptr; scope = scope->outer_) {
    if (scope->over_()) throw Stopped();
  }
}

}  // namespace treewright
