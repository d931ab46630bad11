#include "treewright/base/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "treewright/base/hash.h"
#include "treewright/error.h"

namespace treewright {

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw Error(path, std::strerror(errno), "check the path, its permissions and the space on the disk", ErrorKind::file);
}

// Against edits and torn writes, not against malice.
std::string line_of(std::string_view text) {
  return fmt::format("{} {}\n", hash_text(hash(text)), text);
}

// As an object of texts.
std::string text_of(const Journal::Header& header) {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : header) json[name] = value;
  return json.dump();
}

// What to tell of a file that begins with another header.
std::string difference(std::string_view there, const Journal::Header& header) {
  const auto json = nlohmann::ordered_json::parse(there, nullptr, false);
  const auto value_there = [&](const std::string& name) {
    const auto at = json.is_object() ? json.find(name) : json.end();
    return at == json.end() ? std::string() : at->is_string() ? at->get<std::string>() : at->dump();
  };
  if (value_there(header.front().first) != header.front().second) return "is of another command or version of the program";
  std::vector<std::string> differ;
  const auto compare = [&](const std::string& name, const std::string& here) {
    const std::string other = value_there(name);
    const auto shown = [](const std::string& value) { return value.empty() ? "not set" : value; };
    if (other != here) differ.push_back(fmt::format("{} ({} there, {} here)", name, shown(other), shown(here)));
  };
  for (const auto& [name, value] : header) compare(name, value);
  for (const auto& [name, value] : json.items()) {
    const auto same = [&name = name](const auto& part) { return part.first == name; };
    if (std::none_of(header.begin(), header.end(), same)) compare(name, "");
  }
  return fmt::format("belongs to a run with other {}", fmt::join(differ, ", "));
}

std::string content_of(int file, const std::string& path) {
  std::string content;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(file, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path);
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

Journal::Journal(std::string path, const Header& header, bool resume) : path_(std::move(path)) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) fail(path_);
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) fail(path_);
      throw Error(path_, "is in use by another run", "wait until that run has ended, or give another file", ErrorKind::file);
    }
    read(header, resume);
  } catch (...) {
    close(file_);
    throw;
  }
}

Journal::~Journal() {
  if (!synced_) fsync(file_);
  close(file_);
}

void Journal::read(const Header& header, bool resume) {
  const std::string content = content_of(file_, path_), header_text = text_of(header), head = line_of(header_text);
  if (!content.empty() && !resume) {
    throw Error(path_, "exists already", "add --resume to go on with it if it is a checkpoint, or give another file", ErrorKind::file);
  }
  if (content.size() < head.size() && head.starts_with(content)) {
    torn_ = !content.empty();
    append(header_text);
    return;
  }
  std::size_t begin = 0, number = 1;
  for (std::size_t end; (end = content.find('\n', begin)) != std::string::npos; begin = end + 1, ++number) {
    const std::string_view line(content.data() + begin, end - begin);
    const std::string_view text = line.size() > 17 ? line.substr(17) : std::string_view();
    if (line_of(text) != std::string(line) + '\n') {
      throw Error(fmt::format("{}, line {}", path_, number),
                  number == 1 ? "is not a line of a checkpoint" : "was changed after it was written",
                  "give another file, or restore this one as it was", ErrorKind::file);
    }
    if (number == 1 && text != header_text) {
      throw Error(fmt::format("{}, line 1", path_), difference(text, header), "repeat the options of that run, or give another file",
                  ErrorKind::file);
    }
    if (number > 1) lines_.emplace_back(text);
  }
  if (begin == 0) throw Error(path_, "is not a checkpoint", "give another file", ErrorKind::file);
  torn_ = begin < content.size();
  size_ = static_cast<std::int64_t>(begin);
}

void Journal::append(std::string_view line, std::chrono::duration<double> sync_after) {
  const std::string text = line_of(line);
  bool good = ftruncate(file_, size_) == 0 && lseek(file_, size_, SEEK_SET) == size_;
  for (std::size_t done = 0; good && done < text.size();) {
    const ssize_t written = write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    good = written > 0;
    if (good) done += static_cast<std::size_t>(written);
  }
  if (!good) fail(path_);
  size_ += static_cast<std::int64_t>(text.size());
  synced_ = false;
  if (std::chrono::steady_clock::now() - synced_at_ >= sync_after) sync();
}

void Journal::sync() {
  if (fsync(file_) != 0) fail(path_);
  synced_ = true;
  synced_at_ = std::chrono::steady_clock::now();
}

}  // namespace treewright
