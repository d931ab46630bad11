// Trains the optimal tree of depth 2 and prints it: train_tree DATA.csv

#include <treewright/data.h>
#include <treewright/error.h>
#include <treewright/explain.h>
#include <treewright/fit.h>

#include <iostream>

int main(int argc, char** argv) try {
  const treewright::Dataset data = treewright::read_dataset(argc > 1 ? argv[1] : "iris.csv");
  treewright::Options options;
  options.max_depth = 2;
  const treewright::Result result = treewright::fit(data, options);
  std::cout << treewright::to_text(result.tree) << result.errors << " errors, " << treewright::to_string(result.status) << "\n";
} catch (const treewright::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
