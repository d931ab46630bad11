#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"
#include "treewright/data.h"
#include "treewright/methods/auto/gains.h"
#include "treewright/methods/method.h"

namespace treewright::automatic {

/// A setting in the race.
struct Entrant {
  Options options;
  std::vector<double> gains = {};  ///< of the validation rows of its parts, one part after the other: see gains_of
  std::vector<Tree> trees = {};    ///< one for each part
  double terms = 0, splits = 0;    ///< sums over the parts, like seconds
  double seconds = 0;
  std::int64_t parts = 0;
  std::string out = {};  ///< why it left the race; "" = it did not
  double mean_gain = 0;  ///< by weight, over its parts

  bool in() const { return out.empty(); }
};

/// By how much one mean gain, or a sum of some, exceeds another on the same validation rows.
struct Lead {
  double mean = 0;
  std::vector<double> of_row = {};  ///< what each row adds to the mean beyond its share of it; the squares sum to the error's

  void add(const Lead& other, double factor);
  double standard_error() const;
};

/// Cross-validation of many settings at once, on the same folds, which drops what falls behind (Maron & Moore 1994).
class Race {
 public:
  /// `time_for_final`: an entrant that would need more seconds on all rows leaves the race.
  Race(const Dataset& data, Options base, Deadline& deadline, Trainer trainer, double time_for_final);

  /// Until all parts are used, one entrant is left, or the deadline ends it.
  void run();

  /// All that were ever in the race, in the order in which they entered.
  const std::vector<Entrant>& entrants() const { return entrants_; }
  /// Whether it ended because the cheapest entrant needs the rest of the time for its final fit.
  bool out_of_time() const { return deadline_.elapsed() > until_.load(); }
  const std::vector<Fold>& parts() const { return parts_; }
  /// The one of the largest gain among those that are still in; nullptr where no one was compared.
  const Entrant* leader() const;
  /// Of one entrant over another, on the parts of both.
  Lead lead(const Entrant& first, const Entrant& other) const;

 private:
  bool over() { return deadline_.poll() || out_of_time(); }
  double needed_for_all_rows(double seconds) const;
  void add_validation(Entrant& entrant, const Tree& tree, const Dataset& valid) const;
  bool validate(std::size_t part, const std::vector<std::size_t>& who);
  bool extend_the_grid(std::size_t parts_held);
  void try_remaining(std::size_t parts_held);
  void catch_up(const std::vector<std::size_t>& who, std::size_t parts_held);
  void drop_the_slow();
  void drop_expensive();
  void drop_the_beaten();
  std::vector<std::size_t> still_in() const;

  const Dataset& data_;
  Options base_;
  Deadline& deadline_;
  Trainer trainer_;
  double time_for_final_;
  ThreadPool threads_;
  std::atomic<double> until_{Deadline::kNoLimit};  // on the clock of the deadline: then the cheapest entrant must begin its final fit
  std::vector<Fold> parts_;
  std::vector<std::size_t> validations_;  // the validation rows of all parts, one part after the other, numbered as they first occur
  std::vector<std::size_t> begins_;       // of each part among them
  std::vector<double> weight_;            // of each validation row, with class weights
  std::vector<Entrant> entrants_;
};

}  // namespace treewright::automatic
