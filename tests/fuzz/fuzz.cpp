// treewright_fuzz: random data and options through every method, and every result against others that must agree.
//
// In the manner of the model-based testers of SAT solvers (Artho, Biere & Seidl 2013: "Model-based testing for verification back-ends"): a
// case is drawn from one 64-bit seed, trained, and compared (tests/support/compare.h) with brute force, with itself under other rules,
// threads, limits and starts, with the exact search, through JSON and through the C interface. Seeds are handed out one by one to worker
// processes. A worker that disagrees, crashes or does not come back dies; its case is then shrunk, every trial in a
// process of its own, and written as a file for tests/cases.

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <new>

#include "support/case_file.h"
#include "support/compare.h"
#include "support/draw_numbers.h"
#include "support/draw_space.h"
#include "support/draw_targets.h"
#include "support/shrink_case.h"
#include "treewright/data/losses.h"
#include "treewright/error.h"
#include "treewright/fit/registry.h"

namespace treewright::testing {
namespace {

constexpr int kAllOfTen = 10;
constexpr unsigned kSecondsForATrial = 20, kSecondsToShrink = 60;

struct Settings {
  std::uint64_t seed = 1, cases = 0, emit = 0;  // cases 0: as many as the time allows
  double minutes = 0;
  unsigned seconds = 60;                   // CPU time for a case
  int jobs = 1, failures = 10;             // failures 0: the first one ends the run, and is not shrunk
  int costs = 0;                           // 1: labels have costs wherever they may
  int numbers = 1;                         // how many of ten cases are of draw_numbers.h
  std::optional<Loss> loss;                // of cases of draw_targets.h alone
  std::string method, subject, out = ".";  // subject: of the cases of draw_numbers.h, "" = drawn
  SpaceCorner corner;                      // of the exact search alone
  bool show = false;                       // print the first case instead of running it
};

struct DrawnCase {
  Case what;
  std::vector<std::string> comparisons;
};

// How many of a thousand cases a method is drawn for; the rest is of the exact search.
// A name may be followed by a selection of features and by the solver.
struct MethodShare {
  const char* name;
  int share;
};
constexpr MethodShare kMethods[] = {{"cart", 20},       {"partition", 20}, {"oct mip", 2}, {"margot", 2},    {"margot hard", 2},
                                    {"margot soft", 2}, {"oct-h", 4},      {"tao", 4},     {"local", 4},     {"cart-h", 4},
                                    {"logistic-h", 4},  {"svm1", 1},       {"mm-svm", 1},  {"oct-h mip", 1}, {"binoct", 1},
                                    {"svm1 mip", 1},    {"fair", 1},       {"auto", 1}};

void set_method(Options& options, const std::string& words) {
  std::istringstream in(words);
  in >> options.method;
  for (std::string word; in >> word;) (word == "mip" ? options.solver : options.feature_selection) = word;
}

std::string draw_method(Random& random) {
  auto draw = static_cast<int>(random.below(1000));
  for (const MethodShare& method : kMethods) {
    if ((draw -= method.share) < 0) return method.name;
  }
  return "oct";
}

// What a case of losses at every scale is about, and its share: so that about as many of each can be compared, since not every case can.
constexpr MethodShare kSubjects[] = {{"exact", 2}, {"worth", 3}, {"near", 5}, {"path", 3}, {"trade_off", 4}, {"tune", 4}, {"top", 4}};

std::string draw_subject(Random& random) {
  int all = 0;
  for (const MethodShare& subject : kSubjects) all += subject.share;
  auto draw = static_cast<int>(random.below(static_cast<std::uint64_t>(all)));
  const MethodShare* at = kSubjects;
  while ((draw -= at->share) >= 0) ++at;
  return at->name;
}

void draw_rules(Random& random, Options& options) {
  for (const search::RuleInfo& rule : search::rule_table()) {
    if (random.below(3) == 0) options.disable += (options.disable.empty() ? "" : ",") + std::string(rule.name);
  }
}

// A solver of programmes holds its rows to 1e-6, so weights stay within that. Margins know no limits on leaves or splits.
void tame(Random& random, Case& c, bool margins) {
  c.data.weights.clear();
  c.options.class_weight.clear();
  for (std::size_t row = 0; row < c.data.rows() && random.below(2) == 0; ++row) {
    c.data.weights.assign(c.data.rows(), 1);
    c.data.weights[row] = 2;
  }
  if (!margins) return;
  const Options usual;
  c.options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
  c.options.min_samples_leaf = usual.min_samples_leaf;
  c.options.min_weight_fraction_leaf = c.options.ccp_alpha = 0;
  c.options.max_splits = usual.max_splits;
  c.options.alpha_scale = usual.alpha_scale;
  const char* costs[] = {"0.1", "1", "10", "100"};
  c.options.level_costs = costs[random.below(4)];
  c.options.feature_budgets = random.below(2) == 0 ? "1" : "2";
}

// Few trees, so that each may be tried with each of the labels that tie in a leaf.
void draw_groups(Random& random, Case& c) {
  const Options usual;
  Options& options = c.options;
  options.max_depth = 1 + static_cast<std::int64_t>(random.below(2));
  options.min_samples_leaf = 1 + static_cast<double>(random.below(4) / 3);
  options.min_weight_fraction_leaf = 0;
  options.max_splits = random.below(4) == 0 ? 2 : usual.max_splits;
  options.ccp_alpha = random.below(3) == 0 ? 0.25 : 0;
  options.alpha_scale = "errors";
  const double fairness[] = {0.1, 0.3, 1, 3};
  options.fairness = fairness[random.below(4)];
  options.protected_column = c.data.columns.empty() ? "" : c.data.columns[random.below(c.data.features())].name;
}

// Trains some hundred trees a case. Another measure than the accuracy is no measure of costs.
void draw_race(Random& random, Case& c) {
  const char* scorings[] = {"accuracy", "accuracy", "balanced-accuracy", "f1", "log-loss", "auc"};
  c.options.scoring = scorings[random.below(6)];
  c.options.restarts = 0;
  c.options.max_depth = static_cast<std::int64_t>(random.below(3));
}

DrawnCase case_of(std::uint64_t seed, const Settings& settings) {
  const std::string& forced = settings.method;
  const bool in_corner = settings.corner.depth > 0 || settings.corner.classes > 0;
  Random random(seed);
  if (settings.loss || (forced.empty() && !in_corner && settings.numbers < kAllOfTen && random.below(20) == 0)) {
    DrawnCase drawn{draw_targets(random, settings.loss.value_or(kLosses[random.below(kLosses.size())])), {"targets", "proof"}};
    if (random.below(10) == 0) drawn.what.options = greedy(drawn.what.options);
    return drawn;
  }
  if (forced.empty() && !in_corner && random.below(kAllOfTen) < static_cast<std::uint64_t>(settings.numbers)) {
    const std::string subject = !settings.subject.empty() ? settings.subject : draw_subject(random);
    DrawnCase drawn{draw_numbers(random, subject), {"claims", subject}};
    std::vector<std::string> others = {"json", "again"};
    if (subject == "top") others.insert(others.end(), {"c", "proof"});
    for (const std::string& name : others) {
      if (random.below(8) == 0) drawn.comparisons.push_back(name);
    }
    return drawn;
  }
  const std::string method = forced.empty() ? draw_method(random) : forced;
  DataLimits limits;
  if (random.below(40) == 0) limits.max_rows = 120;
  const bool mip = method.ends_with(" mip") || method == "binoct" || method == "mm-svm" || method == "fair",
             margins = method.starts_with("margot");
  if (mip) limits.max_rows = 10, limits.max_features = 3, limits.max_levels = 4;
  if (margins) limits = {2, 7, 1, 4, 2, 2, 0, false, false};
  if (method == "fair") limits = {3, 9, 2, 2, 2, 3, 0, false, false, 3};
  DrawnCase drawn;
  const std::uint64_t kind = in_corner ? 1 : method == "oct" ? random.below(200) : 200;
  drawn.what = kind == 0    ? draw_large(random)
               : kind < 120 ? draw_space(random, settings.corner)
                            : testing::draw_case(random, limits,
                                                 mip || margins    ? 2
                                                 : method == "oct" ? 4
                                                                   : 3);
  set_method(drawn.what.options, method);
  if (mip || margins || method == "svm1") tame(random, drawn.what, margins);
  if (method == "fair") draw_groups(random, drawn.what);
  if (method == "auto") draw_race(random, drawn.what);
  Options& options = drawn.what.options;
  if (mip) options.time_limit = 10;  // a case may take seconds, but is to end
  if (method == "partition") options.partition_algorithm = random.below(4) == 0 ? "hiia" : "eiia";
  if (method == "oct mip") options.mip_model = random.below(2) == 0 ? "p" : "oct";
  if (method == "margot soft") options.ccp_alpha = 0.25 * static_cast<double>(1 + random.below(8));
  for (const Comparison& comparison : comparisons()) {
    if (random.below(100) < static_cast<std::uint64_t>(comparison.share)) drawn.comparisons.emplace_back(comparison.name);
  }
  if (method == "oct" && kind > 0 && random.below(2) == 0) draw_rules(random, options);
  if (kind == 0) drawn.comparisons = {"claims", "proof"};
  if (margins && !mip && random.below(3) == 0) options.disable = "row_groups";
  // With a price the depth ends by itself. Categories have too many cuts to go deep.
  const std::vector<Column>& columns = drawn.what.data.columns;
  const bool few_cuts = columns.size() <= 3 && std::all_of(columns.begin(), columns.end(),
                                                           [](const Column& column) { return column.kind == ColumnKind::numeric; });
  if (method == "oct" && kind >= 120 && options.ccp_alpha > 0 && few_cuts) options.max_depth += static_cast<std::int64_t>(random.below(4));
  options = only_read(options);
  // Plain cases find most wrong bounds. A row has up to as many items as classes, so many of them are dear at depth.
  constexpr std::size_t kMostClasses = 6;
  const bool few_items = drawn.what.data.classes() <= kMostClasses && options.max_depth <= 4;
  if (method_of(options).takes_costs && kind > 0 && few_items && (settings.costs || random.below(6) == 0)) draw_costs(random, drawn.what);
  return drawn;
}

// What a worker tells the parent process: written before a case, so that a crash leaves it behind.
struct Slot {
  std::uint64_t seed;
  Counts counts;
  std::uint64_t cases, refused;
  std::array<std::uint64_t, std::size(kMethods) + 1> by_method;
  std::array<std::uint32_t, kSpaceCells + 1> by_cell;  // of the exact search; the last one has what is in no cell
  char failure[2000];
};

struct Shared {
  std::atomic<bool> ended;  // by a signal: the workers are ended, in the middle of a case
  std::atomic<std::uint64_t> next;
  Slot slots[64];
};

constexpr int kDisagrees = 3, kWrongError = 4;

void put(const std::string& text, char* to, std::size_t size) {
  std::strncpy(to, text.c_str(), size - 1);
}

std::size_t index_of(const Options& options) {
  for (std::size_t i = 0; i < std::size(kMethods); ++i) {
    Options named;
    set_method(named, kMethods[i].name);
    if (std::tie(named.method, named.solver, named.feature_selection) ==
        std::tie(options.method, options.solver, options.feature_selection))
      return i + 1;
  }
  return 0;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// CPU seconds, so that other work on the machine changes nothing. A wait without end is cut after ten times as many seconds of the clock.
void limit_time(unsigned seconds) {
  itimerval cpu{};
  cpu.it_value.tv_sec = static_cast<time_t>(seconds);
  setitimer(ITIMER_PROF, &cpu, nullptr);
  alarm(10 * seconds);
}

// Runs in a process of its own and never returns.
[[noreturn]] void work(const Settings& settings, Clock::time_point start, Shared& shared, Slot& slot) {
  while (true) {
    if (shared.ended || (settings.minutes > 0 && seconds_since(start) > 60 * settings.minutes)) _exit(0);
    const std::uint64_t number = shared.next.fetch_add(1);
    if (settings.cases > 0 && number >= settings.cases) _exit(0);
    slot.seed = settings.seed + number;
    slot.failure[0] = '\0';
    limit_time(settings.seconds);
    const DrawnCase drawn = case_of(slot.seed, settings);
    ++slot.by_method[index_of(drawn.what.options)];
    if (testing::by_exact_search(drawn.what.options) && !drawn.what.data.response) ++slot.by_cell[cell_of(drawn.what)];
    ++slot.cases;
    const Counts before = counts;
    std::string failure;
    const Outcome outcome = run_case(drawn.what, drawn.comparisons, failure);
    slot.counts.add(counts, before);
    slot.refused += outcome == Outcome::refused;
    if (outcome == Outcome::agrees || outcome == Outcome::refused) continue;
    put(failure, slot.failure, sizeof slot.failure);
    _exit(outcome == Outcome::disagrees ? kDisagrees : kWrongError);
  }
}

std::atomic<bool>* ended_of_run = nullptr;

// Ctrl-C, or SIGTERM.
void end_run(int) {
  ended_of_run->store(true);
}

// A process of its own, which a signal ends as usual.
pid_t fork_child() {
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal_number : {SIGINT, SIGTERM}) signal(signal_number, SIG_DFL);
  }
  return child;
}

// How a case ends in a process of its own: the exit code, or 128 and the signal.
int trial(const Case& c, const std::vector<std::string>& comparisons) {
  const pid_t child = fork_child();
  if (child == 0) {
    close(STDERR_FILENO);  // a failed assertion would be printed once for every trial
    limit_time(kSecondsForATrial);
    std::string failure;
    const Outcome outcome = run_case(c, comparisons, failure);
    _exit(outcome == Outcome::disagrees ? kDisagrees : outcome == Outcome::wrong_error ? kWrongError : 0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) kill(child, SIGKILL);  // the run is to end
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void report_failure(const Settings& settings, std::uint64_t seed, const std::string& failure) {
  const DrawnCase drawn = case_of(seed, settings);
  std::cout << fmt::format("seed {}, {}: {}\n", seed, drawn.what.options.method, failure) << std::flush;
  const int code = trial(drawn.what, drawn.comparisons);
  const auto fails = [&](const Case& c, const std::vector<std::string>& by) {
    return !ended_of_run->load() && trial(c, by) == code && !ended_of_run->load();
  };
  if (ended_of_run->load()) return;
  if (code == 0) {
    std::cout << "  does not fail again: the result depends on more than the seed\n";
    return;
  }
  std::vector<std::string> comparisons = drawn.comparisons;
  for (const std::string& name : drawn.comparisons) {
    std::vector<std::string> fewer = comparisons;
    std::erase(fewer, name);
    if (fails(drawn.what, fewer)) comparisons = fewer;
  }
  const Clock::time_point start = Clock::now();
  const Case small =
      CaseShrinker(drawn.what, [&](const Case& c) { return seconds_since(start) < kSecondsToShrink && fails(c, comparisons); }).shrink();
  if (comparisons.empty()) comparisons = {"claims"};
  const std::string path = fmt::format("{}/fuzz-{}.case", settings.out, seed);
  std::ofstream(path) << to_case_text(small, comparisons, fmt::format("Seed {}: {}", seed, failure));
  std::cout << fmt::format("  shrunk to {} rows and {} columns: {}\n", small.data.rows(), small.data.features(), path) << std::flush;
}

// Cases of the exact search by each axis of the space, and how many cells have none.
void print_coverage(const Slot& sum) {
  for (std::size_t axis = 0; axis < space_axes().size(); ++axis) {
    std::vector<std::uint64_t> by_range(space_axes()[axis].ranges.size());
    for (std::size_t i = 0; i < kSpaceCells; ++i) by_range[space_cell(i)[axis]] += sum.by_cell[i];
    std::string line = fmt::format("{}:", space_axes()[axis].name);
    for (std::size_t range = 0; range < by_range.size(); ++range)
      line += fmt::format("{} {} {}", range > 0 ? "," : "", space_axes()[axis].ranges[range], by_range[range]);
    std::cout << line << "\n";
  }
  const auto* cells = sum.by_cell.data();
  const auto empty = std::count(cells, cells + kSpaceCells, 0u);
  std::cout << fmt::format("cells of depth x classes x columns x price x leaves x splits: {}, empty: {}, least: {} cases\n", kSpaceCells,
                           empty, *std::min_element(cells, cells + kSpaceCells));
}

void print_summary(const Settings& settings, const Shared& shared, int failures, double seconds) {
  Slot sum{};
  for (const Slot& slot : shared.slots) {
    sum.cases += slot.cases;
    sum.refused += slot.refused;
    sum.counts.add(slot.counts);
    for (std::size_t i = 0; i < sum.by_cell.size(); ++i) sum.by_cell[i] += slot.by_cell[i];
    for (std::size_t i = 0; i < sum.by_method.size(); ++i) sum.by_method[i] += slot.by_method[i];
  }
  const std::uint64_t drawn = std::min(shared.next.load(), settings.cases > 0 ? settings.cases : shared.next.load());
  std::cout << fmt::format("{} cases (seeds {}..{}), {} fits, {:.0f} s on {} processes\n", sum.cases, settings.seed,
                           settings.seed + drawn - 1, sum.counts.fits, seconds, settings.jobs);
  std::cout << fmt::format(
      "beside brute force: {} cases, {} of them of depth 3 or more with 4 or more columns, {} with costs, {} with a category of 13 or more "
      "levels, {} with 9 or more classes at depth 4 or more; proofs checked: {}, beyond the digits of one: {}\n",
      sum.counts.brute, sum.counts.brute_deep, sum.counts.brute_costs, sum.counts.brute_wide, sum.counts.brute_classes, sum.counts.proofs,
      sum.counts.untold);
  std::cout << fmt::format(
      "beside whole numbers: {} problems with all stops of theirs, {} of what columns are worth, {} lists of near trees, {} complexity "
      "paths, {} trade-offs, {} runs of tune, {} tops\nbeside all trees of numbers: {} problems\n",
      sum.counts.exact, sum.counts.worths, sum.counts.nears, sum.counts.paths, sum.counts.trade_offs, sum.counts.tunes, sum.counts.tops,
      sum.counts.targets);
  std::cout << "cases by method: oct " << sum.by_method[0];
  for (std::size_t i = 0; i < std::size(kMethods); ++i) {
    if (sum.by_method[i + 1] > 0) std::cout << ", " << kMethods[i].name << " " << sum.by_method[i + 1];
  }
  std::cout << fmt::format("; refused with an Error: {}\n", sum.refused);
  print_coverage(sum);
  std::cout << (failures == 0 ? "no failure\n" : fmt::format("{} FAILURES\n", failures));
}

int fuzz(const Settings& settings) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Shared& shared = *new (memory) Shared{};
  ended_of_run = &shared.ended;
  struct sigaction ending {};
  ending.sa_handler = end_run;  // without SA_RESTART, so that waiting for a child ends
  for (const int signal_number : {SIGINT, SIGTERM}) sigaction(signal_number, &ending, nullptr);
  const Clock::time_point start = Clock::now();
  std::map<pid_t, int> workers;
  const auto begin = [&](int index) {
    std::cout << std::flush;
    const pid_t worker = fork_child();
    if (worker == 0) work(settings, start, shared, shared.slots[index]);
    workers[worker] = index;
  };
  for (int i = 0; i < settings.jobs; ++i) begin(i);
  int failures = 0;
  while (!workers.empty()) {
    int status = 0;
    if (shared.ended) {
      for (const auto& [running, slot] : workers) kill(running, SIGKILL);
    }
    const pid_t worker = wait(&status);
    if (worker < 0) continue;
    const int index = workers.at(worker);
    workers.erase(worker);
    if ((WIFEXITED(status) && WEXITSTATUS(status) == 0) || (shared.ended && WIFSIGNALED(status))) continue;
    ++failures;
    const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
                                                : std::string(shared.slots[index].failure);
    if (settings.failures == 0) {
      std::cout << fmt::format("seed {}: {}\n", shared.slots[index].seed, how);
      for (const auto& [running, slot] : workers) kill(running, SIGKILL);
      return 1;
    }
    report_failure(settings, shared.slots[index].seed, how);
    if (failures < settings.failures && !shared.ended) begin(index);
  }
  print_summary(settings, shared, failures, seconds_since(start));
  return failures == 0 ? 0 : 1;
}

// For the Python tests: rows, tree and predictions of so many cases, as SEED.csv, SEED.json and SEED.txt with a class name for each row.
int emit(const Settings& settings) {
  std::uint64_t written = 0;
  for (std::uint64_t seed = settings.seed; written < settings.emit; ++seed) {
    const Case c = case_of(seed, settings).what;
    if (c.data.response) continue;
    Result result;
    try {
      result = fit(c.data, c.options);
    } catch (const Error&) {
      continue;
    }
    const std::string path = fmt::format("{}/{}", settings.out, seed);
    Dataset rows = c.data;
    rows.weights.clear();
    std::ofstream(path + ".csv") << write_csv(rows);
    std::ofstream(path + ".json") << to_json(result);
    std::ofstream labels(path + ".txt");
    for (const std::int32_t label : result.tree.predict(c.data)) labels << c.data.class_names[label] << "\n";
    ++written;
  }
  return 0;
}

bool is_subject(std::string_view name) {
  return std::ranges::any_of(kSubjects, [&](const MethodShare& subject) { return subject.name == name; });
}

template <class Number>
bool read_number(const char* text, Number& number) {
  const auto [end, code] = std::from_chars(text, text + std::strlen(text), number);
  return code == std::errc() && *end == '\0';
}

int usage() {
  std::cerr << "treewright_fuzz [--seed S] [--cases N | --minutes M] [--jobs J] [--seconds S] [--method NAME] [--failures N] [--out DIR]\n"
               "  --least-depth D --least-classes K: cases of the exact search from that depth and so many classes on\n"
               "  --numbers N: of ten cases so many, 1 if not given, of losses at every scale, beside an oracle in whole numbers\n"
               "  --subject NAME: these alone, of one subject: exact, worth, near, path, trade_off, tune or top\n"
               "  --costs 1: wherever labels may have costs, they have\n"
               "  --loss squared (or poisson, survival): targets that are numbers, beside an enumeration\n"
               "  --seconds S: CPU seconds for a case, 60 if not given; more of them is a failure\n"
               "  --failures 0: ends with the first failure and does not shrink it\n"
               "treewright_fuzz --show S            prints the case of that seed\n"
               "treewright_fuzz --emit N --out DIR  writes rows, trees and predictions of N cases\n";
  return 2;
}

int run(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) return usage();
    const char* value = argv[i + 1];
    const bool read = name == "--seed"            ? read_number(value, settings.seed)
                      : name == "--show"          ? (settings.show = read_number(value, settings.seed))
                      : name == "--emit"          ? read_number(value, settings.emit)
                      : name == "--cases"         ? read_number(value, settings.cases)
                      : name == "--minutes"       ? read_number(value, settings.minutes)
                      : name == "--seconds"       ? read_number(value, settings.seconds) && settings.seconds > 0
                      : name == "--jobs"          ? read_number(value, settings.jobs)
                      : name == "--failures"      ? read_number(value, settings.failures)
                      : name == "--least-depth"   ? (settings.method = "oct", read_number(value, settings.corner.depth))
                      : name == "--least-classes" ? (settings.method = "oct", read_number(value, settings.corner.classes))
                      : name == "--costs"         ? (settings.method = "oct", read_number(value, settings.costs))
                      : name == "--numbers"       ? read_number(value, settings.numbers)
                      : name == "--loss"          ? (settings.loss = loss_named(value)).has_value()
                      : name == "--subject"       ? (settings.numbers = kAllOfTen, settings.subject = value, is_subject(value))
                      : name == "--method"        ? (settings.method = value, true)
                      : name == "--out"           ? (settings.out = value, true)
                                                  : false;
    if (!read) return usage();
  }
  const int most_depth = 6, most_classes = 16;  // where the last ranges begin
  if (settings.corner.depth > most_depth || settings.corner.classes > most_classes) return usage();
  if (settings.show) {
    const DrawnCase drawn = case_of(settings.seed, settings);
    std::cout << to_case_text(drawn.what, drawn.comparisons, fmt::format("Seed {}", settings.seed));
    return 0;
  }
  if (settings.emit > 0) return emit(settings);
  if ((settings.cases == 0) == (settings.minutes == 0) || settings.jobs < 1 || settings.jobs > 64) return usage();
  return fuzz(settings);
}

}  // namespace
}  // namespace treewright::testing

int main(int argc, char** argv) {
  return treewright::testing::run(argc, argv);
}
