// Trains a tree, keeps it in a file, reads it back and predicts new rows: predict_rows DATA.csv TREE.json

#include <treewright/data.h>
#include <treewright/error.h>
#include <treewright/fit.h>
#include <treewright/result.h>

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) try {
  const std::string data_file = argc > 1 ? argv[1] : "iris.csv", tree_file = argc > 2 ? argv[2] : "tree.json";
  treewright::Options options;
  options.max_depth = 2;
  std::ofstream(tree_file) << treewright::to_json(treewright::fit(treewright::read_dataset(data_file), options));

  std::ostringstream text;
  text << std::ifstream(tree_file).rdbuf();
  const treewright::Result kept = treewright::from_json(text.str(), tree_file);

  treewright::ReadOptions unlabeled;
  unlabeled.target = std::nullopt;
  const treewright::Dataset rows = treewright::parse_csv("petal_width,petal_length\n0.2,1.4\n1.9,5.1\n", "new rows", unlabeled);
  // The tree finds columns by their places and levels by their codes, which are others in each file: align finds them by their names.
  const treewright::Dataset aligned = treewright::align(rows, kept.tree);
  for (const std::int32_t label : kept.tree.predict(aligned)) std::cout << kept.tree.class_names[label] << "\n";
} catch (const treewright::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
