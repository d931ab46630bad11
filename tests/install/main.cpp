#include <treewright/explain/text.h>
#include <treewright/fit/fit.h>

#include <cstdio>

int main() {
  treewright::Dataset data;
  data.columns.resize(1);
  data.columns[0].name = "x";
  data.columns[0].values = {1, 2, 3, 4, 5, 6};
  data.class_names = {"low", "high"};
  data.labels = {0, 0, 0, 1, 1, 0};

  treewright::Options options;
  options.max_depth = 2;
  const treewright::Result result = treewright::fit(data, options);
  std::printf("%sstatus %s, %g errors\n", treewright::to_text(result.tree).c_str(), treewright::to_string(result.status), result.errors);
  return result.status == treewright::Status::optimal && result.errors == 0 ? 0 : 1;
}
