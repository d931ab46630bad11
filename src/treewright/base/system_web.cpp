// A browser's worker, compiled by emscripten: see system.h. Files are in memory (files_posix.cpp). There are no terminals, no signals, no
// threads and no other programs: a command cannot be started.

#include <emscripten/heap.h>
#include <malloc.h>

#include <cstdlib>

#include "treewright/base/system.h"

namespace treewright::system {

std::vector<std::string> start(int argc, char** argv) {
  return {argv + (argc > 0 ? 1 : 0), argv + argc};
}

void on_end_request(void (*)(int code)) {}

struct EndsWait::State {};
EndsWait::EndsWait() = default;
EndsWait::~EndsWait() = default;

bool has_threads() {
  return false;
}

std::string environment(const char*) {
  return "";
}

double available_memory() {
  return static_cast<double>(emscripten_get_heap_max()) - static_cast<double>(emscripten_get_heap_size()) + mallinfo().fordblks;
}

void return_freed_memory() {}

bool is_terminal(int) {
  return false;
}

bool can_erase_lines() {
  return false;
}

std::size_t terminal_width(int) {
  return 0;
}

struct ShellCommand::Process {};

ShellCommand::ShellCommand(const std::string&, const std::string&) {}

ShellCommand::~ShellCommand() = default;

bool ShellCommand::started() const {
  return false;
}

bool ShellCommand::running() {
  return false;
}

void ShellCommand::end() {}

bool ShellCommand::succeeded() const {
  return false;
}

std::string ShellCommand::ending() const {
  return "cannot be started in a browser";
}

struct Partner::Process {};

Partner::Partner(const std::vector<std::string>&) {}

Partner::~Partner() = default;

bool Partner::started() const {
  return false;
}

void Partner::say(const std::string&) {}

void Partner::say_no_more() {}

void Partner::hang_up() {}

std::size_t Partner::hear(char*, std::size_t) {
  return 0;
}

const char* python() {
  return "python";
}

}  // namespace treewright::system
