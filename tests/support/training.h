#pragma once

#include <map>
#include <string>

#include "support/make_data.h"
#include "support/source_folder.h"
#include "treewright/data.h"
#include "treewright/data/generate/generate.h"
#include "treewright/fit.h"
#include "treewright/methods/method.h"

namespace treewright::testing {

inline const Dataset& iris() {
  static const Dataset data = read_dataset(in_source("data/iris.csv"));
  return data;
}

// Noise that no small tree explains: its search is long.
inline const Dataset& noise() {
  static const Dataset data = [] {
    GenerateOptions options;
    options.rows = 300;
    options.features = 6;
    options.classes = 2;
    options.label_noise = 0.4;
    return generate("bd17-train", options);
  }();
  return data;
}

// One class in the upper left and the lower right: what two levels of hyperplanes part.
inline const Dataset& two_bands() {
  static const Dataset data = [] {
    std::vector<double> x, y;
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 36; ++i) {
      x.push_back(i % 6 * 1.5);
      y.push_back(10 + i / 6 + 0.1 * (i % 5));
      labels.push_back((i % 6 < 3) != (i / 6 < 3));
    }
    return make_data({numbers("x", x), numbers("y", y)}, labels);
  }();
  return data;
}

using Settings = std::map<std::string, std::string>;

/// What chooses this entry among those of its name.
inline Settings settings_of(const Method& method) {
  Settings settings{{"method", std::string(method.name)}};
  for (const auto& [option, value] : method.when) settings.emplace(option, value);
  return settings;
}

inline Options options_of(const Settings& settings) {
  Options options;
  for (const auto& [name, value] : settings) set_option(options, name, value);
  return options;
}

inline Result train(const Dataset& data, const Settings& settings) {
  return fit(data, options_of(settings));
}

}  // namespace treewright::testing
