// The sentence of a verified proof. All that it says was compared with the proof or stands in the table.

#include "treewright/proof/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "treewright/proof/top.h"

namespace treewright::proof {

namespace {

constexpr std::size_t kDecimals = 12;

// Digits and a point, and whether the magnitude is rounded up.
std::string rounded(double magnitude, bool up) {
  constexpr int kAllDecimals = 1074;  // of any double
  std::string text = fmt::format("{:.{}f}", magnitude, kAllDecimals);
  const std::size_t end = text.find('.') + 1 + kDecimals;
  up = up && text.find_first_not_of('0', end) != std::string::npos;
  text.resize(end);
  for (std::size_t i = end; up; --i) {
    if (i == 0) {
      text.insert(0, 1, '1');
      break;
    }
    if (text[i - 1] == '.') continue;
    up = text[i - 1] == '9';
    text[i - 1] = up ? '0' : static_cast<char>(text[i - 1] + 1);
  }
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string with_sign(double number, bool up) {
  const std::string text = rounded(std::abs(number), up == (number > 0));
  return number < 0 && text != "0" ? "-" + text : text;
}

// Names that are spelled already.
std::string listed(const std::vector<std::string>& names) {
  return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

std::string limits(const Proof& proof) {
  std::vector<std::string> words;
  if (proof.max_splits) words.push_back(fmt::format("at most {} splits", *proof.max_splits));
  if (proof.min_rows > 1) words.push_back(fmt::format("at least {} rows in each leaf", proof.min_rows));
  return words.empty() ? "" : fmt::format(" with {}", fmt::join(words, " and "));
}

// What labels cost by class, in the order of the labels.
std::string matrix(const Dataset& data, const Labels& labels) {
  std::vector<std::string> lines(labels.names.size());
  for (std::size_t y = 0; y < labels.place.size(); ++y) {
    std::vector<std::string> costs(labels.names.size());
    for (std::size_t a = 0; a < labels.place.size(); ++a)
      costs[static_cast<std::size_t>(labels.place[a])] = spelled(data.costs[y * data.classes() + a]);
    const auto place = static_cast<std::size_t>(labels.place[y]);
    lines[place] = fmt::format("\"{}\" {}", labels.names[place], fmt::join(costs, " "));
  }
  return fmt::format("; costs of the labels {} by class: {}", listed(labels.names), fmt::join(lines, ", "));
}

}  // namespace

std::string rounded_down(double number) {
  return with_sign(number, false);
}

std::string rounded_up(double number) {
  return with_sign(number, true);
}

std::string sentence(const Proof& proof, const Dataset& data, const Table& table, double bound, double price) {
  // Targets may be tiny, so numbers have all their digits; a bound on their loss has room for these (row_sums.cpp).
  const bool of_numbers = proof.of_numbers();
  const auto down = of_numbers ? +[](double number) { return spelled(number); } : rounded_down;
  const auto up = of_numbers ? +[](double number) { return spelled(number); } : rounded_up;
  const char* const loss = proof.target ? "squared error" : proof.exposure ? "half the deviance" : data.has_costs() ? "costs" : "errors";
  const std::string of =
      data.row_costs.empty() ? fmt::format("\"{}\"", spelled(data.target_name)) : fmt::format("the labels {}", listed(table.labels.names));
  const std::string weights = data.weights.empty() ? "" : fmt::format(" weighted by \"{}\"", spelled(weights_in_words(data)));
  const std::string begins = proof.top.empty() ? "" : fmt::format(" that begins with {}", top_in_words(proof, data, table));
  std::string said = fmt::format("no tree of axis and category splits of depth at most {}{}{} for {} on these {} rows has {}{}{} below {}",
                                 proof.depth, begins, limits(proof), of, table.rows, loss, weights,
                                 proof.price > 0 ? fmt::format(" + {} * splits", up(price)) : "", down(bound));
  if (!data.costs.empty()) said += matrix(data, table.labels);
  std::vector<std::string> wide;
  for (const TableColumn& column : table.columns) {
    if (column.is_wide()) wide.push_back(column.name);
  }
  if (!wide.empty())
    said += fmt::format("; categories of more than {} levels ({}) are split by single levels that are not rare and by {}", kMaxSubsetLevels,
                        listed(wide),
                        proof.target     ? "their mean targets"
                        : proof.exposure ? "their rates"
                                         : "shares of labels");
  return said;
}

}  // namespace treewright::proof
