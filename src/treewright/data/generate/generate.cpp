// The table of generators: name, function, and the options it looks at. An option that would be ignored is an
// error, so that nobody takes clean data for noisy ones.

#include "treewright/data/generate/generate.h"

#include <fmt/format.h>

#include <functional>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"

namespace treewright {

namespace {

struct Generator {
  const char* name;
  bool seed, label_noise, study;  // whether it looks at these; study = at everything
  std::function<Dataset(const GenerateOptions&)> make;
};

const std::vector<Generator>& generators() {
  static const std::vector<Generator> table = {
      {"bd17-train", true, true, true, [](const GenerateOptions& o) { return generate_tree_study(o).train; }},
      {"bd17-test", true, true, true, [](const GenerateOptions& o) { return generate_tree_study(o).test; }},
      {"4-partitions", true, false, false, [](const GenerateOptions& o) { return generate_partitions(4, o); }},
      {"6-partitions", true, false, false, [](const GenerateOptions& o) { return generate_partitions(6, o); }},
      {"balance-scale", false, false, false, [](const GenerateOptions&) { return generate_balance_scale(); }},
      {"tic-tac-toe", false, false, false, [](const GenerateOptions&) { return generate_tic_tac_toe(); }},
      {"monks-1", true, true, false, [](const GenerateOptions& o) { return generate_monks(1, o); }},
      {"monks-2", true, true, false, [](const GenerateOptions& o) { return generate_monks(2, o); }},
      {"monks-3", true, true, false, [](const GenerateOptions& o) { return generate_monks(3, o); }},
  };
  return table;
}

void refuse_unused(const Generator& generator, const GenerateOptions& options) {
  const GenerateOptions plain;
  const auto refuse_if = [&](bool given, const char* option) {
    if (given) {
      throw Error(fmt::format("generator '{}', option '{}'", generator.name, option), "this generator does not use the option",
                  "leave it out", ErrorKind::usage);
    }
  };
  refuse_if(!generator.seed && options.seed != plain.seed, "seed");
  refuse_if(!generator.label_noise && options.label_noise != plain.label_noise, "label_noise");
  if (generator.study) return;
  refuse_if(options.sample != plain.sample, "sample");
  refuse_if(options.depth != plain.depth, "depth");
  refuse_if(options.features != plain.features, "features");
  refuse_if(options.rows != plain.rows, "rows");
  refuse_if(options.rows_per_label != plain.rows_per_label, "rows_per_label");
  refuse_if(options.classes != plain.classes, "classes");
  refuse_if(options.feature_noise != plain.feature_noise, "feature_noise");
}

}  // namespace

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const Generator& generator : generators()) names.emplace_back(generator.name);
  return names;
}

Dataset generate(const std::string& name, const GenerateOptions& options) {
  for (const Generator& generator : generators()) {
    if (generator.name != name) continue;
    refuse_unused(generator, options);
    if (!(options.label_noise >= 0 && options.label_noise <= 1)) {
      throw option_error("label_noise", fmt::format("{} is not a share", options.label_noise), "use a number in 0..1");
    }
    Dataset data = generator.make(options);
    data.validate();
    return data;
  }
  throw Error(fmt::format("generator '{}'", name), "there is no such generator" + did_you_mean(name, generator_names()),
              fmt::format("use one of {}", fmt::join(generator_names(), ", ")), ErrorKind::usage);
}

}  // namespace treewright
