// Growing and pruning CART trees on synthetic rows. Compare commits with Google Benchmark's compare.py.

#include "treewright/grow/cart.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "treewright/base/random.h"
#include "treewright/grow/cost_complexity.h"

namespace treewright {
namespace {

constexpr std::size_t kFeatures = 20;

// Normal features, of which three decide the class with some noise; `steps` > 0 rounds to so many steps per
// unit.
Dataset noisy_data(std::size_t rows, std::size_t classes, double steps) {
  Random random(1);
  Dataset data;
  for (std::size_t k = 0; k < classes; ++k) data.class_names.push_back(std::string(1, static_cast<char>('a' + k)));
  data.columns.resize(kFeatures);
  for (std::size_t f = 0; f < kFeatures; ++f) data.columns[f].name = std::string(1, static_cast<char>('a' + f));
  for (std::size_t row = 0; row < rows; ++row) {
    for (Column& column : data.columns) {
      const double value = random.normal();
      column.values.push_back(steps > 0 ? std::round(value * steps) / steps : value);
    }
    const double signal = data.columns[0].values[row] + data.columns[1].values[row] * data.columns[2].values[row];
    const double level = (std::tanh(signal + 0.5 * random.normal()) + 1) / 2;
    data.labels.push_back(static_cast<std::int32_t>(std::min(level, 0.999) * static_cast<double>(classes)));
  }
  return data;
}

void grow(benchmark::State& state, const Dataset& data, grow::Criterion criterion) {
  grow::CartOptions options;
  options.criterion = criterion;
  options.max_depth = static_cast<int>(state.range(1));
  std::size_t splits = 0;
  for (auto _ : state) splits = grow::grow_cart(data, options).splits();
  state.counters["splits"] = static_cast<double>(splits);
  state.SetItemsProcessed(state.iterations() * state.range(0) * static_cast<std::int64_t>(kFeatures));
}

std::size_t rows(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0));
}

void BM_CartGini(benchmark::State& state) {
  grow(state, noisy_data(rows(state), 2, 0), grow::Criterion::gini);
}
void BM_CartGiniTenClasses(benchmark::State& state) {
  grow(state, noisy_data(rows(state), 10, 0), grow::Criterion::gini);
}
void BM_CartGiniFewValues(benchmark::State& state) {
  grow(state, noisy_data(rows(state), 2, 4), grow::Criterion::gini);
}
void BM_CartEntropy(benchmark::State& state) {
  grow(state, noisy_data(rows(state), 2, 0), grow::Criterion::entropy);
}
void BM_CartWeighted(benchmark::State& state) {
  Dataset data = noisy_data(rows(state), 2, 0);
  Random random(2);
  for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.5, 1.5));
  grow(state, data, grow::Criterion::gini);
}

// Arguments: rows, depth (-1 = fully grown).
void sizes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t n : {1000, 30000}) {
    for (const std::int64_t depth : {3, -1}) bench->Args({n, depth});
  }
  bench->Unit(benchmark::kMillisecond);
}
BENCHMARK(BM_CartGini)->Apply(sizes);
BENCHMARK(BM_CartGiniTenClasses)->Apply(sizes);
BENCHMARK(BM_CartGiniFewValues)->Apply(sizes);
BENCHMARK(BM_CartEntropy)->Apply(sizes);
BENCHMARK(BM_CartWeighted)->Apply(sizes);

void BM_CostComplexityPath(benchmark::State& state) {
  const Tree full = grow::grow_cart(noisy_data(rows(state), 2, 0));
  for (auto _ : state) benchmark::DoNotOptimize(grow::cost_complexity_path(full, grow::Criterion::gini));
  state.counters["splits"] = static_cast<double>(full.splits());
}
BENCHMARK(BM_CostComplexityPath)->Arg(1000)->Arg(30000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace treewright
