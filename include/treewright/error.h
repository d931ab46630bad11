#pragma once

#include <stdexcept>
#include <string>

namespace treewright {

/// What has to be corrected: the options, the data, a file that cannot be read or written, or the size of the problem.
enum class ErrorKind { usage, data, file, limit };

/// A mistake in what the user gave us: a file, a column, an option. It names the place, the problem and
/// the remedy. Limits of a run and interruptions are never Errors (they are a Status in the Result), and bugs of our own are asserts.
class Error : public std::runtime_error {
 public:
  /// `where`: file, line, column or option; `what`: what is wrong there; `fix`: what the user can do about it.
  Error(const std::string& where, const std::string& what, const std::string& fix, ErrorKind kind = ErrorKind::data)
      : std::runtime_error(where + ": " + what + " (" + fix + ")"), where_(where), problem_(what), fix_(fix), kind_(kind) {}

  const std::string& where() const { return where_; }
  const std::string& problem() const { return problem_; }
  const std::string& fix() const { return fix_; }
  ErrorKind kind() const { return kind_; }

 private:
  std::string where_, problem_, fix_;
  ErrorKind kind_;
};

}  // namespace treewright
