#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "treewright/base/journal.h"
#include "treewright/search/bounds/ledger.h"
#include "treewright/search/prove/prove.h"
#include "treewright/task/task.h"

namespace treewright::oct {

/// The facts of a training run and the parts of its proof, in the file that the option `checkpoint` names. See checkpoint.cpp.
class Checkpoint {
 public:
  /// Without that option nothing is kept. Throws Error where the file cannot be used (journal.h), and if there is nothing to resume from.
  explicit Checkpoint(const Task& task);

  /// Before the first fact, when nothing more can be refused: a checkpoint that is to be overwritten is emptied.
  void begin();

  /// The ledger of the run's search with this limit on the rows of a leaf; nullptr if nothing is kept. It lives as long as the checkpoint.
  search::Ledger* ledger(std::int64_t min_rows);
  /// Of its proof; nullptr if nothing is kept.
  search::ProofParts* parts();
  /// Facts and parts in the file.
  std::int64_t size() const { return facts_; }
  /// Why the file ends before the run does, on a full disk, say.
  const std::optional<Error>& unwritten() const { return unwritten_; }

 private:
  /// The facts of one search.
  class Facts : public search::Ledger {
   public:
    Facts(Checkpoint& file, std::int64_t min_rows) : file_(file), min_rows_(min_rows) {}
    const search::Fact* find(const search::TaskPath& task) override;
    void add(const search::TaskPath& task, const search::Fact& fact) override;
    /// Those below a cut of the root that is solved.
    void drop_needless();

    std::map<search::TaskPath, search::Fact> known;  ///< from the file; does not change during the search

   private:
    Checkpoint& file_;
    std::int64_t min_rows_;
  };

  class Parts : public search::ProofParts {
   public:
    explicit Parts(Checkpoint& file) : file_(file) {}
    const std::string* find(const search::ProofPart& part) override;
    void add(const search::ProofPart& part, const std::string& bytes, double seconds) override;

    std::map<search::ProofPart, std::string> known;  ///< from the file; does not change during the run

   private:
    Checkpoint& file_;
  };

  void read(const std::string& line, const std::string& where);
  void append(const std::string& line);

  std::optional<Journal> journal_;
  std::map<std::int64_t, Facts> searches_;  // by their limits on rows
  Parts parts_;
  std::atomic<std::int64_t> facts_ = 0;
  std::optional<Error> unwritten_;
  std::mutex mutex_;  // of the journal and unwritten_
};

}  // namespace treewright::oct
