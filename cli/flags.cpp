#include "flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "help.h"
#include "treewright/base/file.h"
#include "treewright/base/name_list.h"
#include "treewright/data/losses.h"
#include "treewright/explain/markup.h"
#include "treewright/fit/registry.h"
#include "treewright/probabilities.h"
#include "treewright/tree/measures.h"

namespace treewright::cli {

namespace {

constexpr const char* kTarget = "Data";
const std::string kData = std::string(kMore) + "Data", kFileFormat = std::string(kMore) + "Format of the data file";

CLI::Validator number_that(bool (*holds)(double), const char* what) {
  const auto check = [=](const std::string& text) {
    double value = 0;
    return CLI::detail::lexical_cast(text, value) && holds(value) ? "" : fmt::format("'{}' is no {}", text, what);
  };
  return CLI::Validator(check, "");
}

}  // namespace

CLI::Validator is_share() {
  return number_that([](double value) { return value >= 0.01 && value <= 0.99; }, "share from 0.01 to 0.99");
}

CLI::Validator is_not_negative() {
  return number_that([](double value) { return value >= 0 && std::isfinite(value); }, "number from 0 on");
}

CLI::Validator is_positive() {
  return number_that([](double value) { return value > 0 && std::isfinite(value); }, "number above 0");
}

CLI::Option* add_shrinkage_flag(CLI::App& command, std::optional<double>& shrinkage, const std::string& otherwise) {
  return command
      .add_option("--shrinkage", shrinkage,
                  fmt::format("pull the probabilities of small leaves towards those of the nodes above: each step of a path is divided by "
                              "1 + ROWS / weight of the node above (a row weighs 1 without --weights); labels stay as they are; 0 = the "
                              "shares in each leaf (default: {})",
                              otherwise))
      ->type_name("ROWS");
}

CLI::Option* add_decision_flags(CLI::App& command, Decision& decision) {
  CLI::Option* threshold =
      command
          .add_option_function<double>(
              "--threshold", [&decision](double value) { decision.threshold = value; },
              "of two classes, predict the positive one where its probability is at least this (default: the class of the leaf)")
          ->type_name("SHARE")
          ->check(CLI::Range(0.0, 1.0));
  command.add_option("--positive", decision.positive, "the positive one of two classes (default: the second)")->type_name("CLASS");
  return threshold;
}

std::vector<double> Decision::probabilities(const Tree& tree, const Dataset& data) const {
  return shrinkage ? predict_proba(tree, data, *shrinkage) : tree.predict_proba(data);
}

std::vector<std::int32_t> Decision::labels(const Tree& tree, const Dataset& data) const {
  return threshold ? decide(probabilities(tree, data), positive_class(tree, positive), *threshold) : tree.predict(data);
}

namespace {

// An option that takes a list of names, or of texts, also several times.
void add_list(CLI::App& command, const std::string& flag, const std::string& help, const std::function<void(const std::string&)>& take,
              const char* what = "COLUMN,...") {
  const auto all = [take](const CLI::results_t& given) {
    for (const std::string& list : given) {
      for (const std::string& name : names_of_list(list)) take(name);
    }
    return true;
  };
  command.add_option(flag, all, help)->type_name(what)->expected(1, 1000000)->group(kData);
}

}  // namespace

void add_seen_flags(CLI::App& command, ReadOptions& options) {
  command
      .add_option("--exposure", options.exposure, "column with the time or amount at risk, for --loss poisson (default: 1 for each row)")
      ->type_name("COLUMN")
      ->group(kData);
  command
      .add_option("--event", options.event,
                  "column with 1 where the event was seen at the time of the target, and 0 where the row was seen last then, for --loss "
                  "survival")
      ->type_name("COLUMN")
      ->group(kData);
}

void add_loss_flags(CLI::App& command, ReadOptions& options) {
  std::map<std::string, Loss> names;
  for (const Loss loss : kLosses) names.emplace(name_of(loss), loss);
  command
      .add_option("--loss", options.loss,
                  "predict the number of the target: squared = its mean in each leaf, poisson = events for each unit of exposure, "
                  "survival = the hazard relative to all rows, of a target that is a time (default: squared where the target has more than "
                  "20 different numbers, or some that are not whole; otherwise classes)")
      ->type_name("squared|poisson|survival")
      ->transform(CLI::CheckedTransformer(names))
      ->group(kTarget);
  add_seen_flags(command, options);
}

void add_read_flags(CLI::App& command, ReadOptions& options) {
  command
      .add_option(
          "--target",
          [&options](const CLI::results_t& value) {
            options.target = value.front();
            return true;
          },
          "target column by name or index; negative counts from the end (default: the last column)")
      ->type_name("COLUMN")
      ->group(kTarget);
  add_list(command, "--drop", "columns to leave out; a name that holds a comma stands in double quotes",
           [&options](const std::string& name) { options.drop.push_back(name); });
  command.add_option("--weights", options.weights, "column that holds row weights")->type_name("COLUMN")->group(kData);
  add_list(command, "--cost-columns", "columns with what each label costs the row; their names are the labels",
           [&options](const std::string& name) { options.cost_columns.push_back(name); });
  add_list(
      command, "--missing", "further cells that stand for a missing value, besides empty ones, ?, NA, NaN, null and n/a, also in capitals",
      [&options](const std::string& marker) { options.missing.push_back(marker); }, "TEXT,...");
  add_list(
      command, "--not-missing", "of these cells those that stand for themselves, such as NA for North America",
      [&options](const std::string& marker) { std::erase(options.missing, marker); }, "TEXT,...");
  command.add_flag("--drop-unlabeled,--drop-unlabelled", options.drop_unlabeled, "leave out rows without a label")->group(kData);
  CLI::Option* bins =
      command.add_option("--bins", options.bins, "group the numbers of the target into so many classes of about equally many rows")
          ->type_name("CLASSES")
          ->check(CLI::Range(2, 1000).description(""))
          ->group(kData);
  command.add_flag("--target-classes", options.target_classes, "take each number of the target as a class, however many there are")
      ->excludes(bins)
      ->group(kData);
  command.add_option("--against-rest", options.against_rest, "take all classes but this one as one class, 'not CLASS'")
      ->type_name("CLASS")
      ->group(kData);
  add_list(command, "--categorical", "columns to read as categories",
           [&options](const std::string& name) { options.kinds[name] = ColumnKind::categorical; });
  add_list(command, "--numeric", "columns to read as numbers",
           [&options](const std::string& name) { options.kinds[name] = ColumnKind::numeric; });
  command
      .add_option(
          "--ordered",
          [&options](const CLI::results_t& given) {
            for (const std::string& column : given) {
              const std::size_t equals = column.find('=');
              if (equals == std::string::npos)
                throw CLI::ValidationError("--ordered", fmt::format("'{0}' names no levels (write {0}=low,mid,high)", column));
              options.ordered[column.substr(0, equals)] = names_of_list(column.substr(equals + 1));
            }
            return true;
          },
          "a column of ordered levels, which a split cuts between two neighbors: all of them from the lowest to the highest; may be "
          "repeated")
      ->type_name("COLUMN=LEVEL,...")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(kData);
  command.add_option("--format", options.format, "format of the file (default: by its extension)")
      ->type_name("csv|libsvm|arff")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, FileFormat>{{"csv", FileFormat::csv}, {"libsvm", FileFormat::libsvm}, {"arff", FileFormat::arff}}))
      ->group(kFileFormat);
  command.add_option("--header", options.header, "whether a CSV file's first row holds names (default: detected)")
      ->type_name("yes|no")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Header>{{"yes", Header::yes}, {"no", Header::no}}))
      ->group(kFileFormat);
  command.add_option("--skip", options.skip, "lines at the top of a CSV file that are no rows (default: a title is detected)")
      ->type_name("LINES")
      ->check(CLI::Range(0, 1000000).description(""))
      ->group(kFileFormat);
  command
      .add_option(
          "--separator",
          [&options](const CLI::results_t& value) {
            const std::string& text = value.front();
            if (text == "tab" || text == "\\t")
              options.separator = '\t';
            else if (text.size() == 1)
              options.separator = text.front();
            else
              return false;
            return true;
          },
          "CSV separator, one character or 'tab' (default: detected)")
      ->type_name("CHAR")
      ->group(kFileFormat);
  command
      .add_option(
          "--decimal",
          [&options](const CLI::results_t& value) {
            options.decimal = value.front().front();
            return true;
          },
          "decimal point of numbers (default: detected)")
      ->type_name(".|,")
      ->check(CLI::IsMember({".", ","}).description(""))
      ->group(kFileFormat);
  command.add_option("--dates", options.date_order, "what dates like 03/04/2020 begin with, where no cell of the file shows it")
      ->type_name("day-first|month-first")
      ->transform(CLI::CheckedTransformer(std::map<std::string, char>{{"day-first", 'd'}, {"month-first", 'm'}}))
      ->group(kFileFormat);
}

void add_data_flags(CLI::App& command, std::string& data, ReadOptions& options) {
  command.add_option("data", data, "data file (CSV, LIBSVM, ARFF; also packed by gzip or zip; - is standard input)")->required();
  add_read_flags(command, options);
}

namespace {

// What most people set; --help lists these alone.
constexpr std::string_view kUsualOptions[] = {"method",     "max_depth",    "min_samples_leaf", "ccp_alpha",
                                              "max_splits", "class_weight", "time_limit"};

// The heading of help under which an option stands: that of a family if no other family reads the option.
std::string group_of(std::string_view option) {
  if (std::find(std::begin(kUsualOptions), std::end(kUsualOptions), option) != std::end(kUsualOptions)) return "Tree";
  std::set<std::string_view> families;
  for (const Method& method : methods()) {
    if (method.reads_option(option)) families.insert(method.family);
  }
  return families.size() == 1 ? fmt::format("{}Methods of family {}", kMore, *families.begin()) : fmt::format("{}Training", kMore);
}

}  // namespace

void add_option_flags(CLI::App& command, Options& options, const OptionChoice& which) {
  for (const OptionEntry& info : option_entries()) {
    const std::string name(info.name);
    if ((!which.names.empty() && !is_in(which.names, name)) || is_in(which.left_out, name)) continue;
    const std::string group = which.names.empty() || name == "disable" ? group_of(name) : "Options";
    std::string help = fmt::format("{}", info.help);
    if (!info.unit.empty()) help += fmt::format(" [{}]", info.unit);
    if (group.rfind(kMore, 0) == 0)
      help = with_papers(fmt::format("{} ({}for: {})", help, info.source.empty() ? "" : fmt::format("{}; ", info.source), info.methods));
    if (info.is_three_way()) {
      const std::string flag(info.flags.substr(2));
      const auto value = std::make_shared<std::string>();
      command.add_flag(fmt::format("--{0}{{yes}},--no-{0}{{no}}", flag), *value, help)
          ->each([&options, name, value](const std::string& given) { set_option(options, name, given); })
          ->group(group);
      continue;
    }
    CLI::Option* option = command.add_option(
        std::string(info.flags),
        [&options, name](const CLI::results_t& value) {
          set_option(options, name, value.front());
          return true;
        },
        help);
    option->type_name(info.type == OptionType::Choice ? std::string(info.range) : info.type == OptionType::Text ? "TEXT" : "NUMBER");
    option->group(group);
    if (info.unit == "columns" && info.type == OptionType::Text)
      option->delimiter(',')->multi_option_policy(CLI::MultiOptionPolicy::Join)->type_name("COLUMN,...");
    if (!info.default_text.empty()) option->default_str(std::string(info.default_text));
  }
}

std::string top_in(const std::string& given) {
  const std::size_t begin = given.find_first_not_of(" \t\r\n");
  return begin == std::string::npos || given[begin] == '{' || given[begin] == '"' ? given : read_file(given);
}

void add_analysis_flags(CLI::App& command, Options& options) {
  add_option_flags(command, options,
                   {{"max_depth", "min_samples_leaf", "ccp_alpha", "alpha_scale", "max_splits", "class_weight", "time_limit", "stall_limit",
                     "node_limit", "n_jobs", "disable"},
                    {}});
}

void add_held_out_flag(CLI::App& command, double& test_share) {
  command.add_option("--test-share", test_share, "leave out the rows that fit holds out for this share")
      ->type_name("SHARE")
      ->check(is_share());
}

CLI::Option* add_names_flag(CLI::App& command, std::string& path) {
  return command
      .add_option("--names", path,
                  "CSV file with what people call the columns, and their units: a line column,name,unit for each, shown instead")
      ->type_name("FILE");
}

void take_names(Tree& tree, const std::string& path) {
  if (path.empty()) return;
  const std::vector<std::string> unknown = name_columns(tree, read_file(path), path);
  if (!unknown.empty())
    fmt::print(stderr, "treewright: {} names columns that the tree does not have: {}\n", explain::printable(path),
               explain::printable(fmt::format("{}", fmt::join(unknown, ", "))));
}

}  // namespace treewright::cli
