// The name that a misspelled word may mean: the same in capitals or small letters, or with two letters swapped; the one with the fewest
// letters to change; or one that the word is an end or a beginning of (depth for max_depth).

#include "treewright/base/did_you_mean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string_view>

namespace treewright {

namespace {

// Edit distance of Levenshtein with one row of the table.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// The same but for capitals, or for two letters that stand side by side.
bool is_slip(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  const auto alike = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  const auto first = std::mismatch(a.begin(), a.end(), b.begin(), alike);
  if (first.first == a.end()) return true;
  const auto at = first.first - a.begin();
  return at + 1 < std::ssize(a) && a[at] == b[at + 1] && a[at + 1] == b[at] && std::equal(a.begin() + at + 2, a.end(), b.begin() + at + 2);
}

std::string_view without_dashes(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  return name;
}

// Whether `part` is some of the words of `name`, from its beginning or to its end.
bool is_part_of(std::string_view part, std::string_view name) {
  constexpr std::size_t kShortest = 3;
  if (part.size() < kShortest || part.size() >= name.size()) return false;
  const auto parts_words = [](char c) { return c == '_' || c == '-'; };
  return (name.ends_with(part) && parts_words(name[name.size() - part.size() - 1])) ||
         (name.starts_with(part) && parts_words(name[part.size()]));
}

// Whether `letters` are some of the name's in their order, from its first on: js for javascript.
bool abbreviates(std::string_view letters, std::string_view name) {
  if (letters.size() < 2 || letters.front() != name.front()) return false;
  std::size_t next = 0;
  for (const char c : name) next += next < letters.size() && letters[next] == c;
  return next == letters.size();
}

}  // namespace

std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names) {
  // A long name is near when up to a third of it differs; very long texts are not worth the square of their length.
  constexpr std::size_t kLongest = 200;
  const auto slip = std::find_if(names.begin(), names.end(), [&](const std::string& name) { return is_slip(wanted, name); });
  if (slip != names.end()) return fmt::format(" (did you mean '{}'?)", *slip);
  std::size_t best = kLongest;
  const std::string* nearest = nullptr;
  for (const std::string& name : names) {
    if (wanted.size() > kLongest || name.size() > kLongest) continue;
    const std::size_t distance = edit_distance(wanted, name);
    // What shares no letter is not near.
    const bool shares = distance < std::max(wanted.size(), name.size());
    if (shares && distance < best && distance <= std::max<std::size_t>(1, std::max(wanted.size(), name.size()) / 3)) {
      best = distance;
      nearest = &name;
    }
  }
  const auto part = std::find_if(names.begin(), names.end(),
                                 [&](const std::string& name) { return is_part_of(without_dashes(wanted), without_dashes(name)); });
  if (nearest == nullptr && part != names.end()) nearest = &*part;
  const auto is_short_for = [&](const std::string& name) { return !name.empty() && abbreviates(wanted, name); };
  if (nearest == nullptr && std::count_if(names.begin(), names.end(), is_short_for) == 1)
    nearest = &*std::find_if(names.begin(), names.end(), is_short_for);
  return nearest == nullptr ? "" : fmt::format(" (did you mean '{}'?)", *nearest);
}

}  // namespace treewright
