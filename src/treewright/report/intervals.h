#pragma once

#include <optional>
#include <span>

#include "treewright/data.h"
#include "treewright/tree/measures.h"

namespace treewright::report {

/// 97.5 % of Student's t distribution with so many degrees of freedom (at least 1) lie below; to 0.2 %.
double t_quantile(double degrees);

/// Of a mean of `rows` values with this standard deviation (that of the values, by their number); nothing of fewer than two.
std::optional<Interval> mean_interval(double mean, double sd, double rows);

/// Of a rate: so many events, of a Poisson distribution, in an exposure above 0. The exact interval (Garwood 1936): below its lower end
/// as many events or more would come less often than once in forty, above its upper end so many or fewer.
Interval rate_interval(double events, double exposure);

/// Of the concordance of times to an event; nothing where there is none.
std::optional<Interval> concordance_interval(std::span<const double> predicted, const Dataset& data);

/// Of the scores of predictions, by resampling the rows; nothing of fewer than ten.
struct ScoreIntervals {
  Interval explained, rmse, mae;
};
std::optional<ScoreIntervals> bootstrap(std::span<const double> predicted, const Dataset& data);

/// Of how much more the predictions explain than others do, by resampling the rows for both together; nothing of fewer than ten.
std::optional<Interval> more_explained(std::span<const double> predicted, std::span<const double> others, const Dataset& data);

}  // namespace treewright::report
