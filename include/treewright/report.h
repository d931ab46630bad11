#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "treewright/column_worth.h"
#include "treewright/near_trees.h"
#include "treewright/trade_off.h"
#include "treewright/tune.h"

namespace treewright {

/// A corner of the complexity path: a tree that is optimal for the prices alpha_low..alpha_high.
struct PathCorner {
  std::int64_t splits = 0;
  double errors = 0;  ///< or cost, where labels have costs; of numbers the share of the loss that is left
  double alpha_low = 0, alpha_high = 0;
  std::optional<double> test_score = {};  ///< on test rows: accuracy, or the share of the loss that is explained
};

/// A point of a path, scored on the test rows if there are any, which are aligned to its tree.
PathCorner corner_of(const PathPoint& point, const Dataset* test);

/// What a report is made of. Only the result is needed; everything else adds to it. Trees that need training (a tree to compare with, the
/// complexity path) are passed in. Datasets must be aligned to the tree.
struct ReportParts {
  const Result* result = nullptr;
  const Dataset* train = nullptr;         ///< the rows the tree was trained on, with labels
  const Dataset* test = nullptr;          ///< other rows, with labels
  const Result* beside = nullptr;         ///< another tree on the same rows, to compare with
  std::vector<PathCorner> path;           ///< the complexity path, fewest splits first; empty = left out
  const TradeOff* trade_off = nullptr;    ///< of two kinds of errors, on the training rows without class weights
  std::vector<ErrorPair> greedy = {};     ///< trees to compare it with (greedy_errors)
  const ColumnWorths* worths = nullptr;   ///< what each column is worth, on the training rows
  const NearTrees* near = nullptr;        ///< other trees that are nearly as good on the training rows
  std::vector<std::string> unlike = {};   ///< how the rows are none that the tree was trained on, a sentence each
  std::vector<std::string> changed = {};  ///< what the tree's file alone says of the reading of the rows, a sentence each
  std::string verification;               ///< what a checked proof says of the tree, in words; "" = none was checked
  bool believed = false;                  ///< that no tree is better is the word of the file that the result was read from
  bool with_rows = false;                 ///< embed the training rows, so that a reader can pick one
  std::string title;                      ///< "" = made from the target's name
  std::string data_name = "DATA";         ///< what the command to reproduce calls the data
  std::string data_checksum;              ///< SHA-256 of the data file; "" = unknown
  std::string author, date;               ///< who made the page, and when, as they are to be shown; "" = left out
};

/// One self-contained HTML file: no network, readable without scripts, every name escaped. Throws Error if parts do not fit.
std::string to_html(const ReportParts& parts);

/// A short form for notebooks: the tree, the selected node and the certificate, in a frame of its own so that the page around it and the
/// report cannot touch each other.
std::string to_notebook_html(const ReportParts& parts);

/// The command that trains the tree again.
std::string reproduce_command(const Result& result, const std::string& data_name);

/// The steps of a validation curve as an SVG picture: mean score over alpha, one line for each setting, the choice marked.
/// `settings`: their names. Shape (settings). `scoring`: what the scores are.
std::string to_svg(std::span<const CurveStep> curve, const Choice& choice, std::span<const std::string> settings,
                   Scoring scoring = Scoring::accuracy);

/// What a picture of a trade-off shows besides it.
struct TradeOffExtras {
  std::vector<ErrorPair> greedy;      ///< trees to compare with (greedy_errors); may be empty
  std::vector<ErrorPair> tested;      ///< of the corners on test rows, scaled to the weight of the training rows; may be empty
  std::optional<std::size_t> chosen;  ///< a corner to mark
};

/// A trade-off as an SVG picture: the trees that are optimal for some ratio, and shaded what no tree within the limits can reach.
std::string to_svg(const TradeOff& trade_off, const TradeOffExtras& extras = {});

}  // namespace treewright
