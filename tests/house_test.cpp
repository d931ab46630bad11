// Who may know whom: a method's name stands in its folder, in the registry and in what people read, and in no layer that methods are made of.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>

#include "support/source_folder.h"
#include "treewright/fit/registry.h"

namespace treewright {
namespace {

// Lower case, with '-' for '_'.
std::string normal(std::string text) {
  for (char& c : text) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_word_character(const std::string& text, std::size_t at) {
  return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}

// Whether the line has the name as a literal; or, where it is no English word or technique, as a word.
bool mentions(const std::string& line, const std::string& name) {
  static const std::set<std::string> words = {"auto", "cart", "cart-h", "fair", "local", "oct", "partition", "tao"};
  if (line.find("\"" + name + "\"") != std::string::npos) return true;
  if (words.contains(name)) return false;
  for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1)) {
    if ((at == 0 || !is_word_character(line, at - 1)) && !is_word_character(line, at + name.size())) return true;
  }
  return false;
}

TEST(House, InnerLayersKnowNoMethod) {
  // The default method, and values of other options.
  const std::set<std::string> defaults = {"oct", "auto"};
  int files = 0;
  for (const char* layer : {"base", "data", "tree", "mip", "svm", "search", "grow", "export", "report"}) {
    const std::filesystem::path folder = testing::in_source("src/treewright/") + layer;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      ++files;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        const std::string text = normal(line);
        for (const Method& method : methods()) {
          const std::string name(method.name);
          if (entry.path().filename() == "options.def" && defaults.contains(name)) continue;
          EXPECT_FALSE(mentions(text, name)) << entry.path() << ":" << number << " names method " << name << ": " << line;
        }
      }
    }
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace treewright
