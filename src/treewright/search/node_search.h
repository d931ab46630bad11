#pragma once

#include <memory>
#include <span>
#include <vector>

#include "treewright/search/depth_two.h"
#include "treewright/search/intervals.h"

namespace treewright {

struct Profile;

/// A solved cut of one ordering, and the cuts between it and the next solved one.
struct SolvedCut {
  std::int64_t cut = 0;
  double weight_left = 0;
  Sides sides;                                                         ///< bounds on the costs of both parts
  std::shared_ptr<const std::vector<double>> left_known, right_known;  ///< lower_by_ordering of the parts; may be null
  std::shared_ptr<Profile> left, right;                                ///< for asking the parts again; may be null
  Stretch open;                                                        ///< cuts before the next solved one that may still win
  double lower = 0;                                                    ///< bound on all cuts before the next solved one, with their root
  double open_weight = 0;
  std::size_t kept = 0;  ///< bytes of both profiles, as the root counted them

  /// Whether a cut before the next solved one may belong to a tree that costs less than `best`.
  bool is_open(double best) const { return open.size() > 0 && lower < best; }
};

/// The cuts of one ordering under one sharing of the splits between the parts.
struct Line {
  std::size_t ordering = 0;
  std::int64_t left_splits = 0, right_splits = 0;
  std::vector<SolvedCut> solved;  ///< ascending, with the ends where one part is empty first and last; empty until the line is opened

  /// Bound on every tree whose root is a cut of this line.
  double lower(double price) const;
};

/// What the search of one part has shown. Asked again with a higher budget, the search goes on from here.
struct Profile {
  Answer shallow;  ///< one level shallower
  Answer answer;
  std::vector<Line> lines;

  /// Memory it takes, with all profiles below.
  std::size_t bytes() const;
};

/// What one thread needs to solve sub-problems: memory for the parts at each depth, and the kernel.
struct Worker {
  struct Level {
    Subset subset;
    Cuts cuts;
  };
  DepthTwo depth_two;
  std::vector<std::unique_ptr<Level>> levels;
  Deadline* deadline = nullptr;  ///< of the task at hand

  Level& level(int depth);
};

/// A cut to solve: one between two solved cuts, or a solved one again (`again`) whose bounds do not reach the budget yet.
struct Candidate {
  const SolvedCut* before = nullptr;
  const SolvedCut* after = nullptr;
  const SolvedCut* again = nullptr;
  std::int64_t cut = 0;
  double lower = 0, open_weight = 0;
};

/// Solves sub-problems of any depth by the interval bounds of each ordering. See node_search.cpp.
class NodeSearch {
 public:
  NodeSearch(const Problem& problem, const SearchLimits& limits) : problem_(problem), limits_(limits), bounds_(limits.rules) {}

  /// The best tree on `part` that costs less than `upper`, if there is one. `known`: for each ordering a bound from elsewhere on the trees
  /// whose root cuts it; may be empty. `keep`: where given, the search goes on from the profile it points to and leaves its own there.
  Answer solve(Worker& worker, const Part& part, int depth, std::int64_t splits, double upper, std::span<const double> known,
               std::shared_ptr<Profile>* keep = nullptr) const;

  /// One line for each ordering and sharing of the splits, the most promising first.
  std::vector<Line> lines_of(const Answer& shallow, int depth, std::int64_t splits) const;
  /// Opens the line, or adapts it to a new budget `best`. `shallow` is the node solved one level shallower.
  void open(Line& line, const Cuts& cuts, const Subset& subset, const Answer& shallow, double best) const;
  /// The cuts that are worth solving, in order.
  std::vector<Candidate> candidates(const Line& line, const Cuts& cuts, double best) const;

  struct Solved {
    std::int64_t cut = 0;
    Answer left, right;
    std::shared_ptr<Profile> left_profile, right_profile;
    double cost(double price) const { return left.found() && right.found() ? price + left.cost + right.cost : kInfinity; }
  };
  /// Asks both parts of the candidate for less than `best` leaves over. Profiles of the parts are kept where `keep` is set.
  Solved solve_cut(Worker& worker, const Subset& subset, const Cuts& cuts, const Line& line, const Candidate& candidate, int depth,
                   double best, bool keep) const;
  /// The tree of a solved cut.
  Plan plan_of(Worker& worker, const Subset& subset, const Cuts& cuts, const Line& line, Solved& solved) const;
  /// Adds what a solved cut showed to its line, and returns it there.
  SolvedCut& add(Line& line, const Cuts& cuts, const Subset& subset, Solved& solved, double best) const;

  /// What every tree with a split loses at least.
  struct Lost {
    double strict = 0, relaxed = 0;  ///< with min_rows, and without
  };
  Lost lost(const Subset& subset, double leaf, int depth, std::int64_t splits) const;

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Answer solve_deep(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper, std::span<const double> known,
                    Profile& profile, bool keeps) const;
  void search_line(Worker& worker, const Subset& subset, Line& line, int depth, double& best, Profile& profile, bool keeps) const;
  void bound_gap(Line& line, std::size_t i, const Cuts& cuts, const Subset& subset, double best) const;
  double relaxed(const Line& line, const Cuts& cuts) const;
  bool is_weak(const Line& line, std::size_t i, double best) const;
  Candidate again(const Line& line, std::size_t i) const;
  Candidate middle(const Line& line, std::size_t i, const Cuts& cuts) const;
  std::vector<double> known_between(const std::shared_ptr<const std::vector<double>>& smaller,
                                    const std::shared_ptr<const std::vector<double>>& larger, double weight) const;
  bool knows() const { return limits_.rules.known_bounds && limits_.min_rows <= 1; }

  const Problem& problem_;
  const SearchLimits& limits_;
  IntervalBounds bounds_;
};

}  // namespace treewright
