// Readers and writer on generated data; MB/s of text.
#include <benchmark/benchmark.h>

#include "treewright/data.h"
#include "treewright/data/describe.h"
#include "treewright/data/generate/generate.h"

namespace treewright {
namespace {

/// Uniform numbers of full length: the slowest to read.
const Dataset& long_numbers() {
  static const Dataset data = [] {
    GenerateOptions options;
    options.rows = 50000;
    options.features = 8;
    return generate("bd17-train", options);
  }();
  return data;
}

/// Numbers of a few digits, as most published data have.
const Dataset& short_numbers() {
  static const Dataset data = [] {
    Dataset rounded = long_numbers();
    for (Column& column : rounded.columns) {
      for (double& value : column.values) value = static_cast<int>(value * 256);
    }
    return rounded;
  }();
  return data;
}

const Dataset& words() {
  static const Dataset data = [] {
    Dataset coded = short_numbers();
    for (Column& column : coded.columns) {
      column.kind = ColumnKind::categorical;
      for (const double value : column.values) column.codes.push_back(static_cast<std::int32_t>(value) % 8);
      column.values.clear();
      column.levels = {"red", "green", "blue", "yellow", "black", "white", "grey", "violet"};
    }
    return coded;
  }();
  return data;
}

std::string libsvm_text(const Dataset& data) {
  std::string text;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    text += data.class_names[data.labels[row]];
    for (std::size_t j = 0; j < data.features(); ++j) {
      text.append(" ").append(std::to_string(j + 1)).append(":");
      text += std::to_string(static_cast<int>(data.columns[j].values[row]));
    }
    text += '\n';
  }
  return text;
}

std::string arff_text(const Dataset& data) {
  std::string text = "@relation bench\n";
  for (const Column& column : data.columns) text.append("@attribute ").append(column.name).append(" numeric\n");
  text += "@attribute class {";
  for (const std::string& name : data.class_names) text.append(name).append(",");
  text.back() = '}';
  const std::string csv = write_csv(data);
  return text + "\n@data\n" + csv.substr(csv.find('\n') + 1);
}

using Parse = Dataset(std::string_view, const std::string&, const ReadOptions&);

void measure(benchmark::State& state, const std::string& text, Parse* parse) {
  const std::string origin = "bench";
  const ReadOptions options;
  for (auto _ : state) {
    const Dataset data = parse(text, origin, options);
    benchmark::DoNotOptimize(data.labels.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void BM_csv_long_numbers(benchmark::State& state) {
  measure(state, write_csv(long_numbers()), parse_csv);
}
void BM_csv_short_numbers(benchmark::State& state) {
  measure(state, write_csv(short_numbers()), parse_csv);
}
void BM_csv_words(benchmark::State& state) {
  measure(state, write_csv(words()), parse_csv);
}
void BM_libsvm(benchmark::State& state) {
  measure(state, libsvm_text(short_numbers()), parse_libsvm);
}
void BM_arff(benchmark::State& state) {
  measure(state, arff_text(short_numbers()), parse_arff);
}

void BM_write_csv(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string text = write_csv(long_numbers());
    bytes += text.size();
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void BM_describe(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(describe(short_numbers()));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * short_numbers().rows()));
}

BENCHMARK(BM_csv_long_numbers)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_csv_short_numbers)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_csv_words)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_libsvm)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_arff)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_write_csv)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_describe)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace treewright
