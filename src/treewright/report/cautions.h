#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace treewright::report {

/// How probable it is that chance alone takes rows so far from what a leaf says, to either side, if what it says is true: twice the
/// probability of the tail that was seen, at most 1.
/// Of a share of rows; counts between whole numbers are rounded towards what the leaf says.
double chance_of_share(double share, double trials, double probability);
/// Of a number of events, of a Poisson distribution.
double chance_of_events(double events, double expected);
/// Of a mean that is so many standard errors off, by the t distribution with so many degrees of freedom, at least 1.
double chance_of_mean(double errors_off, std::int64_t degrees);

/// Whether that is no chance in one of so many leaves: Bonferroni's bound keeps the probability of a false alarm at any leaf of a page
/// below 1 in 20.
bool is_clear(double chance, std::size_t leaves);

/// A line of a leaf with few training rows: how far off its number may be. `of`: "the share of “yes”"; the interval as text.
std::string few_rows(std::int64_t rows, const std::string& of, const std::string& interval);
/// The same of other things than training rows.
std::string few_of(std::int64_t count, const std::string& things, const std::string& of, const std::string& interval);
/// A line of a leaf: what of it, "probability", the test rows contradict, and what they say.
std::string contradiction(const std::string& what, const std::string& seen);
/// What such lines mean.
std::string contradictions_note();

}  // namespace treewright::report
