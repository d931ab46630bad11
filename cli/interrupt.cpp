// How Ctrl-C ends a run.

#include "interrupt.h"

#include "commands.h"
#include "treewright/base/system.h"

namespace treewright::cli {

namespace {

std::atomic<bool> stop_requested{false};
std::atomic<int> stop_code{kOk};

}  // namespace

const std::atomic<bool>* stop_on_interrupt() {
  system::on_end_request([](int code) {
    stop_code.store(code);
    stop_requested.store(true);
  });
  return &stop_requested;
}

int code_of_interrupt() {
  return stop_code.load();
}

}  // namespace treewright::cli
