// Reads lines "TABLE<tab>PROOF" and says of each proof whether it holds: "accepted SENTENCE" or "refused SENTENCE". Used by
// tests/python/test_forge.py. The library writes tables and never reads them: here they become rows, which the library writes again; where
// these are other bytes, the fingerprint is another one.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"

namespace treewright {
namespace {

using Tokens = std::vector<std::string>;

Tokens tokens_of(const std::string& line) {
  Tokens tokens;
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t quote = line[from] == '"' ? line.find('"', from + 1) : from, end = std::min(line.find(' ', quote), line.size());
    tokens.push_back(line.substr(from, end - from));
    from = end + 1;
  }
  return tokens;
}

std::string text_of(const std::string& token) {
  std::string text;
  for (std::size_t i = 1; i + 1 < token.size(); ++i) {
    if (token[i] != '\\') {
      text += token[i];
    } else {
      text += static_cast<char>(std::stoi(token.substr(i + 2, 2), nullptr, 16));
      i += 3;
    }
  }
  return text;
}

// Least numbers are numbers too, other than for std::stod.
double number_of(const std::string& token) {
  return std::strtod(token.c_str(), nullptr);
}

std::int32_t place_in(std::vector<std::string>& names, const std::string& name) {
  const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  if (place == names.size()) names.push_back(name);
  return static_cast<std::int32_t>(place);
}

class Reader {
 public:
  explicit Reader(const std::string& text) {
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      const Tokens line = tokens_of(text.substr(from, end - from));
      if (line.empty()) throw std::invalid_argument("an empty line");
      in_rows_ ? row(line) : head(line);
      from = end + 1;
    }
    data_.validate();
    if (!data_.row_costs.empty()) take_cheapest_labels(data_);
  }

  Dataset data_;

 private:
  void head(const Tokens& line) {
    const std::string& word = line[0];
    if (word == "labels") {
      for (std::size_t i = 1; i < line.size(); ++i) data_.class_names.push_back(text_of(line[i]));
    } else if (word == "costs") {
      for (std::size_t i = 1; i < line.size(); ++i) data_.costs.push_back(number_of(line[i]));
    } else if (word == "number" || word == "level") {
      Column& column = data_.columns.emplace_back();
      column.name = text_of(line.at(1));
      column.kind = word == "level" ? ColumnKind::categorical : ColumnKind::numeric;
    } else if (word == "weight") {
      data_.reading.weights = text_of(line.at(1));
      weighted_ = true;
    } else if (word == "class") {
      data_.target_name = text_of(line.at(1));
    } else if (word == "target" || word == "poisson" || word == "survival") {
      data_.target_name = text_of(line.at(1));
      data_.response.emplace().loss = word == "target" ? Loss::squared : word == "poisson" ? Loss::poisson : Loss::survival;
    } else if (word == "cost") {
      ++costs_;
    }
    in_rows_ = word == "rows";
  }

  void row(const Tokens& line) {
    std::size_t at = 0;
    for (Column& column : data_.columns) {
      const std::string& cell = line.at(at++);
      const bool missing = cell == "-";
      if (column.kind == ColumnKind::numeric) column.values.push_back(missing ? std::nan("") : number_of(cell));
      if (column.kind == ColumnKind::categorical) column.codes.push_back(missing ? -1 : place_in(column.levels, text_of(cell)));
    }
    if (weighted_) data_.weights.push_back(number_of(line.at(at++)));
    for (std::size_t a = 0; a < costs_; ++a) data_.row_costs.push_back(number_of(line.at(at++)));
    if (data_.response) predicted(*data_.response, line, at);
    if (costs_ == 0 && !data_.response) data_.labels.push_back(place_in(data_.class_names, text_of(line.at(at++))));
  }

  static void predicted(Response& response, const Tokens& line, std::size_t at) {
    if (response.loss != Loss::squared) response.exposure.push_back(number_of(line.at(at++)));
    if (response.loss == Loss::survival) response.times.push_back(0);  // a table has none
    response.values.push_back(number_of(line.at(at)));
  }

  bool in_rows_ = false, weighted_ = false;
  std::size_t costs_ = 0;
};

std::string judge(const std::string& table, const std::string& path) {
  try {
    const proof::Proof proof = proof::from_bytes(read_file(path), "proof");
    return "accepted " + proof::verify(proof, Reader(read_file(table)).data_, "proof").sentence;
  } catch (const Error& error) {
    return fmt::format("refused {}: {}", error.where(), error.problem());
  } catch (const std::logic_error& error) {  // of std::stoi and at()
    return fmt::format("refused table: {}", error.what());
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
