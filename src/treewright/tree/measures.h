#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// Weight of the misclassified rows, recounted on the raw rows. Every certificate uses it.
double count_errors(const Tree& tree, const Dataset& data);

/// What a tree that predicts numbers loses on the raw rows, by weight. Every certificate uses it.
double total_loss(const Tree& tree, const Dataset& data);

/// Whether the own mean of rows with numbers, or their rate, is right for each of them: then a tree has nothing to explain.
bool are_alike(const Dataset& data);

/// count_errors or total_loss, + split_price * splits.
double errors_and_splits(const Tree& tree, const Dataset& data, double split_price);

/// A confidence interval of 95 %.
struct Interval {
  double low = 0, high = 1;
};

/// The interval of Wilson 1927 for a share that was seen in so many trials, which is good for few trials and for shares near 0 and 1 too.
Interval wilson(double share, double trials);

/// A part of some rows: by weight, and as a number of rows.
class Share {
 public:
  void add(double weight, bool counts);
  double part = 0, whole = 0;
  std::int64_t part_rows = 0, whole_rows = 0;
  /// NaN without weight.
  double value() const;
  /// Of weighted rows: as many equal rows as vary alike, (sum w)^2 / sum w^2 (Kish 1965).
  double trials() const;
  Interval interval() const;

 private:
  double squares_ = 0;
};

/// One class against all others. Sensitivity is also called recall, the positive predictive value precision.
struct ClassMeasures {
  Share sensitivity;  ///< of the rows of the class, those predicted as it
  Share specificity;  ///< of the other rows, those predicted as others
  Share ppv, npv;     ///< of the rows predicted as the class, or as others, those that are
  /// 2 tp / (2 tp + fp + fn); NaN where no row is of the class or predicted as it.
  double f1() const;
  /// How many times as frequent the class is among the rows predicted as it as among all rows; NaN where there are none.
  double lift() const;
};

/// Measures of each class. Shape (classes).
std::vector<ClassMeasures> class_measures(std::span<const std::int32_t> predicted, const Dataset& data);

/// Rows predicted right.
Share right_rows(std::span<const std::int32_t> predicted, const Dataset& data);

/// Weight of the rows by true class and predicted class. Shape (classes x classes).
std::vector<std::vector<double>> confusion_matrix(std::span<const std::int32_t> predicted, const Dataset& data, std::size_t classes);

/// Mean sensitivity of the classes that occur, of such a matrix; 0 where none does.
double balanced_accuracy(const std::vector<std::vector<double>>& matrix);

/// Mean F1 of the classes that have one, each with the same weight.
double mean_f1(const std::vector<ClassMeasures>& classes);

/// Area under the ROC curve of one class against all others: how probably a row of the class has the higher probability, where equal ones
/// count one half. NaN where one of the two has no weight. Shape of `probabilities`: (rows x classes).
double auc(std::span<const double> probabilities, const Dataset& data, std::size_t label);
/// Of two classes; of more, the mean over those that occur (scikit-learn: one-vs-rest, macro).
double auc(std::span<const double> probabilities, const Dataset& data);

/// Predictions of two classes by a threshold: `positive` where its probability is at least this, else the other class.
std::vector<std::int32_t> decide(std::span<const double> probabilities, std::int32_t positive, double threshold);

/// The class of that name among the two of a tree; the second one for "". Throws Error if there are more classes or none of that name.
std::int32_t positive_class(const Tree& tree, std::string_view name);

}  // namespace treewright
