// Who may know whom: a method's name stands in its folder, in the registry and in what people read, and in no layer that methods are made
// of.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

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

// Files that name methods for people, and names that are values of other options as well. An empty name: all of them.
struct Exception {
  std::string file, name;
  int lines = 0;
};

TEST(House, InnerLayersKnowNoMethod) {
  const std::filesystem::path source = testing::in_source("src");
  // `select` knows which methods have a path of their own kind.
  const std::set<std::string> may_know = {"methods", "fit", "select"};
  std::vector<Exception> exceptions = {{"formulate/rules.def", ""},
                                       {"formulate/oct.cpp", "oct"},           // a model's name
                                       {"formulate/solve_model.cpp", "auto"},  // mip_start
                                       {"formulate/solve_model.cpp", "cart"},  // mip_start
                                       {"mip/solution.cpp", "auto"}};          // mip_start
  std::ifstream layers(source / "LAYERS");
  std::string line, layer;
  std::getline(layers, line);
  int looked_at = 0;
  for (std::istringstream names(line); names >> layer;) {
    if (may_know.contains(layer)) continue;
    ++looked_at;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / "treewright" / layer)) {
      const std::string file = std::filesystem::relative(entry.path(), source / "treewright").generic_string();
      std::ifstream in(entry.path());
      int number = 0;
      while (std::getline(in, line)) {
        ++number;
        const std::string text = normal(line);
        for (const Method& method : methods()) {
          const std::string name(method.name);
          if (!mentions(text, name)) continue;
          const auto exception = std::find_if(exceptions.begin(), exceptions.end(),
                                              [&](const Exception& e) { return e.file == file && (e.name.empty() || e.name == name); });
          EXPECT_NE(exception, exceptions.end()) << file << ":" << number << " names method " << name << ": " << line;
          if (exception != exceptions.end()) ++exception->lines;
        }
      }
    }
  }
  EXPECT_GT(looked_at, 10);
  for (const Exception& exception : exceptions)
    EXPECT_GT(exception.lines, 0) << exception.file << " names no method any more: " << exception.name;
}

}  // namespace
}  // namespace treewright
