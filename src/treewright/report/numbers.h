#pragma once

#include <optional>
#include <string>
#include <vector>

#include "treewright/report.h"
#include "treewright/report/intervals.h"
#include "treewright/report/number_charts.h"

namespace treewright::report {

/// What a page shows of a tree that predicts numbers where one of classes shows shares and errors.
class NumberPanels {
 public:
  explicit NumberPanels(const ReportParts& parts);

  /// What is predicted, by its name where the data had one; of times the name of the time.
  std::string target() const;
  /// The headline figures.
  std::string figures() const;
  /// The shades of the leaves.
  std::string legend() const;
  /// The picture in the box of each node: the numbers of its rows, its rate with its interval, or its survival curve. Shape (nodes);
  /// empty without rows.
  std::vector<std::string> pictures() const;
  /// Figures of a node, with the numbers of its rows as a picture.
  std::string card(NodeId id) const;
  /// What may mislead in a leaf: few training rows, and test rows that contradict its number.
  std::string cautions(NodeId leaf) const;
  /// Whether test rows contradict the leaf, and any leaf.
  bool contradicts(NodeId leaf) const { return contradicted_[static_cast<std::size_t>(+leaf)].has_value(); }
  bool contradicted() const;
  /// What the tree would lose if the node were a leaf.
  std::string saving(NodeId id) const;
  /// Scores with intervals, predicted against seen, residuals.
  std::string measures() const;
  /// The line of a leaf's curve, for a legend; "" where there are no curves.
  std::string key(NodeId leaf) const;
  /// The heads and the cells of the table of rules, but for the rule itself, which stands behind the first of them.
  std::vector<std::string> rule_heads() const;
  std::vector<std::string> rule_cells(NodeId id) const;

 private:
  // Rows of a node: how many, by weight, and what they say.
  struct Seen {
    std::int64_t rows = 0;
    double weight = 0, exposure = 0, events = 0, mean = 0, sd = 0, effective = 0;
    double of_one_event = 1;  // the weight of events that vary as one of a Poisson distribution does
    std::optional<Interval> interval = {};
  };

  // Predictions for some rows, and how good they are.
  struct Scored {
    std::vector<double> predicted;
    NumberScores scores;
    std::optional<ScoreIntervals> range;
    std::optional<Interval> concordance;
  };

  bool of_rates() const { return tree_.loss != Loss::squared; }
  bool of_times() const { return tree_.loss == Loss::survival; }
  // What a leaf predicts.
  const char* predicted_name() const { return of_times() ? "hazard" : of_rates() ? "rate" : "mean"; }
  std::string of_interval(const std::optional<Interval>& interval) const;
  Seen seen(const Dataset& data, const RowNumbers& rows) const;
  // What the test rows of one of so many leaves with test rows say where they contradict it.
  std::optional<Seen> contradicted_by(NodeId leaf, std::size_t leaves) const;
  std::string line_of(const std::string& name, const Dataset& data, const RowNumbers& rows) const;
  std::pair<NumberBins, NumberBins> bins_of(NodeId id) const;
  std::vector<SeenLeaf> leaves_of(const Dataset& data, const std::vector<RowNumbers>& rows) const;
  std::string picture_of_rates(const std::string& name, const Dataset& data, const std::vector<RowNumbers>& rows) const;
  std::string survival(const std::string& name, const Dataset* data, const std::vector<RowNumbers>& rows) const;
  Scored scored(const Dataset& data) const;
  std::string scores(const std::string& name, const Dataset& data, const Scored& scored, const std::vector<RowNumbers>& rows) const;

  const ReportParts& parts_;
  const Result& result_;
  const Tree& tree_;
  std::vector<RowNumbers> train_, test_;  // of each node; empty without such rows
  std::optional<Scored> tested_;          // of test rows
  NumberBins axis_;                       // of the training rows' numbers
  double highest_rate_ = 0, last_time_ = 0;
  std::vector<std::optional<Seen>> contradicted_;  // of each leaf that its test rows contradict, what they say. Shape (nodes)
  std::vector<std::size_t> series_;                // of times: the place of each leaf among the leaves. Shape (nodes)
};

}  // namespace treewright::report
