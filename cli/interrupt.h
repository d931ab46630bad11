#pragma once

#include <atomic>

namespace treewright::cli {

/// A flag that the first Ctrl-C, SIGTERM or SIGHUP sets; the second one ends the program as usual.
const std::atomic<bool>* stop_on_interrupt();
/// The exit code of a run that one of these ended, after its outputs were written; kOk if none did.
int code_of_interrupt();

}  // namespace treewright::cli
