#include <fmt/format.h>

#include "treewright/base/name_list.h"
#include "treewright/data/losses.h"
#include "treewright/options.h"
#include "treewright/probabilities.h"
#include "treewright/report.h"

namespace treewright {

std::string reproduce_command(const Result& result, const std::string& data_name) {
  // In single quotes a shell takes every character for itself but the quote.
  const auto shell = [](const std::string& word) {
    const bool simple =
        !word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%") == std::string::npos;
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return simple ? word : out + "'";
  };
  std::string out = "treewright fit " + shell(data_name);
  const auto add_list = [&](const std::string& flag, const std::vector<std::string>& names) {
    if (!names.empty()) out += fmt::format(" {} {}", flag, shell(list_of_names(names)));
  };
  const auto add_name = [&](const std::string& flag, const std::optional<std::string>& name) {
    if (name) out += fmt::format(" {} {}", flag, shell(*name));
  };
  const TrainingFile& file = result.file;
  add_name("--target", file.target);
  if (result.tree.loss) out += fmt::format(" --loss {}", name_of(*result.tree.loss));
  add_name("--exposure", file.exposure);
  add_name("--event", file.event);
  add_list("--cost-columns", file.costs);
  add_list("--drop", file.drop);
  add_name("--weights", file.weights);
  add_list("--missing", file.missing);
  add_list("--not-missing", file.present);
  add_list("--categorical", file.categorical);
  add_list("--numeric", file.numeric);
  for (const Feature& feature : result.tree.features) {
    if (feature.notation == Notation::ordered) out += " --ordered " + shell(feature.name + "=" + list_of_names(feature.levels));
  }
  if (file.decimal != '\0') out += fmt::format(" --decimal {}", file.decimal);
  if (file.date_order != '\0') out += file.date_order == 'd' ? " --dates day-first" : " --dates month-first";
  if (file.drop_unlabeled) out += " --drop-unlabeled";
  if (!file.edges.empty()) out += fmt::format(" --bins {}", file.edges.size() + 1);
  if (file.target_classes) out += " --target-classes";
  if (!file.against_rest.empty()) out += " --against-rest " + shell(file.against_rest);
  if (file.test_share > 0) out += fmt::format(" --test-share {}", file.test_share);
  if (result.cost && file.costs.empty()) out += " --costs FILE";
  for (const auto& [name, value] : result.options) {
    for (const OptionInfo& info : option_table()) {
      if (info.name == name) out += fmt::format(" {} {}", info.flags.substr(0, info.flags.find(',')), shell(value));
    }
  }
  // The method may have chosen it.
  if (!result.tree.loss && !result.tree.probability_model && result.tree.shrinkage != kUsualShrinkage)
    out += fmt::format(" --shrinkage {}", result.tree.shrinkage);
  return out;
}

}  // namespace treewright
