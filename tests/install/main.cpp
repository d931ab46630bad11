// The installed headers alone: read, train, tune, predict, explain, export, report.

#include <treewright/data.h>
#include <treewright/error.h>
#include <treewright/explain.h>
#include <treewright/export.h>
#include <treewright/fit.h>
#include <treewright/report.h>
#include <treewright/treewright.h>
#include <treewright/tune.h>

#include <cstdio>

using namespace treewright;

namespace {

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("does not hold: %s\n", what);
  ++failures;
}

void train_and_show() {
  const Dataset data = parse_csv("x,y\n1,low\n2,low\n3,low\n4,high\n5,high\n6,low\n", "rows");
  Options options;
  options.max_depth = 2;
  const Result result = fit(data, options);
  std::printf("%sstatus %s, %g errors\n", to_text(result.tree).c_str(), to_string(result.status), result.errors);
  check(result.status == Status::optimal && result.errors == 0, "a tree without errors, proved");
  check(check_claims(result, data).empty(), "the recount agrees");
  check(result.tree.predict(data) == data.labels, "predictions");
  check(from_json(to_json(result), "text").tree == result.tree, "the tree file");
  check(explain_row(result.tree, data, 3).find("high") != std::string::npos, "the explanation of a row");
  check(!export_tree(result, "c", &data).empty() && export_table().size() > 5, "exports");
  ReportParts parts;
  parts.result = &result;
  check(to_html(parts).find("<svg") != std::string::npos, "the report");
  const ComplexityPath path = complexity_path(data, options);
  check(path.points.size() >= 2 && path.points.back().errors == 0, "the complexity path");
}

void mistakes() {
  Options options;
  try {
    set_option(options, "max_depth", "-2");
    check(false, "a negative depth is refused");
  } catch (const Error& error) {
    check(error.kind() == ErrorKind::usage && !error.fix().empty(), "the error tells its kind and the fix");
  }
}

}  // namespace

int main() {
  train_and_show();
  mistakes();
  check(tw_abi_version() == TW_ABI_VERSION && TW_INIT(tw_summary).struct_size == sizeof(tw_summary), "the C interface from C++");
  return failures == 0 ? 0 : 1;
}
