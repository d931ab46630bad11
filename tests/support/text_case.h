#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace treewright::testing {

/// One case of a text file: what to train on, how, and what must come out. The format is told in
/// cases_test.cpp.
struct TextCase {
  using Lines = std::vector<std::pair<std::string, std::string>>;  ///< key, value

  std::string file;
  int line = 0;  ///< where the case, or its row of the table, stands
  Lines lines;

  /// The value of the last line with that key; "" when there is none.
  std::string value(const std::string& key) const {
    std::string found;
    for (const auto& [k, v] : lines) {
      if (k == key) found = v;
    }
    return found;
  }
};

inline void PrintTo(const TextCase& c, std::ostream* out) {
  *out << c.file << ":" << c.line;
}

inline std::vector<std::string> words_of(const std::string& text, char separator = ' ') {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// Splits the text of a file into cases. `known_key` says which keys exist. Throws std::runtime_error naming
/// file and line.
template <class KnownKey>
std::vector<TextCase> parse_cases(const std::string& text, const std::string& file, const KnownKey& known_key) {
  std::vector<TextCase> cases;
  TextCase block{file, 0, {}};
  std::vector<std::string> header;  // keys of the table, once its line was read
  bool has_rows = false;
  int number = 0;
  const auto fail = [&](const std::string& problem) { throw std::runtime_error(file + ":" + std::to_string(number) + ": " + problem); };
  const auto check_key = [&](const std::string& key) {
    if (!known_key(key)) fail("there is no key '" + key + "'");
  };
  const auto finish = [&] {
    if (!block.lines.empty() && header.empty()) cases.push_back(block);
    if (!header.empty() && !has_rows) fail("the table has no rows");
    block.lines.clear();
    header.clear();
    has_rows = false;
  };
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty() && line.front() == '#') continue;
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) {
      finish();
    } else if (!header.empty()) {
      if (words.size() != header.size()) fail("the table has " + std::to_string(header.size()) + " columns");
      TextCase row = block;
      row.line = number;
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != "-") row.lines.emplace_back(header[i], words[i]);
      }
      cases.push_back(row);
      has_rows = true;
    } else if (words[0] == "table") {
      header.assign(words.begin() + 1, words.end());
      if (header.empty()) fail("the table has no columns");
      for (const std::string& key : header) check_key(key);
    } else {
      check_key(words[0]);
      if (words.size() < 2) fail("'" + words[0] + "' has no value");
      if (block.lines.empty()) block.line = number;
      block.lines.emplace_back(words[0], line.substr(line.find(words[0]) + words[0].size() + 1));
    }
  }
  finish();
  return cases;
}

}  // namespace treewright::testing
