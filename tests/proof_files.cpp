// Reads lines "DATA<tab>PROOF" and says of each proof whether it holds: "accepted BOUND" or "refused SENTENCE". The table is read as the
// proof says, so that a proof is judged by nothing but these two files. Used by tests/python/test_forge.py.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"

namespace treewright {
namespace {

// Of the classes in the order of their bytes, which is another one where all of them are numbers.
void take_matrix(const std::vector<std::vector<proof::Binary>>& matrix, Dataset& data) {
  std::vector<std::string> sorted = data.class_names;
  std::sort(sorted.begin(), sorted.end());
  if (matrix.size() != sorted.size()) proof::refuse("proof", "has costs of other classes");
  const auto place = [&](std::size_t k) {
    return static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), data.class_names[k]) - sorted.begin());
  };
  for (std::size_t y = 0; y < sorted.size(); ++y) {
    for (std::size_t a = 0; a < sorted.size(); ++a) data.costs.push_back(matrix[place(y)][place(a)].value());
  }
}

Dataset read_as(const proof::Reader& reader, const std::string& path) {
  ReadOptions options;
  options.header = Header::yes;
  options.separator = ',';
  if (reader.target) options.target = reader.target;
  options.cost_columns = reader.cost_columns;
  options.against_rest = reader.against_rest.value_or("");
  options.weights = reader.weights;
  options.drop = reader.left_out;
  options.missing = reader.missing;
  options.missing.emplace_back();
  options.drop_unlabeled = reader.target.has_value();
  for (const std::string& name : reader.categories) options.kinds[name] = ColumnKind::categorical;
  Dataset data = read_dataset(path, options);
  // Names that are numbers were taken for places.
  if (data.reading.left_out != reader.left_out) proof::refuse(path, "has other columns than those left out");
  if (!reader.cost_matrix.empty()) take_matrix(reader.cost_matrix, data);
  if (!reader.class_weights) return data;
  for (const std::string& name : data.class_names) {
    double factor = 1;
    for (const auto& [of, weight] : *reader.class_weights) factor = of == name ? weight.value() : factor;
    data.reading.class_weights.push_back(factor);
  }
  if (data.weights.empty()) data.weights.assign(data.rows(), 1.0);
  for (std::size_t row = 0; row < data.rows(); ++row)
    data.weights[row] *= data.reading.class_weights[static_cast<std::size_t>(data.labels[row])];
  return data;
}

std::string judge(const std::string& data, const std::string& path) {
  try {
    const proof::Proof proof = proof::from_bytes(read_file(path), "proof");
    return fmt::format("accepted {:.17g}", proof::verify(proof, read_as(proof.reader, data), "proof").bound);
  } catch (const Error& error) {
    return fmt::format("refused {}: {}", error.where(), error.problem());
  }
}

}  // namespace
}  // namespace treewright

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) return 2;
    std::string said = treewright::judge(line.substr(0, tab), line.substr(tab + 1));
    for (char& c : said) c = c == '\n' ? ' ' : c;
    std::puts(said.c_str());
  }
}
