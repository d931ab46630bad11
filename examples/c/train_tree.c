/* Trains the optimal tree of depth 2 on six rows with one column, and prints it as SQL. */

#include <stdio.h>
#include <treewright/treewright.h>

int main(void) {
  const double values[] = {1, 2, 3, 4, 5, 6};
  const int32_t labels[] = {0, 0, 0, 1, 1, 0};
  const char *const columns[] = {"x"}, *const classes[] = {"low", "high"};
  tw_dataset *data = NULL;
  tw_options *options = NULL;
  tw_result *result = NULL;
  char *sql = NULL;
  int64_t length = 0;
  tw_summary summary = TW_INIT(tw_summary);
  const int failed = tw_dataset_create(6, &data) || tw_dataset_add_matrix(data, values, TW_FLOAT64, 1, 1, 1, columns) ||
                     tw_dataset_set_labels(data, labels, 2, classes) || tw_options_create(&options) ||
                     tw_options_set(options, "max_depth", "2") || tw_fit(data, options, NULL, NULL, NULL, &result) ||
                     tw_result_summary(result, &summary) || tw_result_write(result, "sql", NULL, data, &sql, &length);
  if (failed) printf("%s\n", tw_error_message());
  else printf("%sstatus %s, %g errors\n", sql, summary.status, summary.errors);
  tw_text_free(sql);
  tw_result_free(result);
  tw_options_free(options);
  tw_dataset_free(data);
  return failed;
}
