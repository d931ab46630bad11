// Windows: see system.h.

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
// windows.h comes first.
#include <fmt/format.h>
#include <shellapi.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "treewright/base/system.h"

namespace treewright::system {

namespace {

std::wstring wide(const std::string& text) {
  const int size = static_cast<int>(text.size());
  std::wstring out(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), size, out.data(), static_cast<int>(out.size()));
  return out;
}

std::string narrow(const std::wstring& text) {
  const int size = static_cast<int>(text.size());
  std::string out(static_cast<std::size_t>(WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr)), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), size, out.data(), static_cast<int>(out.size()), nullptr, nullptr);
  return out;
}

// The C library's number of what Windows' last call complained of.
bool failed_with_errno() {
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
      errno = ENOENT;
      break;
    case ERROR_LOCK_VIOLATION:
      errno = EWOULDBLOCK;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      errno = EACCES;
      break;
    case ERROR_DISK_FULL:
      errno = ENOSPC;
      break;
    default:
      errno = EIO;
  }
  return false;
}

void (*ask_to_end)(int code) = nullptr;
std::atomic<bool> asked{false};

// Windows calls it in a thread of its own.
BOOL WINAPI on_end_event(DWORD event) {
  if (asked.exchange(true) && event <= CTRL_BREAK_EVENT) return FALSE;  // the system's handler ends the program
  ask_to_end(event <= CTRL_BREAK_EVENT ? 130 : 143);
  // A closed window and the end of a session leave a few seconds, until this function returns.
  if (event > CTRL_BREAK_EVENT) Sleep(INFINITE);
  return TRUE;
}

// Held by whoever writes.
std::mutex& writing() {
  static std::mutex one;
  return one;
}

BOOL WINAPI wait_for_writing(DWORD) {
  const std::lock_guard lock(writing());
  return FALSE;  // the next handler's turn
}

}  // namespace

std::vector<std::string> start(int, char**) {
  for (const int stream : {0, 1, 2}) _setmode(stream, _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
  int count = 0;
  wchar_t** words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> out;
  for (int i = 1; i < count; ++i) out.push_back(narrow(words[i]));
  LocalFree(words);
  return out;
}

void on_end_request(void (*ask)(int code)) {
  ask_to_end = ask;
  SetConsoleCtrlHandler(on_end_event, FALSE);
  SetConsoleCtrlHandler(on_end_event, TRUE);
}

struct EndsWait::State {
  std::lock_guard<std::mutex> lock{writing()};
};

EndsWait::EndsWait() : state_(std::make_unique<State>()) {
  SetConsoleCtrlHandler(wait_for_writing, TRUE);
}

EndsWait::~EndsWait() {
  SetConsoleCtrlHandler(wait_for_writing, FALSE);
}

bool has_threads() {
  return true;
}

std::string environment(const char* name) {
  const std::wstring key = wide(name);
  std::wstring value(GetEnvironmentVariableW(key.c_str(), nullptr, 0), L'\0');
  value.resize(GetEnvironmentVariableW(key.c_str(), value.data(), static_cast<DWORD>(value.size())));
  return narrow(value);
}

// What the process may commit obeys the limits of its job.
double available_memory() {
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  if (!GlobalMemoryStatusEx(&memory)) return 1e18;
  return static_cast<double>(std::min({memory.ullAvailPhys, memory.ullAvailPageFile, memory.ullAvailVirtual}));
}

void return_freed_memory() {}

// --- terminals -----------------------------------------------------------------------------------------

namespace {

HANDLE console(int stream) {
  return GetStdHandle(stream == 1 ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
}

}  // namespace

bool is_terminal(int stream) {
  DWORD mode = 0;
  return GetConsoleMode(console(stream), &mode) != 0;
}

bool can_erase_lines() {
  DWORD mode = 0;
  return GetConsoleMode(console(2), &mode) != 0 && SetConsoleMode(console(2), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

std::size_t terminal_width(int stream) {
  CONSOLE_SCREEN_BUFFER_INFO info;
  if (!GetConsoleScreenBufferInfo(console(stream), &info)) return 0;
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

// --- files ---------------------------------------------------------------------------------------------

std::filesystem::path path_of(const std::string& text) {
  return wide(text);
}

std::string text_of(const std::filesystem::path& path) {
  return narrow(path.wstring());
}

FileKind kind_of(const std::string& path) {
  const std::wstring name = wide(path);
  const DWORD attributes = GetFileAttributesW(name.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return FileKind::absent;
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return FileKind::folder;
  const HANDLE file =
      CreateFileW(name.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return FileKind::regular;
  const DWORD type = GetFileType(file);
  CloseHandle(file);
  return type == FILE_TYPE_DISK ? FileKind::regular : FileKind::other;
}

int open_file(const std::string& path, Opening opening) {
  const int flags = opening == Opening::read ? _O_RDONLY : opening == Opening::write ? _O_WRONLY : _O_RDWR | _O_CREAT;
  return _wopen(wide(path).c_str(), flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

int open_standard_input() {
  return _dup(0);
}

// A new file has the permissions of its folder.
int open_replacement(const std::string& path, const std::string&) {
  return _wopen(wide(path).c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

bool bring_to_disk(int file) {
  return _commit(file) == 0;
}

// A lock keeps others from the bytes that it holds: one byte far behind the end leaves the file to its readers.
bool lock_file(int file) {
  OVERLAPPED place{};
  place.OffsetHigh = 0x40000000;
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(file));
  return LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0 || failed_with_errno();
}

// Searchers of viruses open new files for moments.
bool move_over(const std::string& from, const std::string& to) {
  constexpr int kTries = 20;
  for (int tried = 1;; ++tried) {
    if (MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
    const DWORD why = GetLastError();
    if (tried == kTries || (why != ERROR_ACCESS_DENIED && why != ERROR_SHARING_VIOLATION)) return failed_with_errno();
    Sleep(10);
  }
}

bool may_write_in(const std::string& folder) {
  return _waccess(wide(folder).c_str(), 2) == 0;
}

std::string make_temporary_folder(const std::string& prefix) {
  static std::atomic<int> made{0};
  const std::string name = fmt::format("{}-{}-{}", prefix, GetCurrentProcessId(), made++);
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem) / path_of(name);
  return problem || !std::filesystem::create_directory(folder, problem) ? "" : text_of(folder);
}

// --- other programs ------------------------------------------------------------------------------------

namespace {

// A word as programs read it from their command line.
std::wstring quoted(const std::string& word) {
  std::wstring out = L"\"";
  std::size_t slashes = 0;
  for (const wchar_t c : wide(word)) {
    if (c == L'"') out.append(slashes + 1, L'\\');
    slashes = c == L'\\' ? slashes + 1 : 0;
    out += c;
  }
  return out.append(slashes, L'\\') + L'"';
}

// Starts a program with these streams. Its job ends all that it starts when the handle of the job is closed.
bool start_program(std::wstring line, HANDLE in, HANDLE out, HANDLE error, PROCESS_INFORMATION& process, HANDLE& job) {
  STARTUPINFOW how{};
  how.cb = sizeof how;
  how.dwFlags = STARTF_USESTDHANDLES;
  how.hStdInput = in;
  how.hStdOutput = out;
  how.hStdError = error;
  for (const HANDLE stream : {in, out, error}) SetHandleInformation(stream, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP, nullptr, nullptr, &how,
                      &process))
    return false;
  job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  AssignProcessToJobObject(job, process.hProcess);
  ResumeThread(process.hThread);
  CloseHandle(process.hThread);
  return true;
}

}  // namespace

struct ShellCommand::Process {
  PROCESS_INFORMATION process{};
  HANDLE job = nullptr;
  bool started = false;
  DWORD code = 0;
};

ShellCommand::ShellCommand(const std::string& command, const std::string& output) : process_(std::make_unique<Process>()) {
  const HANDLE in = CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr);
  const HANDLE out =
      CreateFileW(wide(output).c_str(), FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_ALWAYS, 0, nullptr);
  process_->started = start_program(L"cmd.exe /S /C \"" + wide(command) + L"\"", in, out, out, process_->process, process_->job);
  CloseHandle(in);
  CloseHandle(out);
}

ShellCommand::~ShellCommand() {
  if (!started()) return;
  end();
  CloseHandle(process_->process.hProcess);
  CloseHandle(process_->job);
}

bool ShellCommand::started() const {
  return process_->started;
}

bool ShellCommand::running() {
  if (!started() || WaitForSingleObject(process_->process.hProcess, 0) != WAIT_OBJECT_0) return started();
  GetExitCodeProcess(process_->process.hProcess, &process_->code);
  return false;
}

void ShellCommand::end() {
  TerminateJobObject(process_->job, 1);
  WaitForSingleObject(process_->process.hProcess, INFINITE);
}

bool ShellCommand::succeeded() const {
  return process_->code == 0;
}

std::string ShellCommand::ending() const {
  return fmt::format("ended with exit code {}", process_->code);
}

struct Partner::Process {
  PROCESS_INFORMATION process{};
  HANDLE job = nullptr, to = nullptr, from = nullptr;
  bool started = false;
};

Partner::Partner(const std::vector<std::string>& words) : process_(std::make_unique<Process>()) {
  std::wstring line;
  for (const std::string& word : words) line += quoted(word) + L' ';
  HANDLE in = nullptr, out = nullptr;
  if (!CreatePipe(&in, &process_->to, nullptr, 0) || !CreatePipe(&process_->from, &out, nullptr, 0)) return;
  process_->started = start_program(line, in, out, console(2), process_->process, process_->job);
  CloseHandle(in);
  CloseHandle(out);
}

Partner::~Partner() {
  say_no_more();
  if (started()) {
    WaitForSingleObject(process_->process.hProcess, INFINITE);
    CloseHandle(process_->process.hProcess);
    CloseHandle(process_->job);
  }
  CloseHandle(process_->from);
}

bool Partner::started() const {
  return process_->started;
}

void Partner::say(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    DWORD written = 0;
    const auto wanted = static_cast<DWORD>(std::min<std::size_t>(bytes.size() - done, 1u << 20));
    if (!WriteFile(process_->to, bytes.data() + done, wanted, &written, nullptr)) return;
    done += written;
  }
}

void Partner::say_no_more() {
  if (process_->to != nullptr) CloseHandle(std::exchange(process_->to, nullptr));
}

void Partner::hang_up() {
  say_no_more();
  TerminateJobObject(process_->job, 1);
}

std::size_t Partner::hear(char* buffer, std::size_t size) {
  DWORD got = 0;
  return ReadFile(process_->from, buffer, static_cast<DWORD>(size), &got, nullptr) ? got : 0;
}

const char* python() {
  return "python";
}

}  // namespace treewright::system
