/* The C interface from plain C99: a whole life from data to a saved tree, and what happens on mistakes. Run under valgrind as well. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treewright/treewright.h>

static int failures = 0;

#define CHECK(condition)                                                                            \
  do {                                                                                              \
    if (!(condition)) {                                                                             \
      printf("%s:%d: %s does not hold (%s)\n", __FILE__, __LINE__, #condition, tw_error_message()); \
      ++failures;                                                                                   \
    }                                                                                               \
  } while (0)

/* The exclusive or of two columns, with a category that decides the last two rows and a missing value. */
enum { ROWS = 10 };
static const double kMatrix[ROWS][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}, {1, 1}};
static const int32_t kColors[ROWS] = {0, 0, 0, 0, 0, 0, 0, -1, 1, 1};
static const int32_t kLabels[ROWS] = {0, 1, 1, 0, 0, 1, 1, 0, 1, 1};
static const char* const kNames[] = {"a", "b"};
static const char* const kLevels[] = {"red", "blue"};
static const char* const kClasses[] = {"no", "yes"};

static tw_dataset* make_data(int labeled) {
  tw_dataset* data = NULL;
  CHECK(tw_dataset_create(ROWS, &data) == TW_OK);
  CHECK(tw_dataset_add_matrix(data, kMatrix, TW_FLOAT64, 2, 2, 1, kNames) == TW_OK);
  CHECK(tw_dataset_add_categories(data, "colour", kColors, 2, kLevels) == TW_OK);
  if (labeled) CHECK(tw_dataset_set_labels(data, kLabels, 2, kClasses) == TW_OK);
  return data;
}

static void count_lines(const tw_progress* progress, void* context) {
  CHECK(progress->bound <= progress->incumbent + 1e-9);
  if (*(int*)context == 0) CHECK(strstr(progress->text, "incumbent") != NULL);
  ++*(int*)context;
}

static tw_result* train(const tw_dataset* data) {
  tw_options* options = NULL;
  tw_result* result = NULL;
  int lines = 0;
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_options_set(options, "max_depth", "3") == TW_OK);
  CHECK(tw_fit(data, options, count_lines, &lines, NULL, &result) == TW_OK);
  CHECK(lines > 0);
  tw_options_free(options);
  return result;
}

static void check_tree(tw_result* result, const tw_dataset* data) {
  tw_summary s = TW_INIT(tw_summary);
  tw_feature feature = TW_INIT(tw_feature);
  const char* text = NULL;
  int64_t i;
  CHECK(tw_result_summary(result, &s) == TW_OK);
  CHECK(strcmp(s.status, "optimal") == 0 && s.errors == 0 && s.gap == 0 && s.rows == ROWS && s.features == 3 && s.classes == 2);
  CHECK(tw_result_feature(result, 2, &feature) == TW_OK && feature.is_category && feature.has_missing && feature.levels == 2);
  CHECK(tw_result_level(result, 2, 1, &text) == TW_OK && strcmp(text, "blue") == 0);
  CHECK(tw_result_class(result, 1, &text) == TW_OK && strcmp(text, "yes") == 0);
  CHECK(tw_result_class(result, 2, &text) == TW_BAD_CALL);

  tw_nodes nodes = TW_INIT(tw_nodes);
  CHECK(tw_result_nodes(result, &nodes) == TW_OK); /* nothing asked for, nothing written */
  int64_t *left = malloc((size_t)s.nodes * sizeof *left), *rows = malloc((size_t)s.nodes * sizeof *rows);
  int32_t* kind = malloc((size_t)s.nodes * sizeof *kind);
  uint8_t* flags = malloc((size_t)s.category_flags + 1);
  nodes.children_left = left;
  nodes.n_node_samples = rows;
  nodes.kind = kind;
  nodes.left_set = flags;
  CHECK(tw_result_nodes(result, &nodes) == TW_OK);
  CHECK(rows[0] == ROWS);
  int64_t leaves = 0;
  for (i = 0; i < s.nodes; ++i) {
    CHECK((kind[i] == TW_LEAF) == (left[i] == -1));
    leaves += kind[i] == TW_LEAF;
  }
  CHECK(leaves == s.leaves && s.category_flags == 2);

  int32_t classes[ROWS];
  double shares[ROWS][2];
  int64_t reached[ROWS], begin[ROWS + 1];
  int64_t* visited = malloc((size_t)(ROWS * (s.depth + 1)) * sizeof *visited);
  CHECK(tw_predict(result, data, classes) == TW_OK);
  CHECK(tw_predict_proba(result, data, &shares[0][0]) == TW_OK);
  double shrunk[ROWS][2];
  double shrinkage = 0;
  CHECK(tw_result_shrinkage(result, &shrinkage) == TW_OK && shrinkage == 10);
  CHECK(tw_predict_shrunk_proba(result, data, 10, &shrunk[0][0]) == TW_OK);
  CHECK(memcmp(shrunk, shares, sizeof shares) == 0);
  CHECK(tw_result_set_shrinkage(result, -1) == TW_BAD_OPTION && tw_result_set_shrinkage(result, 0) == TW_OK);
  CHECK(tw_predict_proba(result, data, &shares[0][0]) == TW_OK);
  for (i = 0; i < ROWS; ++i) CHECK(shares[i][kLabels[i]] == 1.0);
  CHECK(tw_result_set_shrinkage(result, shrinkage) == TW_OK);
  CHECK(tw_predict_shrunk_proba(result, data, 1, &shrunk[0][0]) == TW_OK);
  for (i = 0; i < ROWS; ++i) CHECK(shrunk[i][kLabels[i]] < 1.0 && fabs(shrunk[i][0] + shrunk[i][1] - 1.0) < 1e-12);
  CHECK(tw_predict_shrunk_proba(result, data, -1, &shrunk[0][0]) == TW_BAD_OPTION);
  CHECK(tw_apply(result, data, reached) == TW_OK);
  CHECK(tw_decision_path(result, data, begin, visited) == TW_OK);
  for (i = 0; i < ROWS; ++i) {
    CHECK(classes[i] == kLabels[i]);
    CHECK(shares[i][kLabels[i]] == 1.0);
    CHECK(visited[begin[i]] == 0 && visited[begin[i + 1] - 1] == reached[i]);
  }
  free(visited);
  free(flags);
  free(kind);
  free(rows);
  free(left);
}

static void check_texts(const tw_result* result, const tw_dataset* data) {
  char *json = NULL, *again = NULL, *text = NULL;
  tw_result* copy = NULL;
  CHECK(tw_result_write(result, "json", NULL, NULL, &json, NULL) == TW_OK);
  CHECK(tw_result_read(json, strlen(json), &copy) == TW_OK);
  CHECK(tw_result_write(copy, "json", NULL, NULL, &again, NULL) == TW_OK);
  CHECK(json != NULL && again != NULL && strcmp(json, again) == 0);
  tw_text_free(again);
  CHECK(tw_result_write(copy, "rules", NULL, NULL, &text, NULL) == TW_OK && strstr(text, "colour in {") != NULL);
  tw_text_free(text);
  CHECK(tw_result_write(copy, "dot", NULL, NULL, &text, NULL) == TW_OK && strncmp(text, "digraph", 7) == 0);
  tw_text_free(text);
  CHECK(tw_result_write(copy, "xml", NULL, NULL, &text, NULL) == TW_BAD_OPTION);
  for (int32_t f = 0; f < tw_format_count(); ++f) {
    tw_format_info format = TW_INIT(tw_format_info);
    int64_t length = 0;
    CHECK(tw_format_at(f, &format) == TW_OK && strlen(format.name) > 0 && strlen(format.extension) > 0 && strlen(format.description) > 0);
    CHECK(tw_result_write(copy, format.name, NULL, data, &text, &length) == TW_OK && length > 0);
    tw_text_free(text);
  }
  tw_report parts = TW_INIT(tw_report);
  CHECK(tw_result_report(copy, &parts, &text) == TW_OK && strncmp(text, "<!doctype html>", 15) == 0);
  tw_text_free(text);
  parts.train = parts.test = data;
  parts.beside = result;
  parts.with_rows = parts.notebook = 1;
  parts.title = "notebook";
  CHECK(tw_result_report(copy, &parts, &text) == TW_OK && strncmp(text, "<iframe ", 8) == 0);
  tw_text_free(text);
  CHECK(tw_result_check(copy, data, &text) == TW_OK && strcmp(text, "") == 0);
  tw_text_free(text);
  tw_result* damaged = NULL;
  CHECK(tw_result_read(json, strlen(json) / 2, &damaged) == TW_BAD_DATA && damaged == NULL);
  tw_result_free(copy);
  tw_text_free(json);
}

static void check_path(const tw_dataset* data) {
  tw_options* options = NULL;
  tw_path* path = NULL;
  tw_path_point point = TW_INIT(tw_path_point), last = point;
  tw_result* result = NULL;
  tw_summary s = TW_INIT(tw_summary);
  const char* status = NULL;
  int64_t points = 0, i;
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_complexity_path(data, options, NULL, NULL, NULL, &path) == TW_OK);
  CHECK(tw_path_size(path, &points) == TW_OK && points >= 2);
  CHECK(tw_path_status(path, &status) == TW_OK && strcmp(status, "optimal") == 0);
  for (i = 0; i < points; ++i) {
    CHECK(tw_path_at(path, i, &point) == TW_OK);
    CHECK(tw_path_result(path, i, &result) == TW_OK && tw_result_summary(result, &s) == TW_OK);
    CHECK(s.splits == point.splits && s.errors == point.errors);
    CHECK(i == 0 ? isinf(point.alpha_high) && point.splits == 0 : point.alpha_high == last.alpha_low);
    CHECK(i + 1 < points || (point.alpha_low == 0 && point.errors == 0));
    last = point;
    tw_result_free(result);
  }
  CHECK(tw_path_at(path, points, &point) == TW_BAD_CALL);
  tw_path_free(path);
  tw_options_free(options);
}

/* Two settings on one fold: each path ends without an error on the rows it may learn by heart. */
static void check_fold(const tw_dataset* data) {
  static const char* const depths[] = {"2", "1"};
  tw_options* settings[2];
  tw_path* paths[2] = {NULL, NULL};
  tw_path_point point = TW_INIT(tw_path_point);
  int64_t points[2];
  char* line = NULL;
  int i;
  for (i = 0; i < 2; ++i) {
    CHECK(tw_options_create(&settings[i]) == TW_OK);
    CHECK(tw_options_set(settings[i], "max_depth", depths[i]) == TW_OK);
  }
  CHECK(tw_fold_paths(data, (const tw_options* const*)settings, 0, INFINITY, NULL, NULL, NULL, paths) == TW_BAD_CALL && paths[0] == NULL);
  CHECK(tw_fold_paths(data, (const tw_options* const*)settings, 2, INFINITY, NULL, NULL, NULL, paths) == TW_OK);
  for (i = 0; i < 2; ++i) {
    CHECK(tw_path_size(paths[i], &points[i]) == TW_OK && tw_path_at(paths[i], points[i] - 1, &point) == TW_OK);
    CHECK(point.splits <= (i == 0 ? 3 : 1) && point.alpha_low == 0);
  }
  CHECK(points[0] > points[1]);
  CHECK(tw_tune_table_line(paths[0], 0, "max_depth=2", 4, 0.75, &line) == TW_OK);
  CHECK(strstr(tw_tune_table_head(), "score") != NULL && strstr(line, "0.7500") != NULL && strstr(line, "max_depth=2\n") != NULL);
  tw_text_free(line);
  for (i = 0; i < 2; ++i) {
    tw_path_free(paths[i]);
    tw_options_free(settings[i]);
  }
}

static void check_options(void) {
  tw_options* options = NULL;
  tw_option_info info = TW_INIT(tw_option_info);
  tw_method_info method = TW_INIT(tw_method_info);
  char* value = NULL;
  int64_t depth = 0;
  int32_t i;
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_option_count() > 5 && tw_method_count() >= 2);
  for (i = 0; i < tw_option_count(); ++i) {
    CHECK(tw_option_at(i, &info) == TW_OK && strlen(info.help) > 0);
    CHECK(tw_options_get(options, info.name, &value) == TW_OK && strcmp(value, info.default_value) == 0);
    tw_text_free(value);
  }
  CHECK(tw_option_at(i, &info) == TW_BAD_CALL);
  CHECK(tw_method_at(0, &method) == TW_OK && method.exact == 1 && method.has_path == 1 && strcmp(method.family, "axis") == 0);
  CHECK(strstr(method.options, "max_depth,") != NULL);
  CHECK(tw_options_set(options, "slack_price", "7") == TW_OK);
  CHECK(tw_options_get(options, "slack_price", &value) == TW_OK && strcmp(value, "7") == 0);
  tw_text_free(value);
  CHECK(tw_options_set(options, "max_depth", "4") == TW_OK);
  CHECK(tw_options_get(options, "max_depth", &value) == TW_OK && strcmp(value, "4") == 0);
  tw_text_free(value);
  CHECK(tw_options_depth(options, 40, &depth) == TW_OK && depth == 4);
  CHECK(tw_options_set(options, "max_depth", "-1") == TW_OK && tw_options_depth(options, 40, &depth) == TW_OK && depth == 7);
  CHECK(tw_options_depth(options, 2, &depth) == TW_OK && depth == 3 && tw_options_depth(options, 2, NULL) == TW_BAD_CALL);
  CHECK(tw_options_set(options, "max_dept", "4") == TW_BAD_OPTION && strstr(tw_error_where(), "max_dept") != NULL);
  CHECK(tw_options_set(options, "max_depth", "-2") == TW_BAD_OPTION && strlen(tw_error_fix()) > 0 && strlen(tw_error_what()) > 0);
  CHECK(tw_options_set(options, NULL, "4") == TW_BAD_CALL);
  CHECK(tw_options_set(NULL, "max_depth", "4") == TW_BAD_CALL);
  tw_options_free(options);
}

/* Codes of levels and labels that there are not, and no rows at all. */
static void check_bad_codes(const tw_result* result) {
  const int32_t far_colors[ROWS] = {0, 0, 0, 1234567, 0, 0, 0, -1, 1, 1}, far_labels[ROWS] = {0, 1, 1, 1234567, 0, 1, 1, 0, 1, 1};
  double *values = malloc(ROWS * 3 * 2 * sizeof(double)), average[2];
  for (int bad_labels = 0; bad_labels < 2; ++bad_labels) {
    tw_dataset* bad = NULL;
    tw_dataset* good = make_data(1);
    char* text = NULL;
    CHECK(tw_dataset_create(ROWS, &bad) == TW_OK);
    CHECK(tw_dataset_add_matrix(bad, kMatrix, TW_FLOAT64, 2, 2, 1, kNames) == TW_OK);
    CHECK(tw_dataset_add_categories(bad, "colour", bad_labels ? kColors : far_colors, 2, kLevels) == TW_OK);
    CHECK(tw_dataset_set_labels(bad, bad_labels ? far_labels : kLabels, 2, kClasses) == TW_OK);
    CHECK(tw_result_explain(result, bad, 3, NULL, &text) == TW_BAD_DATA && text == NULL);
    CHECK(tw_result_explain(result, good, 3, bad, &text) == TW_BAD_DATA && text == NULL);
    CHECK(tw_result_counterfactual(result, bad, 3, NULL, &text) == TW_BAD_DATA && text == NULL);
    CHECK(tw_result_counterfactual(result, good, 3, bad, &text) == TW_BAD_DATA && text == NULL);
    CHECK(tw_shapley_values(result, bad, values, average) == TW_BAD_DATA);
    CHECK(tw_result_check(result, bad, &text) == TW_BAD_DATA && text == NULL);
    CHECK(strstr(tw_error_message(), "row 3") != NULL);
    tw_dataset_free(bad);
    tw_dataset_free(good);
  }
  tw_dataset* none = NULL;
  CHECK(tw_dataset_create(0, &none) == TW_OK && tw_dataset_add_matrix(none, NULL, TW_FLOAT64, 2, 2, 1, kNames) == TW_OK);
  CHECK(tw_dataset_add_categories(none, "colour", NULL, 2, kLevels) == TW_OK);
  CHECK(tw_shapley_values(result, none, values, average) == TW_BAD_DATA && strstr(tw_error_message(), "no rows") != NULL);
  tw_dataset_free(none);
  free(values);
}

static void check_mistakes(const tw_result* result) {
  tw_dataset* data = NULL;
  tw_options* options = NULL;
  tw_result* none = NULL;
  tw_stop* stop = NULL;
  int32_t classes[ROWS];
  const double infinite[2] = {INFINITY, 0};
  const int32_t far[2] = {0, 7};
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_dataset_create(-1, &data) == TW_BAD_CALL && data == NULL);
  CHECK(tw_dataset_create(2, &data) == TW_OK);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &none) == TW_BAD_DATA && none == NULL); /* no columns */
  CHECK(tw_dataset_add_matrix(data, infinite, TW_FLOAT64, 1, 1, 1, NULL) == TW_OK);
  CHECK(tw_dataset_add_matrix(data, NULL, TW_FLOAT64, 1, 1, 1, NULL) == TW_BAD_CALL);
  CHECK(tw_dataset_set_labels(data, far, 2, kClasses) == TW_OK);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &none) == TW_BAD_DATA && strstr(tw_error_message(), "infinite") != NULL);
  CHECK(tw_predict(result, data, classes) == TW_BAD_DATA);
  CHECK(tw_fit(NULL, options, NULL, NULL, NULL, &none) == TW_BAD_CALL && none == NULL);
  tw_dataset_free(data);

  check_bad_codes(result);

  /* A stop that was asked for beforehand: a tree comes back all the same. */
  data = make_data(1);
  CHECK(tw_stop_create(&stop) == TW_OK);
  tw_stop_request(stop);
  CHECK(tw_fit(data, options, NULL, NULL, stop, &none) == TW_OK);
  tw_summary s = TW_INIT(tw_summary);
  CHECK(tw_result_summary(none, &s) == TW_OK && s.nodes >= 1);
  CHECK(strcmp(s.status, "interrupted") == 0 || strcmp(s.status, "optimal") == 0);
  tw_result_free(none);
  tw_stop_free(stop);
  tw_dataset_free(data);
  tw_options_free(options);
  tw_dataset_free(NULL);
  tw_result_free(NULL);
}

/* Float32 in column-major order is the same data. */
static void check_layouts(const tw_result* result) {
  float columns[2][ROWS];
  int32_t classes[ROWS];
  int64_t i;
  tw_dataset* data = NULL;
  for (i = 0; i < ROWS; ++i) columns[0][i] = (float)kMatrix[i][0], columns[1][i] = (float)kMatrix[i][1];
  CHECK(tw_dataset_create(ROWS, &data) == TW_OK);
  /* In another order than the tree's, with another order of levels: both are found by name. */
  const char* const swapped[] = {"blue", "red"};
  int32_t codes[ROWS];
  for (i = 0; i < ROWS; ++i) codes[i] = kColors[i] < 0 ? -1 : 1 - kColors[i];
  CHECK(tw_dataset_add_categories(data, "colour", codes, 2, swapped) == TW_OK);
  CHECK(tw_dataset_add_matrix(data, columns, TW_FLOAT32, 2, 1, ROWS, kNames) == TW_OK);
  CHECK(tw_predict(result, data, classes) == TW_OK);
  for (i = 0; i < ROWS; ++i) CHECK(classes[i] == kLabels[i]);
  char* notes = NULL;
  CHECK(tw_row_notes(result, data, &notes) == TW_OK && strcmp(notes, "[]") == 0);
  tw_text_free(notes);
  CHECK(tw_row_notes(result, data, NULL) == TW_BAD_CALL);
  tw_dataset_free(data);
}

/* Programs compiled with the header of an earlier or a later version. */
static void check_struct_sizes(const tw_result* result) {
  struct {
    tw_summary known;
    int64_t more[2];
  } later;
  struct {
    tw_report known;
    int64_t more;
  } report;
  tw_summary s = TW_INIT(tw_summary);
  char* html = NULL;
  /* Earlier: the first members and nothing else. */
  memset(&s, 7, sizeof s);
  s.struct_size = offsetof(tw_summary, rows);
  CHECK(tw_result_summary(result, &s) == TW_OK && s.errors == 0 && s.error_scale > 0);
  CHECK(s.rows == 0x0707070707070707 && s.struct_size == offsetof(tw_summary, rows));
  /* Later: what the library does not know is 0. */
  memset(&later, 7, sizeof later);
  later.known.struct_size = sizeof later;
  CHECK(tw_result_summary(result, &later.known) == TW_OK && later.known.rows == ROWS && later.more[0] == 0 && later.more[1] == 0);
  CHECK(later.known.struct_size == sizeof later);
  /* An input that asks for what the library does not know. */
  memset(&report, 0, sizeof report);
  report.known.struct_size = sizeof report;
  CHECK(tw_result_report(result, &report.known, &html) == TW_OK);
  tw_text_free(html);
  html = NULL;
  report.more = 1;
  CHECK(tw_result_report(result, &report.known, &html) == TW_BAD_CALL && html == NULL &&
        strstr(tw_error_message(), "does not know") != NULL);
  /* TW_INIT was forgotten. */
  s.struct_size = 0;
  CHECK(tw_result_summary(result, &s) == TW_BAD_CALL && strstr(tw_error_fix(), "TW_INIT") != NULL);
  s.struct_size = (size_t)-1;
  CHECK(tw_result_summary(result, &s) == TW_BAD_CALL);
}

/* The choice on the trees of two folds, in arrays of structs of other sizes than ours. */
static void check_choice(void) {
  struct {
    tw_scored_tree known;
    int64_t more;
  } trees[4];
  struct {
    tw_curve_step known;
    int64_t more;
  } steps[4];
  tw_curve_step chosen = TW_INIT(tw_curve_step);
  int64_t count = -1;
  double alpha = -1;
  char* why = NULL;
  int i;
  memset(trees, 0, sizeof trees);
  memset(steps, 7, sizeof steps);
  for (i = 0; i < 4; ++i) {
    trees[i].known.fold = i / 2;
    trees[i].known.alpha_low = i % 2 == 0 ? 1 : 0;
    trees[i].known.alpha_high = i % 2 == 0 ? INFINITY : 1;
    trees[i].known.score = i % 2 == 0 ? 0.5 : 0.75;
  }
  trees[0].known.struct_size = sizeof trees[0];
  steps[0].known.struct_size = sizeof steps[0];
  CHECK(tw_choose(&trees[0].known, 4, "worst", &steps[0].known, &count, &chosen, &alpha, &why) == TW_BAD_OPTION);
  CHECK(tw_choose(&trees[0].known, 4, "best", &steps[0].known, &count, &chosen, &alpha, NULL) == TW_BAD_CALL);
  CHECK(tw_choose(&trees[0].known, 4, "best", &steps[0].known, NULL, &chosen, &alpha, &why) == TW_BAD_CALL);
  CHECK(count == -1 && alpha == -1 && why == NULL && chosen.score == 0 && steps[0].known.setting == 0x0707070707070707);
  CHECK(tw_choose(&trees[0].known, 4, "best", &steps[0].known, &count, &chosen, &alpha, &why) == TW_OK);
  CHECK(count == 2 && steps[0].known.score == 0.75 && steps[1].known.score == 0.5 && steps[1].known.alpha_low == 1 && steps[1].more == 0);
  CHECK(chosen.score == 0.75 && chosen.alpha_low == 0 && alpha > 0 && alpha < 1);
  tw_text_free(why);
}

/* A tree of numbers: paths of a fold, and the nearest change to a smaller number. */
static void check_numbers(void) {
  const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {10, 12, 11, 30, 32, 31};
  const char* const names[] = {"x"};
  tw_dataset* data = NULL;
  tw_options* options = NULL;
  tw_path* path = NULL;
  tw_result* result = NULL;
  char* text = NULL;
  int64_t points = 0;
  CHECK(tw_dataset_create(6, &data) == TW_OK && tw_dataset_add_matrix(data, x, TW_FLOAT64, 1, 1, 1, names) == TW_OK);
  CHECK(tw_dataset_set_numbers(data, TW_SQUARED, y, NULL) == TW_OK);
  CHECK(tw_options_create(&options) == TW_OK && tw_options_set(options, "max_depth", "1") == TW_OK);
  CHECK(tw_fold_paths(data, (const tw_options* const*)&options, 1, INFINITY, NULL, NULL, NULL, &path) == TW_OK);
  CHECK(tw_path_size(path, &points) == TW_OK && points == 2);
  CHECK(tw_path_result(path, 1, &result) == TW_OK);
  CHECK(tw_tune_table_line(path, 1, "", 0, 0.5, &text) == TW_OK && strstr(text, "0.99") != NULL);
  tw_text_free(text);
  CHECK(tw_result_change_to(result, data, 5, NULL, 20, -INFINITY, &text) == TW_OK && strstr(text, "\"value\":11") != NULL);
  tw_text_free(text);
  CHECK(tw_result_change_to(result, data, 5, NULL, 5, -INFINITY, &text) == TW_OK && strcmp(text, "null") == 0);
  tw_text_free(text);
  tw_result_free(result);
  tw_path_free(path);
  tw_options_free(options);
  tw_dataset_free(data);
}

/* What fails writes nothing. */
static void check_untouched_outputs(const tw_result* result, const tw_dataset* data) {
  int64_t length = -1, points = -1;
  const char* name = "unset";
  CHECK(tw_result_write(result, "json", NULL, data, NULL, &length) == TW_BAD_CALL && length == -1);
  CHECK(tw_path_size(NULL, &points) == TW_BAD_CALL && points == -1);
  CHECK(tw_result_level(result, 2, 9, &name) == TW_BAD_CALL && tw_result_class(result, -1, &name) == TW_BAD_CALL);
  CHECK(strcmp(name, "unset") == 0);
  CHECK(tw_dataset_create(2, NULL) == TW_BAD_CALL && tw_options_create(NULL) == TW_BAD_CALL && tw_stop_create(NULL) == TW_BAD_CALL);
}

static void count_tasks(const tw_search_task* task, tw_answer* answer, void* context) {
  CHECK(task->problem != NULL && task->problem_size > 0);
  CHECK(tw_answer_set(answer, "") == TW_OK);
  ++*(int*)context;
}

/* The search is so short that no task is worth sending: tests/search_remote_ledger_test.cpp sends some. */
static void check_elsewhere(const tw_result* result, const tw_dataset* data) {
  tw_options* options = NULL;
  tw_result* other = NULL;
  tw_solver* solver = NULL;
  tw_summary here = TW_INIT(tw_summary), there = TW_INIT(tw_summary);
  char* answer = NULL;
  int tasks = 0;
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_options_set(options, "max_depth", "3") == TW_OK);
  CHECK(tw_fit_elsewhere(data, options, count_tasks, &tasks, NULL, NULL, NULL, &other) == TW_OK);
  CHECK(tw_result_summary(result, &here) == TW_OK && tw_result_summary(other, &there) == TW_OK);
  CHECK(tasks == 0 && here.objective == there.objective && here.bound == there.bound);
  tw_result_free(other);
  other = NULL;
  CHECK(tw_fit_elsewhere(data, options, NULL, NULL, NULL, NULL, NULL, &other) == TW_BAD_CALL && other == NULL);
  CHECK(tw_options_set(options, "method", "cart") == TW_OK);
  CHECK(tw_fit_elsewhere(data, options, count_tasks, &tasks, NULL, NULL, NULL, &other) == TW_BAD_OPTION && other == NULL);
  tw_options_free(options);
  CHECK(tw_solver_create("problem", 7, &solver) == TW_BAD_FILE && solver == NULL);
  CHECK(tw_solver_create(NULL, 0, &solver) == TW_BAD_CALL && tw_solver_create("", 0, NULL) == TW_BAD_CALL);
  CHECK(tw_solver_solve(NULL, "", NULL, &answer) == TW_BAD_CALL && answer == NULL);
  CHECK(tw_answer_set(NULL, "") == TW_BAD_CALL);
  tw_solver_free(NULL);
}

static void check_read_dates(void) {
  static const char* const kTexts[] = {"2020-03-25", "2020/3/26", "2020-03-25 12:00", "25.03.2020", "unknown", "2020-02-30", ""};
  static const char* const kNamed[] = {"25 Mar 2020", "25.03.2020", "25/03/2020", "03-04-2020", "Mar 25, 2020"};
  static const char* const kZoned[] = {"2020-03-25T13:00+01:00", "2020-03-25 12:00", "2020-03-25 12:00Z"};
  double days[7];
  int32_t zoned = 1;
  CHECK(tw_read_dates(kTexts, 7, days, &zoned) == TW_OK && zoned == 0 && days[0] == 18346 && days[1] == 18347 && days[2] == 18346.5);
  CHECK(isnan(days[3]) && isnan(days[4]) && isnan(days[5]) && isnan(days[6]));
  CHECK(tw_read_dates(kNamed, 5, days, &zoned) == TW_OK && days[0] == 18346 && days[1] == 18346);
  CHECK(isnan(days[2]) && isnan(days[3]) && isnan(days[4]));
  CHECK(tw_read_dates(kTexts + 3, 1, days, &zoned) == TW_OK && days[0] == 18346);
  CHECK(tw_read_dates(kZoned, 3, days, &zoned) == TW_OK && zoned == 1 && days[0] == 18346.5 && isnan(days[1]) && days[2] == 18346.5);
  CHECK(tw_read_dates(NULL, 0, NULL, NULL) == TW_OK && tw_read_dates(NULL, 1, days, &zoned) == TW_BAD_CALL &&
        tw_read_dates(kTexts, 1, NULL, &zoned) == TW_BAD_CALL && tw_read_dates(kTexts, 1, days, NULL) == TW_BAD_CALL);
}

static void check_zones(void) {
  tw_dataset* data = NULL;
  tw_result* result = NULL;
  tw_options* options = NULL;
  tw_feature feature = TW_INIT(tw_feature);
  double days[ROWS];
  int32_t found[ROWS];
  int i;
  for (i = 0; i < ROWS; ++i) days[i] = 18320.0 + kLabels[i];
  CHECK(tw_dataset_create(ROWS, &data) == TW_OK && tw_dataset_add_matrix(data, days, TW_FLOAT64, 1, 1, 1, NULL) == TW_OK);
  CHECK(tw_dataset_set_labels(data, kLabels, 2, kClasses) == TW_OK && tw_dataset_mark(data, 0, TW_ZONED) == TW_OK);
  CHECK(tw_options_create(&options) == TW_OK && tw_fit(data, options, NULL, NULL, NULL, &result) == TW_OK);
  CHECK(tw_result_feature(result, 0, &feature) == TW_OK && feature.is_date && feature.is_zoned);
  CHECK(tw_predict(result, data, found) == TW_OK);
  CHECK(tw_dataset_mark(data, 0, TW_DATES) == TW_OK && tw_predict(result, data, found) == TW_BAD_DATA);
  CHECK(strstr(tw_error_message(), "times without a zone") != NULL);
  tw_dataset_free(data);
  CHECK(tw_dataset_create(ROWS, &data) == TW_OK && tw_predict(result, data, found) == TW_BAD_CALL);
  tw_result_free(result);
  tw_options_free(options);
  tw_dataset_free(data);
}

static void check_notes_and_dates(void) {
  check_read_dates();
  check_zones();
  tw_dataset* data = NULL;
  tw_result* result = NULL;
  tw_options* options = NULL;
  char* text = NULL;
  double days[ROWS];
  int i;
  for (i = 0; i < ROWS; ++i) days[i] = 18320.0 + kLabels[i];
  CHECK(tw_dataset_create(ROWS, &data) == TW_OK);
  CHECK(tw_dataset_add_matrix(data, days, TW_FLOAT64, 1, 1, 1, NULL) == TW_OK);
  CHECK(tw_dataset_add_matrix(data, kMatrix, TW_FLOAT64, 1, 2, 1, kNames + 1) == TW_OK);
  CHECK(tw_dataset_set_labels(data, kLabels, 2, kClasses) == TW_OK);
  CHECK(tw_dataset_mark(data, 0, TW_DATES) == TW_OK);
  CHECK(tw_dataset_mark(data, 0, TW_TEXTS) == TW_BAD_CALL);
  CHECK(tw_dataset_mark(data, 2, TW_DATES) == TW_BAD_CALL);
  CHECK(tw_dataset_notes(data, &text) == TW_OK && strcmp(text, "[]") == 0);
  tw_text_free(text);
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &result) == TW_OK);
  CHECK(tw_result_number_text(result, 0, 18320.5, &text) == TW_OK && strcmp(text, "2020-02-29") == 0);
  tw_text_free(text);
  CHECK(tw_result_number_text(result, 2, 0, &text) == TW_BAD_CALL);
  CHECK(tw_result_facts(result, data, &text) == TW_OK && strstr(text, "status    optimal") == text && strstr(text, "\nerrors    ") != NULL);
  tw_text_free(text);
  CHECK(tw_result_facts(result, NULL, &text) == TW_OK);
  tw_text_free(text);
  CHECK(tw_result_explain(result, data, 1, data, &text) == TW_OK && strstr(text, "nearest change of label") != NULL);
  tw_text_free(text);
  CHECK(tw_result_explain(result, data, ROWS, NULL, &text) == TW_BAD_CALL);
  CHECK(tw_result_counterfactual(result, data, 1, data, &text) == TW_OK && strstr(text, "\"changes\":[{") != NULL);
  tw_text_free(text);
  CHECK(tw_result_counterfactual(result, data, ROWS, NULL, &text) == TW_BAD_CALL);
  double values[ROWS * 2 * 2], average[2], probabilities[ROWS * 2];
  CHECK(tw_shapley_values(result, data, values, average) == TW_OK && tw_predict_proba(result, data, probabilities) == TW_OK);
  CHECK(fabs(average[0] + average[1] - 1) < 1e-12 && fabs(values[0] + values[2] + average[0] - probabilities[0]) < 1e-12);
  CHECK(tw_dataset_mark(data, 0, TW_LEFT_OUT) == TW_OK);
  tw_result_free(result);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &result) == TW_OK);
  tw_summary s = TW_INIT(tw_summary);
  CHECK(tw_result_summary(result, &s) == TW_OK && s.errors > 0);
  tw_result_free(result);
  tw_options_free(options);
  tw_dataset_free(data);
}

static void check_costs(void) {
  static const double kCosts[2][2] = {{0, 1}, {7, 0}};
  tw_dataset* data = make_data(0);
  tw_options* options = NULL;
  tw_result* result = NULL;
  tw_summary s = TW_INIT(tw_summary);
  char* broken = NULL;
  CHECK(tw_dataset_set_costs(data, &kCosts[0][0]) == TW_BAD_CALL);
  CHECK(tw_dataset_set_labels(data, kLabels, 2, kClasses) == TW_OK);
  CHECK(tw_dataset_set_costs(data, NULL) == TW_BAD_CALL);
  CHECK(tw_options_create(&options) == TW_OK && tw_options_set(options, "max_depth", "0") == TW_OK);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &result) == TW_OK && tw_result_summary(result, &s) == TW_OK);
  CHECK(isnan(s.cost) && s.errors == 4);
  tw_result_free(result);
  result = NULL;
  CHECK(tw_dataset_set_costs(data, &kCosts[0][0]) == TW_OK);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &result) == TW_OK && tw_result_summary(result, &s) == TW_OK);
  CHECK(s.cost == 4 && strcmp(s.status, "optimal") == 0);
  CHECK(tw_result_check(result, data, &broken) == TW_OK && strcmp(broken, "") == 0);
  tw_text_free(broken);
  tw_result_free(result);
  result = NULL;
  CHECK(tw_options_set(options, "method", "svm1") == TW_OK);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &result) == TW_BAD_OPTION && result == NULL);
  tw_options_free(options);
  tw_dataset_free(data);
}

/* Each row has costs of its own, and there are no true classes. */
static void check_policy(void) {
  double costs[ROWS][2];
  tw_dataset* data = make_data(0);
  tw_options* options = NULL;
  tw_result* result = NULL;
  tw_summary s = TW_INIT(tw_summary);
  for (int i = 0; i < ROWS; ++i) {
    costs[i][0] = kMatrix[i][0] > 0.5 ? 3 : -1;
    costs[i][1] = 0;
  }
  CHECK(tw_dataset_set_row_costs(data, &costs[0][0]) == TW_BAD_CALL);
  CHECK(tw_dataset_set_labels(data, NULL, 2, kClasses) == TW_OK);
  CHECK(tw_dataset_set_row_costs(data, NULL) == TW_BAD_CALL);
  CHECK(tw_dataset_set_row_costs(data, &costs[0][0]) == TW_OK);
  CHECK(tw_options_create(&options) == TW_OK && tw_options_set(options, "max_depth", "1") == TW_OK);
  CHECK(tw_fit(data, options, NULL, NULL, NULL, &result) == TW_OK && tw_result_summary(result, &s) == TW_OK);
  CHECK(s.cost == -5 && s.errors == 0 && strcmp(s.status, "optimal") == 0);
  tw_result_free(result);
  tw_options_free(options);
  tw_dataset_free(data);
}

static void check_columns(const tw_dataset* data) {
  tw_options* options = NULL;
  tw_column_worth* worth = NULL;
  tw_result* result = NULL;
  tw_least_cost best = {sizeof(best), 0, 0, NULL}, first = best, never = best;
  const char *name = NULL, *status = NULL;
  int64_t columns = 0, used = 0;
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_column_worth_find(data, options, -1, NULL, NULL, NULL, &worth) == TW_BAD_CALL && worth == NULL);
  CHECK(tw_column_worth_find(data, options, INFINITY, NULL, NULL, NULL, &worth) == TW_OK);
  CHECK(tw_column_worth_size(worth, &columns) == TW_OK && columns == 3);
  CHECK(tw_column_worth_status(worth, &status) == TW_OK && strcmp(status, "optimal") == 0);
  CHECK(tw_column_worth_best(worth, &best) == TW_OK && best.cost == best.bound);
  for (int64_t i = 0; i < columns; ++i) {
    int32_t asked = 0;
    CHECK(tw_column_worth_at(worth, i, &name, &asked, &first, &never) == TW_OK && strlen(name) > 0);
    CHECK(first.cost >= best.cost && never.cost >= best.cost && first.bound == first.cost && (asked == 1 || never.cost == best.cost));
    CHECK(tw_column_worth_result(worth, i, 0, &result) == TW_OK && result != NULL);
    tw_result_free(result);
    result = NULL;
    used += asked;
  }
  CHECK(used > 0 && tw_column_worth_at(worth, columns, &name, NULL, &first, &never) == TW_BAD_CALL);
  tw_column_worth_free(worth);
  tw_column_worth_free(NULL);
  char* json = NULL;
  CHECK(tw_column_splits(data, options, NULL, NULL, NULL, &json) != TW_OK && json == NULL); /* no place is marked */
  CHECK(tw_options_set(options, "top", "\"?\"") == TW_OK);
  CHECK(tw_column_splits(data, options, NULL, NULL, NULL, &json) == TW_OK && strstr(json, "\"columns\":[{\"name\":") != NULL);
  tw_text_free(json);
  CHECK(tw_column_splits(data, options, NULL, NULL, NULL, NULL) == TW_BAD_CALL);
  tw_options_free(options);
}

static void check_near_trees(const tw_dataset* data) {
  tw_options* options = NULL;
  tw_near_trees* near = NULL;
  tw_result* result = NULL;
  tw_near_trees_summary summary = TW_INIT(tw_near_trees_summary);
  tw_summary claims = TW_INIT(tw_summary);
  CHECK(tw_options_create(&options) == TW_OK);
  CHECK(tw_near_trees_find(data, options, -1, 10, 0, NULL, NULL, NULL, &near) == TW_BAD_CALL && near == NULL);
  CHECK(tw_near_trees_find(data, options, 1, 0, 0, NULL, NULL, NULL, &near) == TW_BAD_CALL && near == NULL);
  CHECK(tw_near_trees_find(data, options, 1, 1000, 1, NULL, NULL, NULL, &near) == TW_OK);
  CHECK(tw_near_trees_info(near, &summary) == TW_OK && summary.size > 0 && summary.complete_within == 1);
  CHECK(strcmp(summary.status, "optimal") == 0);
  for (int64_t i = 0; i < summary.size; ++i) {
    CHECK(tw_near_trees_result(near, i, &result) == TW_OK && tw_result_summary(result, &claims) == TW_OK);
    CHECK(claims.errors >= summary.best && claims.errors <= summary.best + 1);
    tw_result_free(result);
  }
  CHECK(tw_near_trees_result(near, summary.size, &result) == TW_BAD_CALL);
  tw_near_trees_free(near);
  tw_near_trees_free(NULL);
  tw_options_free(options);
}

/* Ordered levels are cut between two of them, durations say their unit, and programs have names. */
static void check_orders_and_names(void) {
  static const char* const kDoses[] = {"1", "10", "80"};
  static const int32_t kCodes[] = {0, 1, 2, -1}, kSick[] = {0, 0, 1, 0};
  static const double kWaits[] = {0.25, 0.5, 0.5, 0.5};
  static const char* const kWait[] = {"wait"};
  tw_dataset* data = NULL;
  CHECK(tw_dataset_create(4, &data) == TW_OK);
  CHECK(tw_dataset_add_categories(data, "dose", kCodes, 3, kDoses) == TW_OK);
  CHECK(tw_dataset_add_matrix(data, kWaits, TW_FLOAT64, 1, 1, 1, kWait) == TW_OK);
  CHECK(tw_dataset_mark(data, 1, TW_ORDERED) == TW_BAD_CALL && tw_dataset_mark(data, 0, TW_DAYS) == TW_BAD_CALL);
  CHECK(tw_dataset_mark(data, 0, TW_ORDERED) == TW_OK && tw_dataset_mark(data, 1, TW_DAYS) == TW_OK);
  CHECK(tw_dataset_mark(data, 0, TW_ORDERED) == TW_BAD_CALL);
  CHECK(tw_dataset_set_labels(data, kSick, 2, kClasses) == TW_OK);
  tw_result* result = train(data);
  tw_feature feature = TW_INIT(tw_feature);
  CHECK(tw_result_feature(result, 0, &feature) == TW_OK && feature.is_ordered && !feature.is_category && feature.levels == 3);
  CHECK(tw_result_feature(result, 1, &feature) == TW_OK && feature.is_days && feature.levels == 0);
  char* text = NULL;
  CHECK(tw_result_number_text(result, 0, 1.5, &text) == TW_OK && strcmp(text, "10") == 0);
  tw_text_free(text);
  CHECK(tw_result_number_text(result, 1, 1.5, &text) == TW_OK && strcmp(text, "1.5 days") == 0);
  tw_text_free(text);
  tw_export options = TW_INIT(tw_export);
  options.name = "risk";
  CHECK(tw_result_write(result, "c", &options, data, &text, NULL) == TW_OK && strstr(text, "int risk_predict(const double *x)") != NULL);
  tw_text_free(text);
  CHECK(tw_result_write(result, "sql", &options, data, &text, NULL) == TW_BAD_OPTION);
  options.name = NULL;
  options.backquotes = 1;
  CHECK(tw_result_write(result, "sql", &options, data, &text, NULL) == TW_OK && strstr(text, "`dose` IN (") != NULL);
  tw_text_free(text);
  options.backquotes = 0;
  options.names = "dose,What was given,mg\n";
  CHECK(tw_result_write(result, "text", &options, data, &text, NULL) == TW_OK && strstr(text, "What was given <= ") != NULL);
  tw_text_free(text);
  CHECK(tw_result_write(result, "sql", &options, data, &text, NULL) == TW_BAD_OPTION);
  tw_result_free(result);
  tw_dataset_free(data);
}

int main(void) {
  CHECK(tw_abi_version() == TW_ABI_VERSION && strlen(tw_version()) >= 5);
  CHECK(strcmp(tw_error_message(), "") == 0);
  tw_dataset *training = make_data(1), *rows = make_data(0);
  tw_result* result = train(training);
  if (result != NULL) {
    check_tree(result, rows);
    check_texts(result, training);
    check_layouts(result);
    check_mistakes(result);
    check_struct_sizes(result);
    check_untouched_outputs(result, training);
    check_elsewhere(result, training);
  }
  check_fold(training);
  check_path(training);
  check_options();
  check_costs();
  check_policy();
  check_choice();
  check_numbers();
  check_notes_and_dates();
  check_columns(training);
  check_near_trees(training);
  check_orders_and_names();
  tw_result_free(result);
  tw_dataset_free(rows);
  tw_dataset_free(training);
  if (failures == 0) printf("the C interface holds\n");
  return failures == 0 ? 0 : 1;
}
