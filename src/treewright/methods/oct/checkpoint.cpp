// The checkpoint of a run: a journal of what its search has solved (search/bounds/ledger.h), and of the parts of its proof
// (search/prove/prove.h).
//
// A line is one fact: the task, the work and the seconds that it took, and its results. The first line names the program's version, the
// data and every option that the facts depend on. Limits of time and work and the number of threads may differ. Facts of another
// version are refused: they could be wrong by a mistake that this version has corrected.
//
// A fact that takes less than two milliseconds is not written: that would take a hundredth of them, and solving it again costs no more than
// reading it. Of the cuts below the root, which are many more and of no use once the root's cut is solved, only those of a tenth of a
// second are written. The same holds for parts of a proof, whose bytes are written in hexadecimal. Lines are handed to the system at once,
// so a kill takes none of them, and brought to the disk every two seconds. Where a line cannot be written the file ends, and
// the run goes on: its tree is worth more.

#include "treewright/methods/oct/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "treewright/base/error.h"
#include "treewright/base/json_integer.h"
#include "treewright/base/version.h"
#include "treewright/data/fingerprint.h"
#include "treewright/methods/method.h"
#include "treewright/search/bounds/fact_json.h"

namespace treewright::oct {

namespace {

using search::Fact;
using search::NodeTask;
using search::ProofPart;
using search::TaskPath;

// How long a task of the root, or one below, must have taken to be written.
constexpr double kSecondsAtRoot = 0.002, kSecondsBelow = 0.1;
constexpr std::chrono::duration<double> kSync{2};

Journal::Header header_of(const Task& task) {
  // The search sees a table of gains where labels have costs; the scale of the price and the limits on leaves come from the rows.
  Journal::Header header{
      {"treewright_fit", "6"}, {"version", version()}, {"data", fingerprint(task.raw())}, {"table", fingerprint(task.data)}};
  // A fact does not depend on how long the run may go on, and on what is kept of it.
  const std::vector<std::string_view> free = joined({reads::kRun, reads::kKept});
  for (const auto& [name, value] : options_set(task.options)) {
    if (std::find(free.begin(), free.end(), name) == free.end()) header.emplace_back(name, value);
  }
  return header;
}

constexpr std::string_view kDigits = "0123456789abcdef";

std::string text_of(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte / 16], kDigits[byte % 16]};
  }
  return text;
}

std::string bytes_from(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const std::size_t high = kDigits.find(text[i]), low = kDigits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) throw std::out_of_range("no byte");
    bytes += static_cast<char>(16 * high + low);
  }
  return bytes;
}

ProofPart part_from(const search::Json& json) {
  return {integer<std::size_t>(json.at(0)),
          integer<std::uint32_t>(json.at(1)),
          json.at(2).get<bool>(),
          integer<int>(json.at(3)),
          integer<std::int64_t>(json.at(4)),
          json.at(5).get<double>(),
          json.at(json.size() > 6 ? 6 : 5).get<double>()};
}

}  // namespace

Checkpoint::Checkpoint(const Task& task) : parts_(*this) {
  const Options& options = task.options;
  const Journal::Existing existing = existing_checkpoint(options.checkpoint, options.on_existing);
  if (options.checkpoint.empty()) return;
  journal_.emplace(options.checkpoint, header_of(task), existing);
  const std::vector<std::string>& lines = journal_->lines();
  for (std::size_t i = 0; i < lines.size(); ++i) read(lines[i], fmt::format("{}, line {}", options.checkpoint, i + 2));
  for (auto& [min_rows, facts] : searches_) facts.drop_needless();
}

void Checkpoint::begin() {
  if (journal_) journal_->begin();
}

search::Ledger* Checkpoint::ledger(std::int64_t min_rows) {
  return journal_ ? &searches_.try_emplace(min_rows, *this, min_rows).first->second : nullptr;
}

search::ProofParts* Checkpoint::parts() {
  return journal_ ? &parts_ : nullptr;
}

void Checkpoint::read(const std::string& line, const std::string& where) {
  try {
    const auto json = search::Json::parse(line);
    ++facts_;
    if (json.contains("part")) {
      parts_.known.insert_or_assign(part_from(json.at("part")), bytes_from(json.at("bytes").get<std::string>()));
      return;
    }
    const auto min_rows = integer<std::int64_t>(json.at("min_rows"));
    Facts& facts = searches_.try_emplace(min_rows, *this, min_rows).first->second;
    facts.known.insert_or_assign(search::path_from(json.at("task")), search::fact_from(json));
  } catch (const std::exception&) {
    throw Error(where, "is not a line of a checkpoint", "give another file", ErrorKind::file);
  }
}

const Fact* Checkpoint::Facts::find(const TaskPath& task) {
  const auto at = known.find(task);
  return at == known.end() ? nullptr : &at->second;
}

void Checkpoint::Facts::drop_needless() {
  std::erase_if(known, [&](const auto& entry) {
    NodeTask root = entry.first.front();
    root.in_right_child = false;
    return entry.first.size() > 1 && known.contains({root});
  });
}

void Checkpoint::Facts::add(const TaskPath& task, const Fact& fact) {
  if (fact.seconds < (task.size() == 1 ? kSecondsAtRoot : kSecondsBelow)) return;
  search::Json json = search::json_of(fact);
  json["task"] = search::json_of(task);
  json["min_rows"] = min_rows_;
  file_.append(json.dump());
}

const std::string* Checkpoint::Parts::find(const ProofPart& part) {
  const auto at = known.find(part);
  return at == known.end() ? nullptr : &at->second;
}

void Checkpoint::Parts::add(const ProofPart& part, const std::string& bytes, double seconds) {
  if (seconds < kSecondsBelow) return;
  file_.append(search::Json{{"part", {part.ordering, part.rank, part.left, part.depth, part.splits, part.claim, part.of_all}},
                            {"bytes", text_of(bytes)}}
                   .dump());
}

void Checkpoint::append(const std::string& line) {
  std::lock_guard lock(mutex_);
  if (unwritten_) return;
  try {
    journal_->append(line, kSync);
    ++facts_;
  } catch (const Error& error) {
    unwritten_ = error;
  }
}

}  // namespace treewright::oct
