// Linux and macOS: see system.h.

#include <fcntl.h>
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>
#include <thread>

#include "treewright/base/system.h"

extern char** environ;

namespace treewright::system {

namespace {

// Ctrl-C, the end of a cluster job, a closed terminal.
constexpr int kEndSignals[] = {SIGINT, SIGTERM, SIGHUP};

void (*ask_to_end)(int code) = nullptr;

// Static: an unnamed namespace does not hide a function of C.
extern "C" {
static void on_end_signal(int signal) {
  ask_to_end(128 + signal);
  std::signal(signal, SIG_DFL);
}
}

}  // namespace

std::vector<std::string> start(int argc, char** argv) {
  // A file that may not grow is an error of writing, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  return {argv + std::min(argc, 1), argv + argc};
}

void on_end_request(void (*ask)(int code)) {
  ask_to_end = ask;
  for (const int signal : kEndSignals) {
    // A signal that the caller ignores stays ignored (nohup).
    if (std::signal(signal, on_end_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

struct EndsWait::State {
  sigset_t before;
};

EndsWait::EndsWait() : state_(std::make_unique<State>()) {
  sigset_t waiting;
  sigemptyset(&waiting);
  for (const int signal : kEndSignals) sigaddset(&waiting, signal);
  pthread_sigmask(SIG_BLOCK, &waiting, &state_->before);
}

EndsWait::~EndsWait() {
  pthread_sigmask(SIG_SETMASK, &state_->before, nullptr);
}

bool has_threads() {
  return true;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// --- memory --------------------------------------------------------------------------------------------

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

}  // namespace

double available_memory() {
  return std::max(0.0, std::min({free_on_machine(), free_in_group(), free_in_process()}));
}

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// --- terminals -----------------------------------------------------------------------------------------

bool is_terminal(int stream) {
  return isatty(stream) != 0;
}

bool can_erase_lines() {
  const std::string kind = environment("TERM");
  return is_terminal(STDERR_FILENO) && !kind.empty() && kind != "dumb";
}

std::size_t terminal_width(int stream) {
  winsize size{};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// --- other programs ------------------------------------------------------------------------------------

namespace {

constexpr auto kPatience = std::chrono::milliseconds(200);  // from SIGTERM to SIGKILL

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

struct ShellCommand::Process {
  pid_t id = 0;
  int code = 0;
  bool started = false, done = false;
};

// In a process group of its own.
ShellCommand::ShellCommand(const std::string& command, const std::string& output) : process_(std::make_unique<Process>()) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_setpgroup(&attributes, 0);
  // A signal that this program ignores or blocks must still end the child.
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::vector<std::string> words = {"sh", "-c", command};
  process_->started = posix_spawn(&process_->id, "/bin/sh", &actions, &attributes, pointers_to(words).data(), environ) == 0;
  process_->done = !process_->started;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
}

ShellCommand::~ShellCommand() {
  if (started()) end();
}

bool ShellCommand::started() const {
  return process_->started;
}

bool ShellCommand::running() {
  if (process_->done) return false;
  const pid_t answer = waitpid(process_->id, &process_->code, WNOHANG);
  process_->done = answer == process_->id || answer < 0;
  return !process_->done;
}

// What it started may outlive it: the whole group is told.
void ShellCommand::end() {
  const pid_t id = process_->id;
  kill(-id, SIGTERM);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while ((running() || kill(-id, 0) == 0) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(-id, SIGKILL);
  if (!process_->done) waitpid(id, &process_->code, 0);
  process_->done = true;
}

bool ShellCommand::succeeded() const {
  return WIFEXITED(process_->code) && WEXITSTATUS(process_->code) == 0;
}

std::string ShellCommand::ending() const {
  const int code = process_->code;
  return WIFSIGNALED(code) ? fmt::format("was ended by signal {}", WTERMSIG(code))
                           : fmt::format("ended with exit code {}", WEXITSTATUS(code));
}

struct Partner::Process {
  pid_t id = 0;
  int socket = -1;
  bool started = false;
};

// In a process group of its own: Ctrl-C in a terminal is for the group that the user started.
Partner::Partner(const std::vector<std::string>& words) : process_(std::make_unique<Process>()) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  // Not by SOCK_CLOEXEC, which Macs have not: no other program is started meanwhile.
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> copies = words;
  const std::vector<char*> arguments = pointers_to(copies);
  process_->started = posix_spawnp(&process_->id, arguments[0], &actions, &attributes, arguments.data(), environ) == 0;
  process_->socket = ends[0];
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
}

Partner::~Partner() {
  if (process_->socket < 0) return;
  say_no_more();
  if (started()) waitpid(process_->id, nullptr, 0);
  close(process_->socket);
}

bool Partner::started() const {
  return process_->started;
}

void Partner::say(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t sent = send(process_->socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;
    done += static_cast<std::size_t>(sent);
  }
}

void Partner::say_no_more() {
  shutdown(process_->socket, SHUT_WR);
}

void Partner::hang_up() {
  shutdown(process_->socket, SHUT_RDWR);
}

std::size_t Partner::hear(char* buffer, std::size_t size) {
  ssize_t got = 0;
  do {
    got = read(process_->socket, buffer, size);
  } while (got < 0 && errno == EINTR);
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

const char* python() {
  return "python3";
}

}  // namespace treewright::system
