#pragma once

// What operating systems do differently: Linux and macOS in system_posix.cpp, Windows in system_windows.cpp, and a browser, which has
// neither threads nor other programs, in system_web.cpp. CMake takes one of the three. Files are alike on all but Windows: files_posix.cpp.
//
// All else of this project is written once. It knows files by descriptors, with read, write, close and errno, which the C library of
// mingw has too. A function stands here only if its two bodies share nothing; no other file asks which system it is compiled for.
//
// Names. A name of a file is text in UTF-8 everywhere: in options, messages and files. Windows keeps names in UTF-16, and its narrow
// functions take the code page of the country. So text becomes a path through `path_of`, back through `text_of`, and never by the
// conversion of std::filesystem. The words of the command line and of the environment come through here for the same reason.
//
// Bytes. Files are written and read as they are on every system: no line end is translated. Readers of tables take both kinds.
//
// Ends. On Linux a signal stops the thread that it interrupts and may be held back. On Windows, Ctrl-C starts a thread that calls the
// handlers that were set, the last one first; the program ends when no handler takes it. A handler that waits holds the end back.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace treewright::system {

// --- the process -----------------------------------------------------------------------------------

/// For the first line of a program: sets its standard streams up, and returns the words behind its name. Failures to write become errors.
std::vector<std::string> start(int argc, char** argv);

/// What the user and the system ask a program to end with (Ctrl-C, the end of a session or of a cluster's job) calls `ask` the first time,
/// with the exit code of programs that end so (128 and the signal's number: 130 for Ctrl-C), and ends the program the second time.
void on_end_request(void (*ask)(int code));

/// While one lives, such a request waits: a program that ends between making a temporary file and renaming it would leave the file behind.
class EndsWait {
 public:
  EndsWait();
  ~EndsWait();
  EndsWait(const EndsWait&) = delete;
  EndsWait& operator=(const EndsWait&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a program may have several threads. Without them, a flag that ends a run can only be set while the run calls somebody: in a
/// browser that is the clock.
bool has_threads();

/// A variable of the environment; empty where there is none.
std::string environment(const char* name);

/// Bytes that this process may still take, by whatever is least.
double available_memory();
/// Gives freed memory back to the system, where the C library keeps it.
void return_freed_memory();

// --- terminals: 1 is standard output, 2 standard error -----------------------------------------------

bool is_terminal(int stream);
/// Whether standard error is a terminal that can erase a line that it has shown.
bool can_erase_lines();
/// Characters in a line; 0 where there is no terminal.
std::size_t terminal_width(int stream);

// --- files -------------------------------------------------------------------------------------------

std::filesystem::path path_of(const std::string& text);
std::string text_of(const std::filesystem::path& path);

enum class FileKind { absent, regular, folder, other };
/// What a name stands for; `other` is a device or a pipe.
FileKind kind_of(const std::string& path);

/// To read what is there, to write into it, or to read and write it, where it is made if it is absent.
enum class Opening { read, write, update };
/// A descriptor that no other program inherits, or -1; sets errno.
int open_file(const std::string& path, Opening opening);
/// One of standard input, which may be closed.
int open_standard_input();
/// One of a new, empty file that is to take the place of `target`, with its permissions if it is there. Nobody whom they keep out can
/// open it before it has them.
int open_replacement(const std::string& path, const std::string& target);

/// All that was written is on the disk. False and errno if that failed.
bool bring_to_disk(int file);
/// Nobody else locks the file from now on until it is closed. False and errno if not; EWOULDBLOCK where somebody has locked it.
bool lock_file(int file);
/// The file takes the other's place in one step. False and errno if that failed.
bool move_over(const std::string& from, const std::string& to);
/// Whether files can be made in the folder. Sets errno.
bool may_write_in(const std::string& folder);

/// A new folder for temporary files that only this user reads. Empty if that failed.
std::string make_temporary_folder(const std::string& prefix);

// --- other programs ----------------------------------------------------------------------------------

/// A command of the shell's that prints into a file. It and all that it starts are ended with this object.
class ShellCommand {
 public:
  ShellCommand(const std::string& command, const std::string& output);
  ~ShellCommand();
  ShellCommand(const ShellCommand&) = delete;
  ShellCommand& operator=(const ShellCommand&) = delete;

  /// Whether there was a shell.
  bool started() const;
  bool running();
  /// Asks it to end where the system has a way to ask, and ends it.
  void end();
  /// Once it has ended.
  bool succeeded() const;
  std::string ending() const;

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

/// A program that is talked to: what is said is its standard input, what is heard is its standard output. Ctrl-C does not reach it.
class Partner {
 public:
  explicit Partner(const std::vector<std::string>& words);
  /// Ends its input, and waits until it has ended.
  ~Partner();
  Partner(const Partner&) = delete;
  Partner& operator=(const Partner&) = delete;

  /// Whether there is such a program.
  bool started() const;
  /// Says nothing to a program that has ended.
  void say(const std::string& bytes);
  void say_no_more();
  /// Hears no more either: a program that goes on talking ends.
  void hang_up();
  /// Waits for bytes; their number, 0 at the end.
  std::size_t hear(char* buffer, std::size_t size);

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

/// The name of Python's command.
const char* python();

}  // namespace treewright::system
