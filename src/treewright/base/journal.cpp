#include "treewright/base/journal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "treewright/base/error.h"
#include "treewright/base/hash.h"
#include "treewright/base/system.h"

namespace treewright {

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw Error(path, std::strerror(errno), "check the path, its permissions and the space on the disk", ErrorKind::file);
}

// Against edits and torn writes, not against malice.
std::string line_of(std::string_view text) {
  return fmt::format("{} {}\n", hash_text(hash(text)), text);
}

// A line without its checksum and end.
std::string_view text_in(std::string_view line) {
  constexpr std::size_t kChecksum = 17;
  return line.size() > kChecksum ? line.substr(kChecksum, line.size() - kChecksum - 1) : std::string_view();
}

bool is_line(std::string_view line) {
  return line == line_of(text_in(line));
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

Journal::Journal(std::string path, const Header& header, Existing existing) : path_(std::move(path)) {
  // Reading a pipe would wait for its writer.
  if (system::kind_of(path_) == system::FileKind::other)
    throw Error(path_, "is a pipe or a device", "give a file for the checkpoint", ErrorKind::file);
  file_ = system::open_file(path_, system::Opening::update);
  if (file_ < 0) fail(path_);
  try {
    if (!system::lock_file(file_)) {
      if (errno != EWOULDBLOCK) fail(path_);
      throw Error(path_, "is in use by another run", "wait until that run has ended, or give another file", ErrorKind::file);
    }
    read(header, existing);
  } catch (...) {
    close(file_);
    throw;
  }
}

Journal::~Journal() {
  if (!synced_) system::bring_to_disk(file_);
  close(file_);
}

void Journal::read(const Header& header, Existing existing) {
  const std::string content = content_of(file_, path_), header_text = text_of(header), head = line_of(header_text);
  if (!content.empty() && existing == Existing::refused) {
    throw Error(path_, "exists already",
                "if it is a checkpoint, on_existing=resume goes on with it and on_existing=overwrite begins anew; or give another file",
                ErrorKind::file);
  }
  if (existing == Existing::overwritten) {
    if (!head.starts_with(content) && !is_line(std::string_view(content).substr(0, content.find('\n') + 1)))
      throw Error(path_, "is not a checkpoint, so it is not overwritten", "give another file", ErrorKind::file);
    head_ = header_text;
    return;
  }
  if (content.size() < head.size() && head.starts_with(content)) {
    torn_ = !content.empty();
    append(header_text);
    return;
  }
  std::size_t begin = 0, number = 1;
  for (std::size_t end; (end = content.find('\n', begin)) != std::string::npos; begin = end + 1, ++number) {
    const std::string_view line(content.data() + begin, end + 1 - begin), text = text_in(line);
    if (!is_line(line)) {
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

void Journal::begin() {
  if (!head_.empty()) append(std::exchange(head_, {}));
}

void Journal::append(std::string_view line, std::chrono::duration<double> sync_after) {
  begin();
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
  if (!system::bring_to_disk(file_)) fail(path_);
  synced_ = true;
  synced_at_ = std::chrono::steady_clock::now();
}

Journal::Existing existing_checkpoint(const std::string& path, const std::string& on_existing) {
  if (on_existing == "error") return Journal::Existing::refused;
  if (path.empty())
    throw option_error("on_existing", fmt::format("there is no checkpoint to {}", on_existing), "name the file (checkpoint)");
  return on_existing == "resume" ? Journal::Existing::resumed : Journal::Existing::overwritten;
}

}  // namespace treewright
