// The accuracy tables of docs/hyperplane.md:
//
//   hyperplane_study DATA bd17 method=oct-h max_depth=2 alphas=0,0.01 costs=0.03,1
//   hyperplane_study DATA dgmp23 method=tao max_depth=2 costs=0.0001,0.001,0.01,0.1,1,10,100,1000
//   hyperplane_study DATA ales2024 method=auto max_depth=4
//   hyperplane_study DATA optima restarts=7
//
// DATA holds csv/, splits/, columns.tsv and manifest.tsv. bd17: five splits 50/25/25 seeded 1..5, stratified; N_min = 5 % of the rows;
// alpha and cost are those of highest accuracy on the validation part (the larger alpha, then the first cost in the list, where
// equal), and the tree is trained again on the training and validation rows. dgmp23, ales2024: the published partitions; alpha
// and cost by four stratified folds of the training part (ales2024: training and validation part), method "auto" by itself. optima: local
// search with axis splits against known optima at depth 3. Rows with missing values are left out, as in the papers. Lists are
// separated by commas, any other name=value is an option of fit. Seconds are those of one process (user time), tuning included.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "treewright/base/error.h"
#include "treewright/data/read.h"
#include "treewright/data/splits.h"
#include "treewright/fit/fit.h"
#include "treewright/tree/measures.h"

namespace {

using namespace treewright;

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Nominal columns are categories even where they are coded by numbers; `bd17`: except where that paper takes the codes as numbers or
// leaves the column out. Rows without a label or with a missing value are dropped.
Dataset load(const std::string& folder, const std::string& name, bool bd17) {
  ReadOptions how;
  std::ifstream columns(folder + "/columns.tsv");
  for (std::string line; std::getline(columns, line);) {
    const std::vector<std::string> cell = parts_of(line, '\t');
    if (cell.size() < 5 || cell[0] != name) continue;
    const std::string treatment = cell.size() > 5 ? cell[5] : "";
    if (bd17 && treatment == "-") {
      how.drop.push_back(cell[2]);
    } else if ((cell[3] == "cat" || cell[3] == "bin") && !(bd17 && treatment == "num" && cell[4] == "number")) {
      how.kinds[cell[2]] = ColumnKind::categorical;
    }
  }
  std::ifstream file(folder + "/csv/" + name + ".csv");
  std::string text;
  for (std::string line; std::getline(file, line);) {
    if (line.back() != ',') text += line + "\n";
  }
  return parse_csv(text, name, how);
}

RowNumbers complete(const Dataset& data, const RowNumbers& rows) {
  RowNumbers kept;
  for (const std::int32_t row : rows) {
    if (std::none_of(data.columns.begin(), data.columns.end(), [&](const Column& c) { return c.missing(row); })) kept.push_back(row);
  }
  return kept;
}

struct Study {
  Options base;
  std::vector<std::string> alphas = {"0"}, costs = {"1"};
  std::string only;

  std::vector<Options> grid() const {
    std::vector<Options> settings;
    for (auto alpha = alphas.rbegin(); alpha != alphas.rend(); ++alpha) {
      for (const std::string& cost : costs) {
        Options options = base;
        set_option(options, "ccp_alpha", *alpha);
        set_option(options, "svm_cost", cost);
        settings.push_back(options);
      }
    }
    return settings;
  }

  // The setting of highest mean accuracy over pairs of training and validation rows.
  Options tuned(const Dataset& data, const std::vector<Fold>& folds) const {
    const std::vector<Options> settings = grid();
    Options best = settings.front();
    if (settings.size() == 1 || base.method == "auto") return best;
    double most = -1;
    for (const Options& options : settings) {
      double sum = 0;
      for (const Fold& fold : folds) sum += accuracy(fit(data.subset(fold.train), options).tree, data.subset(fold.test));
      if (sum <= most + 1e-12) continue;
      most = sum;
      best = options;
    }
    return best;
  }
};

struct Score {
  double accuracy = 0, balanced = 0, train = 0, splits = 0, terms = 0, seconds = 0;
  int count = 0;

  void add(const Tree& tree, const Dataset& trained_on, const Dataset& test, double took) {
    accuracy += treewright::accuracy(tree, test);
    balanced += balanced_accuracy(tree, test);
    train += treewright::accuracy(tree, trained_on);
    splits += static_cast<double>(tree.splits());
    terms += static_cast<double>(tree.terms());
    seconds += took;
    ++count;
  }
  void print(const std::string& name) const {
    fmt::print("{}\t{:.2f}\t{:.2f}\t{:.2f}\t{:.1f}\t{:.1f}\t{:.3f}\n", name, 100 * accuracy / count, 100 * balanced / count,
               100 * train / count, splits / count, terms / count, seconds / count);
    std::fflush(stdout);
  }
};

void train_and_add(Score& score, const Study& study, const Dataset& data, const std::vector<Fold>& folds, const Dataset& test) {
  const double begin = processor_seconds();
  const Tree tree = fit(data, study.tuned(data, folds)).tree;
  score.add(tree, data, test, processor_seconds() - begin);
}

Score bd17(const std::string& folder, const std::string& name, Study study) {
  Dataset all = load(folder, name, true);
  RowNumbers rows(all.rows());
  std::iota(rows.begin(), rows.end(), 0);
  all = all.subset(complete(all, rows));
  study.base.min_samples_leaf = std::ceil(0.05 * static_cast<double>(all.rows()));
  Score score;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<double> shares = {0.5, 0.25, 0.25};
    SplitOptions how;
    how.seed = seed;
    const std::vector<RowNumbers> parts = split_rows(all, shares, how);
    RowNumbers both = parts[0];
    both.insert(both.end(), parts[1].begin(), parts[1].end());
    std::sort(both.begin(), both.end());
    Fold fold;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(both.size()); ++i) {
      (std::binary_search(parts[0].begin(), parts[0].end(), both[i]) ? fold.train : fold.test).push_back(i);
    }
    train_and_add(score, study, all.subset(both), {fold}, all.subset(parts[2]));
  }
  return score;
}

Score published(const std::string& folder, const std::string& name, const std::string& splits, const std::vector<std::string>& columns,
                const Study& study) {
  const Dataset all = load(folder, name, false);
  Score score;
  for (const std::string& column : columns) {
    const std::string file = name == "car-evaluation-binoct" ? "car-evaluation" : name;
    auto parts = read_parts(folder + "/splits/" + splits + "/" + file + ".tsv", column, all.rows());
    RowNumbers rows = parts["train"];
    rows.insert(rows.end(), parts["valid"].begin(), parts["valid"].end());
    std::sort(rows.begin(), rows.end());
    const Dataset train = all.subset(complete(all, rows));
    train_and_add(score, study, train, k_folds(train, 4), all.subset(complete(all, parts["test"])));
  }
  return score;
}

void optima(const std::string& folder, Study study) {
  const std::vector<std::pair<std::string, double>> known = {{"banknote", 23},
                                                             {"shill-bidding", 50},
                                                             {"page-blocks", 168},
                                                             {"raisin", 94},
                                                             {"wilt", 88},
                                                             {"iris", 1},
                                                             {"wine", 0},
                                                             {"parkinsons", 2},
                                                             {"ionosphere", 19},
                                                             {"breast-cancer-diagnostic", 9},
                                                             {"blood-transfusion", 142},
                                                             {"balance-scale", 141},
                                                             {"congressional-voting", 12}};
  study.base.method = "local";
  study.base.split_kind = "axis";
  study.base.max_depth = 3;
  for (const auto& [name, optimum] : known) {
    const Dataset data = load(folder, name, false);
    const double begin = processor_seconds();
    const Result result = fit(data, study.base);
    fmt::print("{}\t{}\t{}\t{}\t{:.2f}\n", name, data.rows(), result.errors, optimum, processor_seconds() - begin);
    std::fflush(stdout);
  }
}

int run(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: hyperplane_study DATA bd17|dgmp23|ales2024|optima [name=value ...]\n");
    return 2;
  }
  const std::string folder = argv[1], what = argv[2];
  Study study;
  study.base.n_jobs = 1;
  for (int i = 3; i < argc; ++i) {
    const std::string text = argv[i];
    const std::string name = text.substr(0, text.find('=')), value = text.substr(text.find('=') + 1);
    if (name == "alphas") {
      study.alphas = parts_of(value, ',');
    } else if (name == "costs") {
      study.costs = parts_of(value, ',');
    } else if (name == "only") {
      study.only = value;
    } else {
      set_option(study.base, name, value);
    }
  }
  if (what == "optima") {
    optima(folder, study);
    return 0;
  }
  std::vector<std::string> names, columns = {"part"};
  if (what == "bd17") {
    std::ifstream manifest(folder + "/manifest.tsv");
    for (std::string line; std::getline(manifest, line);) {
      const std::vector<std::string> cell = parts_of(line, '\t');
      if (cell.size() > 9 && cell[9].find("BD17") != std::string::npos) names.push_back(cell[0]);
    }
  } else if (what == "dgmp23") {
    names = {"breast-cancer-diagnostic",
             "breast-cancer-wisconsin",
             "climate-model",
             "heart-cleveland-binary",
             "ionosphere",
             "parkinsons",
             "sonar",
             "spectf-267",
             "tic-tac-toe",
             "wholesale"};
  } else {
    names = {"monks-1",
             "monks-2",
             "monks-3",
             "iris",
             "wine",
             "seeds",
             "haberman",
             "dermatology",
             "balance-scale",
             "breast-cancer-wisconsin",
             "blood-transfusion",
             "car-evaluation-binoct"};
    columns = {"p0", "p1", "p2", "p3", "p4"};
  }
  if (!study.only.empty()) names = parts_of(study.only, ',');
  fmt::print("set\taccuracy\tbalanced\ttrain\tsplits\tterms\tseconds\n");
  Score mean;
  std::vector<double> seconds;
  for (const std::string& name : names) {
    const Score score = what == "bd17"     ? bd17(folder, name, study)
                        : what == "dgmp23" ? published(folder, name, "donofrio2023", columns, study)
                                           : published(folder, name, "ales2024", columns, study);
    score.print(name);
    mean.accuracy += score.accuracy / score.count;
    mean.balanced += score.balanced / score.count;
    mean.train += score.train / score.count;
    mean.splits += score.splits / score.count;
    mean.terms += score.terms / score.count;
    seconds.push_back(score.seconds / score.count);
    ++mean.count;
  }
  std::sort(seconds.begin(), seconds.end());
  mean.seconds = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  mean.print("mean");
  fmt::print("median seconds\t{:.3f}\nlongest\t{:.3f}\n", seconds[seconds.size() / 2], seconds.back());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const treewright::Error& error) {
    fmt::print(stderr, "hyperplane_study: {}\n", error.what());
    return 1;
  }
}
