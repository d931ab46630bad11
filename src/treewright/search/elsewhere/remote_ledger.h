#pragma once

#include <map>
#include <mutex>
#include <string>

#include "treewright/search/bounds/ledger.h"
#include "treewright/search/bounds/subproblem.h"
#include "treewright/search_task.h"

namespace treewright::search {

/// Which tasks are worth sending.
struct Sending {
  /// A task that is expected to take so long is sent.
  double seconds_to_send = 0.01;
  /// From depth five on: if the root took so long to one level less, the cuts of the nodes below its cuts are sent instead of these.
  double seconds_to_divide = 20;
};

/// A ledger that has the long tasks solved by other machines. See remote_ledger.cpp.
class RemoteLedger : public Ledger {
 public:
  /// `kept`: the ledger of facts, may be null. The references must outlive the ledger.
  RemoteLedger(const Problem& problem, const SearchLimits& limits, Ledger* kept, const Elsewhere& elsewhere, const Sending& sending);

  const Fact* find(const TaskPath& task) override;
  void add(const TaskPath& task, const Fact& fact) override;
  std::optional<Fact> ask(const TaskPath& task, const Candidate* candidate, Deadline& deadline) override;
  bool begins_early() const override { return true; }
  void expect(const TaskPath& task, const Candidate& candidate) override;

 private:
  /// The cuts of one node that were begun before they are asked for.
  struct Expected {
    double budget = 0;
    std::map<TaskPath, std::string> texts;
  };

  /// Tasks of one kind that were solved so far.
  struct Solved {
    int count = 0;
    double seconds = 0;
  };

  static NodeTask kind_of(const TaskPath& task);
  double seconds_of_level(int depth);
  bool is_worth_sending(const TaskPath& task);
  void note(const TaskPath& task, const Fact& fact);
  void forget(const Expected& expected) const;
  std::string name_of(const TaskPath& task) const;
  std::string send(const TaskPath& task, const std::string& text, double seconds) const;

  const Problem& problem_;
  const std::string bytes_;
  Ledger* const kept_;
  const Elsewhere& elsewhere_;
  const Sending sending_;
  std::mutex mutex_;                                    // of all below
  std::map<std::pair<bool, NodeTask>, Solved> solved_;  // of the root or not, by kind_of
  std::map<TaskPath, Expected> expected_;               // by the path to their node
};

}  // namespace treewright::search
