// Cross-validation of many settings on the same folds, as a race.
//
// Folds. Up to 2,000 rows ten folds are drawn, because trees of nine tenths of the rows resemble those of all rows more than trees of three
// quarters do. They are drawn again with other seeds until 2,000 rows were validated, three times at most. Up to 20,000 rows there are four
// folds. For more rows, a part trains on 20,000 rows and validates on as many others.
//
// Comparison. Each validation of a row has a gain (gains.cpp): 1 each time that it was classified correctly or, where labels have costs,
// minus the cost. The difference of two entrants is a mean over rows, so it has a standard error, also with a single part. What is common
// to both, such as rows that nobody classifies correctly, cancels. With v the validations of the parts that both have, g and h their gains,
// w_r the weight of row r and W = sum_v w_r(v), the lead is d = sum_v w_r(v) (g_v - h_v) / W. Row r adds e_r = w_r sum_{v of r} (g_v - h_v
// - d) / W beyond its share. The standard error is that of a ratio of two means over the n rows, where the validations of a row in repeated
// folds are one observation: sqrt(n / (n - 1) sum_r e_r^2). So a lead by one row, of equal weights, is one standard error. A sum of leads
// is a lead, even of pairs with different parts: their d add up, and so do their e_r.
//
// Race. After each part an entrant leaves if it is behind the leader by more than two standard errors (Hoeffding races of Maron & Moore
// 1994, with the normal bound of F-race, Birattari et al. 2002). If the leader stands at the end of its grid of costs, the next cost enters
// and catches up.
//
// Time. The first part goes from cheap to expensive settings, and takes at most half of the time. Then the dearest settings leave until the
// others have time for one whole cross-validation. What the first part had no time for is tried if time is left. When the deadline ends the
// race, those that have been validated on the same parts are compared, and the rest counts as not tried. A fit that takes a tenth of the
// time ends the race for its setting, and for those of its method that are not shallower. An entrant whose final fit would not end in time
// leaves, except for the first one: it is the cheapest, and the race ends early enough for its final fit.

#include "treewright/methods/auto/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "treewright/data/splits.h"
#include "treewright/error.h"
#include "treewright/methods/auto/pool.h"
#include "treewright/tree.h"

namespace treewright::automatic {

namespace {

constexpr std::size_t kFewRows = 2000, kManyRows = 20000;
constexpr int kMostRepeats = 3;
// Parts, or validation rows, that each entrant gets before it may be dropped as beaten.
constexpr std::size_t kCertainParts = 3, kCertainRows = 500;
// Standard errors behind the leader, at which an entrant leaves.
constexpr double kBeaten = 2;
constexpr double kRounding = 1e-12;
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
constexpr const char *kNotTried = "not tried: no time", *kTooSlow = "one fit takes too long",
                     *kTooDear = "left the time to cheaper candidates";
// The final fit takes this much longer than the rows say.
constexpr double kSafety = 2;
// Of the time for the whole race: for one fit, and for the first part.
constexpr double kShareOfOneFit = 0.1, kShareOfFirstPart = 0.5;

std::size_t folds_of(std::size_t n) {
  return std::min<std::size_t>(n > kManyRows ? 3 : n > kFewRows ? 4 : 10, n);
}

std::vector<Fold> parts_of(const Dataset& data, std::uint64_t seed) {
  const std::size_t n = data.rows();
  SplitOptions how;
  how.seed = seed + 1;
  if (n > kManyRows) {
    std::vector<Fold> parts;
    const double train = static_cast<double>(kManyRows) / static_cast<double>(n);
    for (std::size_t part = 0; part < folds_of(n); ++part, ++how.seed) {
      std::vector<RowNumbers> drawn = split_rows(data, std::vector<double>{train, std::min(train, 1 - train)}, how);
      parts.push_back({std::move(drawn[0]), std::move(drawn[1])});
    }
    return parts;
  }
  const std::size_t folds = folds_of(n);
  const int repeats = std::clamp(static_cast<int>(kFewRows / n), 1, kMostRepeats);
  return repeated_k_folds(data, static_cast<int>(folds), repeats, how);
}

std::vector<double> weights_of(const Dataset& data, const std::string& class_weight) {
  Dataset weighted;
  weighted.labels = data.labels;
  weighted.weights = data.weights;
  weighted.class_names = data.class_names;
  apply_class_weights(weighted, class_weight);
  return weighted.weights.empty() ? std::vector<double>(data.rows(), 1.0) : weighted.weights;
}

}  // namespace

void Lead::add(const Lead& other, double factor) {
  mean += factor * other.mean;
  of_row.resize(std::max(of_row.size(), other.of_row.size()), 0.0);
  for (std::size_t row = 0; row < other.of_row.size(); ++row) of_row[row] += factor * other.of_row[row];
}

double Lead::standard_error() const {
  double squares = 0;
  for (const double one : of_row) squares += one * one;
  return std::sqrt(squares);
}

Race::Race(const Dataset& data, Options base, Deadline& deadline, Trainer trainer, double time_for_final)
    : data_(data),
      base_(std::move(base)),
      deadline_(deadline),
      trainer_(std::move(trainer)),
      time_for_final_(time_for_final),
      threads_(static_cast<int>(base_.n_jobs)),
      parts_(parts_of(data, static_cast<std::uint64_t>(base_.random_state))) {
  const std::vector<double> weights = weights_of(data, base_.class_weight);
  std::vector<std::size_t> place(data.rows(), kNowhere);
  for (const Fold& part : parts_) {
    begins_.push_back(validations_.size());
    for (const std::int32_t row : part.test) {
      if (place[row] == kNowhere) {
        place[row] = weight_.size();
        weight_.push_back(weights[row]);
      }
      validations_.push_back(place[row]);
    }
  }
  for (Options& setting : pool(base_, data.classes())) entrants_.push_back({std::move(setting)});
}

void Race::run() {
  std::size_t rows = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (still_in().size() < 2) try_remaining(part);
    const std::vector<std::size_t> who = still_in();
    if (part > 0 && (who.size() < 2 || over())) return;
    if (!validate(part, who)) return;
    rows += parts_[part].test.size();
    if (part == 0) drop_the_slow();
    if (part + 1 >= kCertainParts || rows >= kCertainRows) {
      while (extend_the_grid(part + 1)) {
      }
      drop_the_beaten();
    }
    if (part == 0) drop_expensive();
  }
  try_remaining(parts_.size());
}

// Adds what a tree of the entrant gains on the rows that its next part leaves out.
void Race::add_validation(Entrant& entrant, const Tree& tree, const Dataset& valid) const {
  const std::vector<double> gains = gains_of(tree, valid, base_.scoring);
  entrant.gains.insert(entrant.gains.end(), gains.begin(), gains.end());
  double sum = 0, all = 0;
  for (std::size_t v = 0; v < entrant.gains.size(); ++v) {
    const double weight = weight_[validations_[v]];
    sum += weight * entrant.gains[v];
    all += weight;
  }
  entrant.mean_gain = all > 0 ? sum / all : 0;
  entrant.trees.push_back(tree);
  entrant.terms += static_cast<double>(tree.terms());
  entrant.splits += static_cast<double>(tree.splits());
  ++entrant.parts;
}

// Trains and validates these entrants. Returns whether all of them were; after the first part it does not matter.
bool Race::validate(std::size_t part, const std::vector<std::size_t>& who) {
  const Dataset train = data_.subset(parts_[part].train);
  Dataset valid = data_.subset(parts_[part].test);
  valid.weights.clear();
  for (std::size_t v = 0; v < valid.rows(); ++v) valid.weights.push_back(weight_[validations_[begins_[part] + v]]);
  const double whole = deadline_.elapsed() + deadline_.remaining();
  const double first_part_until = deadline_.elapsed() + kShareOfFirstPart * deadline_.remaining();
  std::vector<Entrant> after(who.size());
  std::vector<char> held(who.size(), 0);
  std::mutex mutex;
  std::map<std::string, std::int64_t> too_deep;  // depth at which a method took too long
  threads_.parallel_for(who.size(), [&](std::size_t i) {
    if (over() || (part == 0 && i > 0 && deadline_.elapsed() > first_part_until)) return;
    const Deadline clock;
    Entrant& entrant = after[i] = entrants_[who[i]];
    Options how = entrant.options;
    {
      const std::scoped_lock lock(mutex);
      const auto at = too_deep.find(how.method);
      if (at != too_deep.end() && how.max_depth >= at->second) {
        entrant.out = kTooSlow;
        held[i] = 1;
        return;
      }
    }
    const double left = std::min(deadline_.remaining(), until_.load() - deadline_.elapsed());
    how.time_limit = who[i] == 0 ? left : std::min(left, kShareOfOneFit * whole);
    Tree tree(train);
    bool slow = false;
    // A fold with one class, or with too few rows for the limits, gives a single leaf. Errors in the options show in the last fit.
    try {
      Result result = trainer_(train, how);
      slow = result.status == Status::time_limit;
      tree = std::move(result.tree);
    } catch (const Error&) {
      tree.tally(train);
    }
    entrant.seconds += clock.elapsed();
    if (who[i] == 0 && part == 0) until_ = whole + time_for_final_ - needed_for_all_rows(entrant.seconds);
    if (slow && who[i] > 0) {
      entrant.out = kTooSlow;
      const std::scoped_lock lock(mutex);
      const auto at = too_deep.emplace(how.method, how.max_depth).first;
      at->second = std::min(at->second, how.max_depth);
    } else if (deadline_.poll()) {
      return;
    } else {
      add_validation(entrant, tree, valid);
    }
    held[i] = 1;
  });
  const bool all = std::all_of(held.begin(), held.end(), [](char h) { return h != 0; });
  if (!all && part > 0) return false;
  for (std::size_t i = 0; i < who.size(); ++i) {
    if (held[i]) {
      entrants_[who[i]] = std::move(after[i]);
    } else {
      entrants_[who[i]].out = kNotTried;
    }
  }
  return true;
}

// The next cost where the leader has the first or the last one, which catches up with the others. Returns whether there was one.
bool Race::extend_the_grid(std::size_t parts_held) {
  std::vector<Options> settings;
  for (const Entrant& entrant : entrants_) settings.push_back(entrant.options);
  const Entrant* first = leader();
  std::optional<Options> next = first != nullptr ? beyond(settings, first->options) : std::nullopt;
  if (!next) return false;
  entrants_.push_back({std::move(*next)});
  catch_up({entrants_.size() - 1}, parts_held);
  return true;
}

// What had no time in the first part has it now, if the others left early.
void Race::try_remaining(std::size_t parts_held) {
  std::vector<std::size_t> untried;
  for (std::size_t i = 0; i < entrants_.size(); ++i) {
    if (entrants_[i].out == kNotTried) untried.push_back(i);
  }
  const auto together = static_cast<std::size_t>(threads_.threads());
  for (std::size_t i = 0; i < untried.size() && !over(); i += together) {
    const std::vector<std::size_t> who(untried.begin() + static_cast<std::ptrdiff_t>(i),
                                       untried.begin() + static_cast<std::ptrdiff_t>(std::min(untried.size(), i + together)));
    for (const std::size_t one : who) entrants_[one].out.clear();
    catch_up(who, parts_held);
    drop_the_beaten();
  }
}

// Holds the parts for these entrants that all others have behind them. Who does not get through in time counts as not tried.
void Race::catch_up(const std::vector<std::size_t>& who, std::size_t parts_held) {
  const auto in = [&](std::size_t i) { return entrants_[i].in(); };
  for (std::size_t part = 0; part < parts_held; ++part) {
    std::vector<std::size_t> here;
    std::copy_if(who.begin(), who.end(), std::back_inserter(here), in);
    if (here.empty() || (!over() && validate(part, here))) continue;
    for (const std::size_t i : here) {
      entrants_[i] = {std::move(entrants_[i].options)};
      entrants_[i].out = kNotTried;
    }
  }
  drop_the_slow();
}

// Of a setting that took `seconds` on the rows of a part.
double Race::needed_for_all_rows(double seconds) const {
  return kSafety * seconds * static_cast<double>(data_.rows()) / static_cast<double>(parts_[0].train.size());
}

void Race::drop_the_slow() {
  for (std::size_t i = 1; i < entrants_.size(); ++i) {
    const double needs = needed_for_all_rows(entrants_[i].seconds / static_cast<double>(std::max<std::int64_t>(1, entrants_[i].parts)));
    if (entrants_[i].in() && needs > time_for_final_) {
      entrants_[i].out = fmt::format("all rows need about {:.2g} s, and {:.2g} s are left", needs, time_for_final_);
    }
  }
}

// While those that are in need more time for the other parts of one cross-validation than there is, the dearest leaves, but not the leader:
// many parts of most entrants say more than few parts of all.
void Race::drop_expensive() {
  const double left = std::min(deadline_.remaining(), until_.load() - deadline_.elapsed()) * threads_.threads();
  std::vector<std::size_t> dearest = still_in();
  std::stable_sort(dearest.begin(), dearest.end(),
                   [&](std::size_t a, std::size_t b) { return entrants_[a].seconds > entrants_[b].seconds; });
  const auto folds = static_cast<double>(folds_of(data_.rows()) - 1);
  double needed = 0;
  for (const std::size_t i : dearest) needed += entrants_[i].seconds * folds;
  for (const std::size_t i : dearest) {
    if (needed <= left) return;
    if (i == 0 || &entrants_[i] == leader()) continue;
    entrants_[i].out = kTooDear;
    needed -= entrants_[i].seconds * folds;
  }
}

Lead Race::lead(const Entrant& first, const Entrant& other) const {
  const std::size_t common = std::min(first.gains.size(), other.gains.size());
  Lead lead{0, std::vector<double>(weight_.size(), 0.0)};
  double all = 0;
  for (std::size_t v = 0; v < common; ++v) {
    const double weight = weight_[validations_[v]];
    lead.mean += weight * (first.gains[v] - other.gains[v]);
    all += weight;
  }
  if (!(all > 0)) return {};
  lead.mean /= all;
  std::vector<char> counted(weight_.size(), 0);
  for (std::size_t v = 0; v < common; ++v) {
    const std::size_t row = validations_[v];
    lead.of_row[row] += weight_[row] / all * (first.gains[v] - other.gains[v] - lead.mean);
    counted[row] = weight_[row] > 0;
  }
  const auto rows = static_cast<double>(std::count(counted.begin(), counted.end(), 1));
  for (double& one : lead.of_row) one *= std::sqrt(rows / std::max(1.0, rows - 1));
  return lead;
}

void Race::drop_the_beaten() {
  const Entrant* first = leader();
  if (first == nullptr) return;
  for (Entrant& entrant : entrants_) {
    if (!entrant.in() || entrant.parts == 0) continue;
    const Lead ahead = lead(*first, entrant);
    if (ahead.mean > std::max(kRounding, kBeaten * ahead.standard_error())) {
      entrant.out = fmt::format("beaten by {} in {} folds", name_of(first->options), entrant.parts);
    }
  }
}

std::vector<std::size_t> Race::still_in() const {
  std::vector<std::size_t> who;
  for (std::size_t i = 0; i < entrants_.size(); ++i) {
    if (entrants_[i].in()) who.push_back(i);
  }
  return who;
}

const Entrant* Race::leader() const {
  const Entrant* best = nullptr;
  for (const Entrant& entrant : entrants_) {
    if (!entrant.in() || entrant.parts == 0) continue;
    if (best == nullptr || entrant.mean_gain > best->mean_gain) best = &entrant;
  }
  return best;
}

}  // namespace treewright::automatic
