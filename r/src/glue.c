/* Values in and out: data, options, results. Every function that the package calls is registered at the end. */

#include "glue.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>
#include <string.h>

/* --- errors --------------------------------------------------------------------------------------------------------------------- */

void refuse(const char *const *four_texts) {
  SEXP texts = PROTECT(allocVector(STRSXP, 4));
  for (int i = 0; i < 4; ++i) SET_STRING_ELT(texts, i, mkCharCE(four_texts[i], CE_UTF8));
  SEXP home = PROTECT(R_FindNamespace(PROTECT(mkString("treewright"))));
  eval(PROTECT(lang2(install("refuse"), texts)), home);
  error("%s", four_texts[0]);
}

void need_ok(tw_status status) {
  if (status == TW_OK) return;
  const char *const texts[] = {tw_error_message(), tw_error_where(), tw_error_what(), tw_error_fix()};
  refuse(texts);
}

/* --- handles -------------------------------------------------------------------------------------------------------------------- */

#define HANDLE(kind, free)                                           \
  static void finalize_##kind(SEXP handle) {                         \
    free(R_ExternalPtrAddr(handle));                                 \
    R_ClearExternalPtr(handle);                                      \
  }                                                                  \
  SEXP new_##kind(void) {                                            \
    SEXP made = PROTECT(R_MakeExternalPtr(NULL, install("tw_" #kind), R_NilValue)); \
    R_RegisterCFinalizerEx(made, finalize_##kind, TRUE);             \
    UNPROTECT(1);                                                    \
    return made;                                                     \
  }

HANDLE(dataset, tw_dataset_free)
HANDLE(options, tw_options_free)
HANDLE(result, tw_result_free)
HANDLE(trade_off, tw_trade_off_free)
HANDLE(text, tw_text_free)

static void *address_of(SEXP handle, const char *tag) {
  if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != install(tag)) error("this is no %s of treewright", tag + strlen("tw_"));
  return R_ExternalPtrAddr(handle);
}

static void *living(SEXP handle, const char *tag) {
  void *address = address_of(handle, tag);
  if (address == NULL) error("this %s is of an earlier session of R (make it again)", tag + strlen("tw_"));
  return address;
}

tw_dataset *dataset_of(SEXP handle) { return living(handle, "tw_dataset"); }
tw_options *options_of(SEXP handle) { return living(handle, "tw_options"); }
tw_trade_off *trade_off_of(SEXP handle) { return living(handle, "tw_trade_off"); }

static const tw_dataset *rows_or_null(SEXP handle) { return handle == R_NilValue ? NULL : dataset_of(handle); }

/* --- texts ---------------------------------------------------------------------------------------------------------------------- */

SEXP utf8(const char *text) {
  SEXP out = PROTECT(allocVector(STRSXP, 1));
  SET_STRING_ELT(out, 0, mkCharCE(text, CE_UTF8));
  UNPROTECT(1);
  return out;
}

/* A text of the library, which `owner` frees. */
static SEXP taken(SEXP owner, char *text) {
  R_SetExternalPtrAddr(owner, text);
  SEXP out = PROTECT(utf8(text));
  finalize_text(owner);
  UNPROTECT(1);
  return out;
}

/* The bytes of the result in a format. Protect them. */
static SEXP written(const tw_result *result, const char *format, const tw_dataset *rows) {
  SEXP owner = PROTECT(new_text());
  char *text = NULL;
  int64_t length = 0;
  need_ok(tw_result_write(result, format, rows, &text, &length));
  R_SetExternalPtrAddr(owner, text);
  SEXP out = PROTECT(allocVector(RAWSXP, (R_xlen_t)length));
  memcpy(RAW(out), text, (size_t)length);
  finalize_text(owner);
  UNPROTECT(2);
  return out;
}

void own_result(SEXP handle, tw_result *result) {
  R_SetExternalPtrAddr(handle, result);
  R_SetExternalPtrProtected(handle, written(result, "json", NULL));
}

const tw_result *result_of(SEXP handle) {
  tw_result *result = address_of(handle, "tw_result");
  if (result == NULL) {
    SEXP json = R_ExternalPtrProtected(handle);
    if (TYPEOF(json) != RAWSXP) error("this tree is empty (train it again)");
    need_ok(tw_result_read((const char *)RAW(json), (size_t)XLENGTH(json), &result));
    R_SetExternalPtrAddr(handle, result);
    R_RegisterCFinalizerEx(handle, finalize_result, TRUE);
  }
  return result;
}

static const char *text_of(SEXP strings, R_xlen_t index) { return translateCharUTF8(STRING_ELT(strings, index)); }

static const char **texts_of(SEXP strings) {
  const R_xlen_t size = XLENGTH(strings);
  const char **out = (const char **)R_alloc((size_t)size + 1, sizeof *out);
  for (R_xlen_t i = 0; i < size; ++i) out[i] = text_of(strings, i);
  return out;
}

SEXP named_list(int size, const char *const *names) {
  SEXP out = PROTECT(allocVector(VECSXP, size)), titles = PROTECT(allocVector(STRSXP, size));
  for (int i = 0; i < size; ++i) SET_STRING_ELT(titles, i, mkChar(names[i]));
  setAttrib(out, R_NamesSymbol, titles);
  UNPROTECT(2);
  return out;
}

/* --- data and options ----------------------------------------------------------------------------------------------------------- */

static SEXP tw_r_dataset(SEXP rows) {
  SEXP made = PROTECT(new_dataset());
  tw_dataset *data = NULL;
  need_ok(tw_dataset_create((int64_t)asReal(rows), &data));
  R_SetExternalPtrAddr(made, data);
  UNPROTECT(1);
  return made;
}

static SEXP tw_r_add_numbers(SEXP dataset, SEXP name, SEXP values) {
  const char *const names[] = {text_of(name, 0)};
  need_ok(tw_dataset_add_matrix(dataset_of(dataset), REAL(values), TW_FLOAT64, 1, 1, 1, names));
  return R_NilValue;
}

/* `codes` count from 0; below 0 = missing. */
static SEXP tw_r_add_categories(SEXP dataset, SEXP name, SEXP codes, SEXP levels) {
  need_ok(tw_dataset_add_categories(dataset_of(dataset), text_of(name, 0), INTEGER(codes), XLENGTH(levels), texts_of(levels)));
  return R_NilValue;
}

/* `column` counts from 1. */
static SEXP tw_r_mark(SEXP dataset, SEXP column, SEXP fact) {
  need_ok(tw_dataset_mark(dataset_of(dataset), asInteger(column) - 1, (tw_column_fact)asInteger(fact)));
  return R_NilValue;
}

/* `labels` count from 0; NULL where the costs of rows are to follow. */
static SEXP tw_r_set_labels(SEXP dataset, SEXP labels, SEXP classes, SEXP target) {
  need_ok(tw_dataset_set_labels(dataset_of(dataset), labels == R_NilValue ? NULL : INTEGER(labels), XLENGTH(classes), texts_of(classes)));
  if (target != R_NilValue) need_ok(tw_dataset_set_target_name(dataset_of(dataset), text_of(target, 0)));
  return R_NilValue;
}

static SEXP tw_r_set_weights(SEXP dataset, SEXP weights) {
  need_ok(tw_dataset_set_weights(dataset_of(dataset), REAL(weights)));
  return R_NilValue;
}

/* The matrices come transposed, for C has them row after row. */
static SEXP tw_r_set_costs(SEXP dataset, SEXP costs, SEXP by_row) {
  tw_dataset *data = dataset_of(dataset);
  need_ok(asLogical(by_row) ? tw_dataset_set_row_costs(data, REAL(costs)) : tw_dataset_set_costs(data, REAL(costs)));
  return R_NilValue;
}

static SEXP tw_r_data_notes(SEXP dataset) {
  SEXP owner = PROTECT(new_text());
  char *json = NULL;
  need_ok(tw_dataset_notes(dataset_of(dataset), &json));
  SEXP out = taken(owner, json);
  UNPROTECT(1);
  return out;
}

static SEXP tw_r_options(SEXP names, SEXP values) {
  SEXP made = PROTECT(new_options());
  tw_options *options = NULL;
  need_ok(tw_options_create(&options));
  R_SetExternalPtrAddr(made, options);
  for (R_xlen_t i = 0; i < XLENGTH(names); ++i) need_ok(tw_options_set(options, text_of(names, i), text_of(values, i)));
  UNPROTECT(1);
  return made;
}

/* A table as a list of character vectors. */
static SEXP columns_of_text(int columns, const char *const *names, int32_t rows) {
  SEXP out = PROTECT(named_list(columns, names));
  for (int c = 0; c < columns; ++c) SET_VECTOR_ELT(out, c, allocVector(STRSXP, rows));
  UNPROTECT(1);
  return out;
}

static void set_row(SEXP table, int32_t row, int columns, const char *const *texts) {
  for (int c = 0; c < columns; ++c) SET_STRING_ELT(VECTOR_ELT(table, c), row, mkCharCE(texts[c], CE_UTF8));
}

static SEXP tw_r_option_table(void) {
  static const char *const names[] = {"name", "type", "default", "range", "unit", "methods", "source", "help"};
  enum { COLUMNS = 8 };
  SEXP out = PROTECT(columns_of_text(COLUMNS, names, tw_option_count()));
  for (int32_t i = 0; i < tw_option_count(); ++i) {
    tw_option_info info = TW_INIT(tw_option_info);
    need_ok(tw_option_at(i, &info));
    const char *const texts[] = {info.name, info.type, info.default_value, info.range, info.unit, info.methods, info.source, info.help};
    set_row(out, i, COLUMNS, texts);
  }
  UNPROTECT(1);
  return out;
}

static SEXP tw_r_method_table(void) {
  static const char *const names[] = {"name", "family", "exact", "has_path", "description", "options"};
  enum { COLUMNS = 6 };
  SEXP out = PROTECT(columns_of_text(COLUMNS, names, tw_method_count()));
  for (int32_t i = 0; i < tw_method_count(); ++i) {
    tw_method_info info = TW_INIT(tw_method_info);
    need_ok(tw_method_at(i, &info));
    const char *const texts[] = {
        info.name, info.family, info.exact ? "yes" : "no", info.has_path ? "yes" : "no", info.description, info.options};
    set_row(out, i, COLUMNS, texts);
  }
  UNPROTECT(1);
  return out;
}

static SEXP tw_r_version(void) { return utf8(tw_version()); }

/* --- a result --------------------------------------------------------------------------------------------------------------------- */

static tw_summary summary_of(SEXP result) {
  tw_summary summary = TW_INIT(tw_summary);
  need_ok(tw_result_summary(result_of(result), &summary));
  return summary;
}

static SEXP tw_r_summary(SEXP result) {
  static const char *const names[] = {"status", "method",   "proved",       "selection", "objective", "bound",  "gap",     "errors", "cost",
                                      "alpha",  "accuracy", "total_weight", "seconds",   "rows",      "depth", "leaves", "splits", "threads",
                                      "verified"};
  enum { TEXTS = 4, REALS = 9, COUNTS = 5 };
  const tw_summary s = summary_of(result);
  const char *const texts[] = {s.status, s.method, s.proved, s.selection};
  const double reals[] = {s.objective, s.bound, s.gap, s.errors, s.cost, s.alpha, s.accuracy, s.total_weight, s.seconds};
  const int64_t counts[] = {s.rows, s.depth, s.leaves, s.splits, s.threads};
  SEXP out = PROTECT(named_list(TEXTS + REALS + COUNTS + 1, names));
  for (int i = 0; i < TEXTS; ++i) SET_VECTOR_ELT(out, i, utf8(texts[i]));
  for (int i = 0; i < REALS; ++i) SET_VECTOR_ELT(out, TEXTS + i, ScalarReal(reals[i]));
  for (int i = 0; i < COUNTS; ++i) SET_VECTOR_ELT(out, TEXTS + REALS + i, ScalarInteger((int)counts[i]));
  SET_VECTOR_ELT(out, TEXTS + REALS + COUNTS, ScalarLogical(s.verified != 0));
  UNPROTECT(1);
  return out;
}

static SEXP tw_r_facts(SEXP result, SEXP rows) {
  SEXP owner = PROTECT(new_text());
  char *text = NULL;
  need_ok(tw_result_facts(result_of(result), rows_or_null(rows), &text));
  SEXP out = taken(owner, text);
  UNPROTECT(1);
  return out;
}

static SEXP tw_r_classes(SEXP result) {
  const int64_t classes = summary_of(result).classes;
  SEXP out = PROTECT(allocVector(STRSXP, (R_xlen_t)classes));
  for (int64_t k = 0; k < classes; ++k) {
    const char *name = NULL;
    need_ok(tw_result_class(result_of(result), k, &name));
    SET_STRING_ELT(out, (R_xlen_t)k, mkCharCE(name, CE_UTF8));
  }
  UNPROTECT(1);
  return out;
}

/* list(name, levels): the levels are NULL for a number. */
static SEXP tw_r_features(SEXP result) {
  static const char *const names[] = {"name", "levels"};
  const int64_t features = summary_of(result).features;
  SEXP out = PROTECT(named_list(2, names));
  SET_VECTOR_ELT(out, 0, allocVector(STRSXP, (R_xlen_t)features));
  SET_VECTOR_ELT(out, 1, allocVector(VECSXP, (R_xlen_t)features));
  for (int64_t f = 0; f < features; ++f) {
    tw_feature info = TW_INIT(tw_feature);
    need_ok(tw_result_feature(result_of(result), f, &info));
    SET_STRING_ELT(VECTOR_ELT(out, 0), (R_xlen_t)f, mkCharCE(info.name, CE_UTF8));
    if (!info.is_category) continue;
    SEXP levels = allocVector(STRSXP, (R_xlen_t)info.levels);
    SET_VECTOR_ELT(VECTOR_ELT(out, 1), (R_xlen_t)f, levels);
    for (int64_t l = 0; l < info.levels; ++l) {
      const char *level = NULL;
      need_ok(tw_result_level(result_of(result), f, l, &level));
      SET_STRING_ELT(levels, (R_xlen_t)l, mkCharCE(level, CE_UTF8));
    }
  }
  UNPROTECT(1);
  return out;
}

/* The tree as vectors, one entry for each node, which count from 1; NA where there is none. `levels_left` holds a logical vector for each
 * category split. */
static SEXP tw_r_nodes(SEXP result) {
  static const char *const names[] = {"kind", "left", "right", "feature", "threshold", "missing_left", "label", "rows", "levels_left"};
  enum { COLUMNS = 9 };
  const tw_summary s = summary_of(result);
  const size_t n = (size_t)s.nodes;
  tw_nodes nodes = TW_INIT(tw_nodes);
  nodes.kind = (int32_t *)R_alloc(n, sizeof(int32_t));
  nodes.label = (int32_t *)R_alloc(n, sizeof(int32_t));
  nodes.children_left = (int64_t *)R_alloc(n, sizeof(int64_t));
  nodes.children_right = (int64_t *)R_alloc(n, sizeof(int64_t));
  nodes.feature = (int64_t *)R_alloc(n, sizeof(int64_t));
  nodes.n_node_samples = (int64_t *)R_alloc(n, sizeof(int64_t));
  nodes.threshold = (double *)R_alloc(n, sizeof(double));
  nodes.missing_go_to_left = (uint8_t *)R_alloc(n, 1);
  nodes.set_begin = (int64_t *)R_alloc(n + 1, sizeof(int64_t));
  nodes.left_set = (uint8_t *)R_alloc((size_t)s.category_flags + 1, 1);
  need_ok(tw_result_nodes(result_of(result), &nodes));

  SEXP out = PROTECT(named_list(COLUMNS, names));
  static const SEXPTYPE types[] = {INTSXP, INTSXP, INTSXP, INTSXP, REALSXP, LGLSXP, INTSXP, INTSXP, VECSXP};
  for (int c = 0; c < COLUMNS; ++c) SET_VECTOR_ELT(out, c, allocVector(types[c], (R_xlen_t)n));
  int *column[COLUMNS];
  for (int c = 0; c < COLUMNS - 1; ++c) column[c] = c == 4 ? NULL : c == 5 ? LOGICAL(VECTOR_ELT(out, c)) : INTEGER(VECTOR_ELT(out, c));
  for (size_t i = 0; i < n; ++i) {
    const int leaf = nodes.kind[i] == TW_LEAF;
    column[0][i] = nodes.kind[i];
    column[1][i] = leaf ? NA_INTEGER : (int)nodes.children_left[i] + 1;
    column[2][i] = leaf ? NA_INTEGER : (int)nodes.children_right[i] + 1;
    column[3][i] = nodes.feature[i] < 0 ? NA_INTEGER : (int)nodes.feature[i] + 1;
    REAL(VECTOR_ELT(out, 4))[i] = nodes.kind[i] == TW_AXIS || nodes.kind[i] == TW_HYPERPLANE ? nodes.threshold[i] : NA_REAL;
    column[5][i] = leaf ? NA_LOGICAL : nodes.missing_go_to_left[i] != 0;
    column[6][i] = nodes.label[i] + 1;
    column[7][i] = (int)nodes.n_node_samples[i];
    if (nodes.kind[i] != TW_CATEGORIES) continue;
    const int64_t levels = nodes.set_begin[i + 1] - nodes.set_begin[i];
    SEXP set = allocVector(LGLSXP, (R_xlen_t)levels);
    SET_VECTOR_ELT(VECTOR_ELT(out, 8), (R_xlen_t)i, set);
    for (int64_t l = 0; l < levels; ++l) LOGICAL(set)[l] = nodes.left_set[nodes.set_begin[i] + l] != 0;
  }
  UNPROTECT(1);
  return out;
}

/* --- rows through a tree ---------------------------------------------------------------------------------------------------------- */

/* Classes, counted from 1. */
static SEXP tw_r_predict(SEXP result, SEXP dataset, SEXP rows) {
  const R_xlen_t n = (R_xlen_t)asReal(rows);
  SEXP out = PROTECT(allocVector(INTSXP, n));
  need_ok(tw_predict(result_of(result), dataset_of(dataset), INTEGER(out)));
  for (R_xlen_t i = 0; i < n; ++i) ++INTEGER(out)[i];
  UNPROTECT(1);
  return out;
}

/* Probabilities, classes by rows. */
static SEXP tw_r_predict_proba(SEXP result, SEXP dataset, SEXP rows) {
  SEXP out = PROTECT(allocMatrix(REALSXP, (int)summary_of(result).classes, asInteger(rows)));
  need_ok(tw_predict_proba(result_of(result), dataset_of(dataset), REAL(out)));
  UNPROTECT(1);
  return out;
}

/* Leaves, counted from 1. */
static SEXP tw_r_apply(SEXP result, SEXP dataset, SEXP rows) {
  const R_xlen_t n = (R_xlen_t)asReal(rows);
  int64_t *leaves = (int64_t *)R_alloc((size_t)n + 1, sizeof *leaves);
  need_ok(tw_apply(result_of(result), dataset_of(dataset), leaves));
  SEXP out = allocVector(INTSXP, n);
  for (R_xlen_t i = 0; i < n; ++i) INTEGER(out)[i] = (int)leaves[i] + 1;
  return out;
}

static SEXP tw_r_row_notes(SEXP result, SEXP dataset) {
  SEXP owner = PROTECT(new_text());
  char *json = NULL;
  need_ok(tw_row_notes(result_of(result), dataset_of(dataset), &json));
  SEXP out = taken(owner, json);
  UNPROTECT(1);
  return out;
}

static SEXP tw_r_check(SEXP result, SEXP dataset) {
  SEXP owner = PROTECT(new_text());
  char *broken = NULL;
  need_ok(tw_result_check(result_of(result), dataset_of(dataset), &broken));
  SEXP out = taken(owner, broken);
  UNPROTECT(1);
  return out;
}

/* --- files -------------------------------------------------------------------------------------------------------------------------- */

static SEXP tw_r_format_table(void) {
  static const char *const names[] = {"name", "extension", "description"};
  SEXP out = PROTECT(columns_of_text(3, names, tw_format_count()));
  for (int32_t i = 0; i < tw_format_count(); ++i) {
    tw_format_info info = TW_INIT(tw_format_info);
    need_ok(tw_format_at(i, &info));
    const char *const texts[] = {info.name, info.extension, info.description};
    set_row(out, i, 3, texts);
  }
  UNPROTECT(1);
  return out;
}

static SEXP tw_r_write(SEXP result, SEXP format, SEXP rows) {
  return written(result_of(result), text_of(format, 0), rows_or_null(rows));
}

static SEXP tw_r_read(SEXP bytes) {
  SEXP made = PROTECT(new_result());
  tw_result *result = NULL;
  need_ok(tw_result_read((const char *)RAW(bytes), (size_t)XLENGTH(bytes), &result));
  own_result(made, result);
  UNPROTECT(1);
  return made;
}

/* --- the choice of tuning ------------------------------------------------------------------------------------------------------------- */

static SEXP step_in_r(const tw_curve_step *steps, int64_t count) {
  static const char *const names[] = {"setting", "alpha_low", "alpha_high", "score", "features"};
  SEXP out = PROTECT(named_list(5, names));
  for (int c = 0; c < 5; ++c) SET_VECTOR_ELT(out, c, allocVector(REALSXP, (R_xlen_t)count));
  for (int64_t i = 0; i < count; ++i) {
    const double values[] = {(double)steps[i].setting + 1, steps[i].alpha_low, steps[i].alpha_high, steps[i].score, steps[i].features};
    for (int c = 0; c < 5; ++c) REAL(VECTOR_ELT(out, c))[i] = values[c];
  }
  UNPROTECT(1);
  return out;
}

/* `trees`: list(setting, fold, alpha_low, alpha_high, score, features) of numeric vectors; settings and folds count from 1. */
static SEXP tw_r_choose(SEXP trees, SEXP rule) {
  static const char *const names[] = {"curve", "chosen", "alpha", "why"};
  const int64_t count = XLENGTH(VECTOR_ELT(trees, 0));
  const double *columns[6];
  for (int c = 0; c < 6; ++c) columns[c] = REAL(VECTOR_ELT(trees, c));
  tw_scored_tree *scored = (tw_scored_tree *)R_alloc((size_t)count + 1, sizeof *scored);
  tw_curve_step *steps = (tw_curve_step *)R_alloc((size_t)count + 1, sizeof *steps);
  for (int64_t i = 0; i < count; ++i) {
    const tw_scored_tree tree = {sizeof tree,   (int64_t)columns[0][i] - 1, (int64_t)columns[1][i] - 1, columns[2][i],
                                 columns[3][i], columns[4][i],              columns[5][i]};
    scored[i] = tree;
    memset(&steps[i], 0, sizeof *steps);
    steps[i].struct_size = sizeof *steps;
  }
  tw_curve_step chosen = TW_INIT(tw_curve_step);
  int64_t n_steps = 0;
  double alpha = 0;
  char *why = NULL;
  SEXP owner = PROTECT(new_text());
  need_ok(tw_choose(scored, count, text_of(rule, 0), steps, &n_steps, &chosen, &alpha, &why));
  R_SetExternalPtrAddr(owner, why);
  SEXP out = PROTECT(named_list(4, names));
  SET_VECTOR_ELT(out, 0, step_in_r(steps, n_steps));
  SET_VECTOR_ELT(out, 1, step_in_r(&chosen, 1));
  SET_VECTOR_ELT(out, 2, ScalarReal(alpha));
  SET_VECTOR_ELT(out, 3, utf8(why));
  finalize_text(owner);
  UNPROTECT(2);
  return out;
}

/* --- registration ----------------------------------------------------------------------------------------------------------------- */

#define CALL(name, arguments) {"C_" #name, (DL_FUNC)&tw_r_##name, arguments}
static const R_CallMethodDef calls[] = {
    CALL(dataset, 1),      CALL(add_numbers, 3), CALL(add_categories, 4), CALL(mark, 3),         CALL(set_labels, 4),
    CALL(set_weights, 2),  CALL(set_costs, 3),   CALL(data_notes, 1),     CALL(options, 2),      CALL(option_table, 0),
    CALL(method_table, 0), CALL(version, 0),     CALL(summary, 1),        CALL(facts, 2),        CALL(classes, 1),
    CALL(features, 1),     CALL(nodes, 1),       CALL(predict, 3),        CALL(predict_proba, 3), CALL(apply, 3),
    CALL(row_notes, 2),    CALL(check, 2),       CALL(format_table, 0),   CALL(write, 3),        CALL(read, 1),
    CALL(choose, 2),       CALL(fit, 3),         CALL(fold_paths, 3),     CALL(trade_off, 4),    CALL(trade_off_least, 2),
    {NULL, NULL, 0}};

void attribute_visible R_init_treewright(DllInfo *library) {
  R_registerRoutines(library, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
  /* A shared library found at run time may be another than at install time. */
  if (tw_abi_version() != TW_ABI_VERSION) error("the library of treewright that was found has another interface (install the package again)");
}
