// What the command does on a terminal and the page does in a browser: progress is shown, and a run is ended. See page.js and worker.js.

#include <emscripten.h>

#include <cmath>
#include <utility>

#include "commands.h"
#include "interrupt.h"
#include "progress.h"

EM_JS(void, tell_page, (const char* unit, double seconds, double incumbent, double bound, double left), {
  if (Module["news"]) Module["news"](UTF8ToString(unit), seconds, incumbent, bound, left);
})

namespace treewright::cli {

namespace {

std::atomic<bool> stop_requested{false};

}  // namespace

const std::atomic<bool>* stop_on_interrupt() {
  return &stop_requested;
}

int code_of_interrupt() {
  return kOk;
}

ProgressDisplay::ProgressDisplay(ProgressUnit unit, ProgressOutput)
    : unit_(std::move(unit)), terminal_(false), table_shown_(false), table_(unit_.name) {}

ProgressDisplay::~ProgressDisplay() = default;

void ProgressDisplay::show(const Progress& news) {
  tell_page(unit_.name.c_str(), news.seconds, news.incumbent * unit_.scale, news.bound * unit_.scale, news.seconds_left);
}

}  // namespace treewright::cli

/// The run ends soon, with the best tree so far. Called while the command looks at the clock.
extern "C" EMSCRIPTEN_KEEPALIVE void treewright_stop() {
  treewright::cli::stop_requested.store(true);
}
