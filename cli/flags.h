#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/options.h"
#include "treewright/tree.h"

namespace treewright::cli {

/// The flags that say how to read a data file; `options` must outlive the parsing.
void add_read_flags(CLI::App& command, ReadOptions& options);

/// The argument `data`, a file of rows to train on, and these flags; `data` and `options` must outlive the parsing.
void add_data_flags(CLI::App& command, std::string& data, ReadOptions& options);

/// The columns beside the target of a tree that predicts rates or hazards: --exposure and --event.
void add_seen_flags(CLI::App& command, ReadOptions& options);
/// The flags that say that the target is a number; `options` must outlive the parsing.
void add_loss_flags(CLI::App& command, ReadOptions& options);

/// Which lines of the option table: all, or those named; without those left out.
struct OptionChoice {
  std::vector<std::string> names, left_out;
};

/// A flag for each of these options; `options` must outlive the parsing.
void add_option_flags(CLI::App& command, Options& options, const OptionChoice& which = {});

/// Splits as the option top takes them, which are given, or in a file that is.
std::string top_in(const std::string& given);

/// Those of column-worth and near-trees, which ask for more than one optimal tree.
void add_analysis_flags(CLI::App& command, Options& options);

/// --test-share of a command that looks at the rows that `fit` trains on.
void add_held_out_flag(CLI::App& command, double& test_share);

/// Checks that an argument is a share from 0.01 to 0.99.
CLI::Validator is_share();
/// Checks that it is a finite number from 0 on, or above 0.
CLI::Validator is_not_negative();
CLI::Validator is_positive();

/// The flag --shrinkage of commands that use probabilities, or train; `shrinkage` must outlive the parsing. `otherwise`: what holds
/// without the flag.
CLI::Option* add_shrinkage_flag(CLI::App& command, std::optional<double>& shrinkage,
                                const std::string& otherwise = "what the tree's file says");

/// How rows are labeled: by which probabilities, and of two classes which is predicted from which probability on (by the leaf if empty).
struct Decision {
  std::optional<double> shrinkage;  ///< the tree's own if empty
  std::optional<double> threshold;
  std::string positive;

  std::vector<double> probabilities(const Tree& tree, const Dataset& data) const;
  std::vector<std::int32_t> labels(const Tree& tree, const Dataset& data) const;
};

/// The flags --threshold and --positive; `decision` must outlive the parsing.
CLI::Option* add_decision_flags(CLI::App& command, Decision& decision);

/// The flag --names; `path` must outlive the parsing.
CLI::Option* add_names_flag(CLI::App& command, std::string& path);
/// Calls the columns of the tree as this file says, if there is one. Names that it gives to no column are told.
void take_names(Tree& tree, const std::string& path);

}  // namespace treewright::cli
