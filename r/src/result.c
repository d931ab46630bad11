/* What came out: claims, the tree as vectors, rows through it, files, and the choice of tuning. */

#include "glue.h"

#include <string.h>

static tw_summary summary_of(SEXP result) {
  tw_summary summary = TW_INIT(tw_summary);
  need_ok(tw_result_summary(result_of(result), &summary));
  return summary;
}

SEXP tw_r_summary(SEXP result) {
  static const char* const names[] = {"status",    "method", "proved", "selection", "objective",    "bound",   "gap",
                                      "errors",    "cost",   "alpha",  "accuracy",  "total_weight", "seconds", "loss",
                                      "explained", "rows",   "depth",  "leaves",    "splits",       "threads", "verified"};
  enum { TEXTS = 4, REALS = 11, COUNTS = 5 };
  const tw_summary s = summary_of(result);
  const char* const texts[] = {s.status, s.method, s.proved, s.selection};
  const double reals[] = {s.objective, s.bound,        s.gap,     s.errors, s.cost,     s.alpha,
                          s.accuracy,  s.total_weight, s.seconds, s.loss,   s.explained};
  const int64_t counts[] = {s.rows, s.depth, s.leaves, s.splits, s.threads};
  SEXP out = PROTECT(named_list(TEXTS + REALS + COUNTS + 1, names));
  for (int i = 0; i < TEXTS; ++i) SET_VECTOR_ELT(out, i, utf8(texts[i]));
  for (int i = 0; i < REALS; ++i) SET_VECTOR_ELT(out, TEXTS + i, Rf_ScalarReal(reals[i]));
  for (int i = 0; i < COUNTS; ++i) SET_VECTOR_ELT(out, TEXTS + REALS + i, Rf_ScalarInteger((int)counts[i]));
  SET_VECTOR_ELT(out, TEXTS + REALS + COUNTS, Rf_ScalarLogical(s.verified != 0));
  UNPROTECT(1);
  return out;
}

/* "squared", "poisson" or "survival"; NULL of a tree that predicts classes. */
SEXP tw_r_loss(SEXP result) {
  const int64_t loss = summary_of(result).loss_kind;
  return loss == TW_CLASSES ? R_NilValue : utf8(loss == TW_SQUARED ? "squared" : loss == TW_POISSON ? "poisson" : "survival");
}

SEXP tw_r_facts(SEXP result, SEXP rows) {
  return told(tw_result_facts, result_of(result), rows_or_null(rows));
}

SEXP tw_r_classes(SEXP result) {
  const int64_t classes = summary_of(result).classes;
  SEXP out = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)classes));
  for (int64_t k = 0; k < classes; ++k) {
    const char* name = NULL;
    need_ok(tw_result_class(result_of(result), k, &name));
    SET_STRING_ELT(out, (R_xlen_t)k, Rf_mkCharCE(name, CE_UTF8));
  }
  UNPROTECT(1);
  return out;
}

/* list(name, levels, ordered, dated, zoned): the levels are NULL for a number. */
SEXP tw_r_features(SEXP result) {
  static const char* const names[] = {"name", "levels", "ordered", "dated", "zoned"};
  const int64_t features = summary_of(result).features;
  SEXP out = PROTECT(named_list(5, names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(STRSXP, (R_xlen_t)features));
  SET_VECTOR_ELT(out, 1, Rf_allocVector(VECSXP, (R_xlen_t)features));
  for (int fact = 2; fact < 5; ++fact) SET_VECTOR_ELT(out, fact, Rf_allocVector(LGLSXP, (R_xlen_t)features));
  for (int64_t f = 0; f < features; ++f) {
    tw_feature info = TW_INIT(tw_feature);
    need_ok(tw_result_feature(result_of(result), f, &info));
    SET_STRING_ELT(VECTOR_ELT(out, 0), (R_xlen_t)f, Rf_mkCharCE(info.name, CE_UTF8));
    LOGICAL(VECTOR_ELT(out, 2))[f] = info.is_ordered != 0;
    LOGICAL(VECTOR_ELT(out, 3))[f] = info.is_date != 0;
    LOGICAL(VECTOR_ELT(out, 4))[f] = info.is_zoned != 0;
    if (!info.is_category && !info.is_ordered) continue;
    SEXP levels = Rf_allocVector(STRSXP, (R_xlen_t)info.levels);
    SET_VECTOR_ELT(VECTOR_ELT(out, 1), (R_xlen_t)f, levels);
    for (int64_t l = 0; l < info.levels; ++l) {
      const char* level = NULL;
      need_ok(tw_result_level(result_of(result), f, l, &level));
      SET_STRING_ELT(levels, (R_xlen_t)l, Rf_mkCharCE(level, CE_UTF8));
    }
  }
  UNPROTECT(1);
  return out;
}

/* The tree as vectors, one entry for each node, which count from 1; NA where there is none. `levels_left` holds a logical vector for each
 * category split, `asks` the features of each split. */
SEXP tw_r_nodes(SEXP result) {
  static const char* const names[] = {"kind",         "left",  "right", "feature",     "threshold",
                                      "missing_left", "label", "rows",  "levels_left", "asks"};
  enum { COLUMNS = 10 };
  const tw_summary s = summary_of(result);
  const size_t n = (size_t)s.nodes;
  tw_nodes nodes = TW_INIT(tw_nodes);
  nodes.kind = (int32_t*)R_alloc(n, sizeof(int32_t));
  nodes.label = (int32_t*)R_alloc(n, sizeof(int32_t));
  nodes.children_left = (int64_t*)R_alloc(n, sizeof(int64_t));
  nodes.children_right = (int64_t*)R_alloc(n, sizeof(int64_t));
  nodes.feature = (int64_t*)R_alloc(n, sizeof(int64_t));
  nodes.n_node_samples = (int64_t*)R_alloc(n, sizeof(int64_t));
  nodes.threshold = (double*)R_alloc(n, sizeof(double));
  nodes.missing_go_to_left = (uint8_t*)R_alloc(n, 1);
  nodes.set_begin = (int64_t*)R_alloc(n + 1, sizeof(int64_t));
  nodes.left_set = (uint8_t*)R_alloc((size_t)s.category_flags + 1, 1);
  nodes.term_begin = (int64_t*)R_alloc(n + 1, sizeof(int64_t));
  nodes.term_feature = (int64_t*)R_alloc((size_t)s.hyperplane_terms + 1, sizeof(int64_t));
  need_ok(tw_result_nodes(result_of(result), &nodes));

  SEXP out = PROTECT(named_list(COLUMNS, names));
  static const SEXPTYPE types[] = {INTSXP, INTSXP, INTSXP, INTSXP, REALSXP, LGLSXP, INTSXP, INTSXP, VECSXP, VECSXP};
  for (int c = 0; c < COLUMNS; ++c) SET_VECTOR_ELT(out, c, Rf_allocVector(types[c], (R_xlen_t)n));
  int* column[COLUMNS];
  for (int c = 0; c < COLUMNS - 2; ++c) column[c] = c == 4 ? NULL : c == 5 ? LOGICAL(VECTOR_ELT(out, c)) : INTEGER(VECTOR_ELT(out, c));
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
    const int64_t terms = nodes.term_begin[i + 1] - nodes.term_begin[i], single = nodes.feature[i] >= 0;
    SEXP asks = Rf_allocVector(INTSXP, (R_xlen_t)(terms + single));
    SET_VECTOR_ELT(VECTOR_ELT(out, 9), (R_xlen_t)i, asks);
    if (single) INTEGER(asks)[0] = (int)nodes.feature[i] + 1;
    for (int64_t t = 0; t < terms; ++t) INTEGER(asks)[single + t] = (int)nodes.term_feature[nodes.term_begin[i] + t] + 1;
    if (nodes.kind[i] != TW_CATEGORIES) continue;
    const int64_t levels = nodes.set_begin[i + 1] - nodes.set_begin[i];
    SEXP set = Rf_allocVector(LGLSXP, (R_xlen_t)levels);
    SET_VECTOR_ELT(VECTOR_ELT(out, 8), (R_xlen_t)i, set);
    for (int64_t l = 0; l < levels; ++l) LOGICAL(set)[l] = nodes.left_set[nodes.set_begin[i] + l] != 0;
  }
  UNPROTECT(1);
  return out;
}

/* --- rows through a tree ---------------------------------------------------------------------------------------------------------- */

/* Classes, counted from 1. */
SEXP tw_r_predict(SEXP result, SEXP dataset, SEXP rows) {
  const R_xlen_t n = (R_xlen_t)Rf_asReal(rows);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, n));
  need_ok(tw_predict(result_of(result), dataset_of(dataset), INTEGER(out)));
  for (R_xlen_t i = 0; i < n; ++i) ++INTEGER(out)[i];
  UNPROTECT(1);
  return out;
}

/* Numbers, of a tree that predicts them. */
SEXP tw_r_predict_values(SEXP result, SEXP dataset, SEXP rows) {
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)Rf_asReal(rows)));
  need_ok(tw_predict_values(result_of(result), dataset_of(dataset), REAL(out)));
  UNPROTECT(1);
  return out;
}

/* Probabilities, classes by rows. */
SEXP tw_r_predict_proba(SEXP result, SEXP dataset, SEXP rows) {
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)summary_of(result).classes, Rf_asInteger(rows)));
  need_ok(tw_predict_proba(result_of(result), dataset_of(dataset), REAL(out)));
  UNPROTECT(1);
  return out;
}

/* Leaves, counted from 1. */
SEXP tw_r_apply(SEXP result, SEXP dataset, SEXP rows) {
  const R_xlen_t n = (R_xlen_t)Rf_asReal(rows);
  int64_t* leaves = (int64_t*)R_alloc((size_t)n + 1, sizeof *leaves);
  need_ok(tw_apply(result_of(result), dataset_of(dataset), leaves));
  SEXP out = Rf_allocVector(INTSXP, n);
  for (R_xlen_t i = 0; i < n; ++i) INTEGER(out)[i] = (int)leaves[i] + 1;
  return out;
}

SEXP tw_r_row_notes(SEXP result, SEXP dataset) {
  return told(tw_row_notes, result_of(result), dataset_of(dataset));
}

SEXP tw_r_check(SEXP result, SEXP dataset) {
  return told(tw_result_check, result_of(result), dataset_of(dataset));
}

/* --- files -------------------------------------------------------------------------------------------------------------------------- */

SEXP tw_r_format_table(void) {
  static const char* const names[] = {"name", "extension", "description"};
  SEXP out = PROTECT(columns_of_text(3, names, tw_format_count()));
  for (int32_t i = 0; i < tw_format_count(); ++i) {
    tw_format_info info = TW_INIT(tw_format_info);
    need_ok(tw_format_at(i, &info));
    const char* const texts[] = {info.name, info.extension, info.description};
    set_row(out, i, 3, texts);
  }
  UNPROTECT(1);
  return out;
}

SEXP tw_r_write(SEXP result, SEXP format, SEXP rows, SEXP name, SEXP backquotes, SEXP names) {
  tw_export options = TW_INIT(tw_export);
  options.name = text_of(name, 0);
  options.backquotes = Rf_asLogical(backquotes);
  options.names = Rf_isNull(names) ? NULL : text_of(names, 0);
  return written(result_of(result), text_of(format, 0), &options, rows_or_null(rows));
}

SEXP tw_r_read(SEXP bytes) {
  SEXP made = PROTECT(new_result());
  tw_result* result = NULL;
  need_ok(tw_result_read((const char*)RAW(bytes), (size_t)XLENGTH(bytes), &result));
  own_result(made, result);
  UNPROTECT(1);
  return made;
}

/* --- the choice of tuning ------------------------------------------------------------------------------------------------------------- */

static SEXP step_in_r(const tw_curve_step* steps, int64_t count) {
  static const char* const names[] = {"setting", "alpha_low", "alpha_high", "score", "features", "splits", "standard_error"};
  enum { COLUMNS = 7 };
  SEXP out = PROTECT(named_list(COLUMNS, names));
  for (int c = 0; c < COLUMNS; ++c) SET_VECTOR_ELT(out, c, Rf_allocVector(REALSXP, (R_xlen_t)count));
  for (int64_t i = 0; i < count; ++i) {
    const double values[] = {
        (double)steps[i].setting + 1, steps[i].alpha_low, steps[i].alpha_high, steps[i].score, steps[i].features, steps[i].splits,
        steps[i].standard_error};
    for (int c = 0; c < COLUMNS; ++c) REAL(VECTOR_ELT(out, c))[i] = values[c];
  }
  UNPROTECT(1);
  return out;
}

/* `trees`: list(setting, fold, alpha_low, alpha_high, score, features, splits) of numeric vectors; settings and folds count from 1. */
SEXP tw_r_choose(SEXP trees, SEXP rule) {
  static const char* const names[] = {"curve", "chosen", "alpha", "why"};
  const int64_t count = XLENGTH(VECTOR_ELT(trees, 0));
  const double* columns[7];
  for (int c = 0; c < 7; ++c) columns[c] = REAL(VECTOR_ELT(trees, c));
  tw_scored_tree* scored = (tw_scored_tree*)R_alloc((size_t)count + 1, sizeof *scored);
  tw_curve_step* steps = (tw_curve_step*)R_alloc((size_t)count + 1, sizeof *steps);
  for (int64_t i = 0; i < count; ++i) {
    const tw_scored_tree tree = {
        sizeof tree,  (int64_t)columns[0][i] - 1, (int64_t)columns[1][i] - 1, columns[2][i], columns[3][i], columns[4][i], columns[5][i],
        columns[6][i]};
    scored[i] = tree;
    memset(&steps[i], 0, sizeof *steps);
    steps[i].struct_size = sizeof *steps;
  }
  tw_curve_step chosen = TW_INIT(tw_curve_step);
  int64_t n_steps = 0;
  double alpha = 0;
  char* why = NULL;
  SEXP owner = PROTECT(new_text());
  need_ok(tw_choose(scored, count, text_of(rule, 0), steps, &n_steps, &chosen, &alpha, &why));
  SEXP reason = PROTECT(taken(owner, why));
  SEXP out = PROTECT(named_list(4, names));
  SET_VECTOR_ELT(out, 0, step_in_r(steps, n_steps));
  SET_VECTOR_ELT(out, 1, step_in_r(&chosen, 1));
  SET_VECTOR_ELT(out, 2, Rf_ScalarReal(alpha));
  SET_VECTOR_ELT(out, 3, reason);
  UNPROTECT(3);
  return out;
}
