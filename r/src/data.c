/* Rows and options, and the tables of what there is. */

#include "glue.h"

SEXP tw_r_dataset(SEXP rows) {
  SEXP made = PROTECT(new_dataset());
  tw_dataset* data = NULL;
  need_ok(tw_dataset_create((int64_t)Rf_asReal(rows), &data));
  R_SetExternalPtrAddr(made, data);
  UNPROTECT(1);
  return made;
}

SEXP tw_r_add_numbers(SEXP dataset, SEXP name, SEXP values) {
  const char* const names[] = {text_of(name, 0)};
  need_ok(tw_dataset_add_matrix(dataset_of(dataset), REAL(values), TW_FLOAT64, 1, 1, 1, names));
  return R_NilValue;
}

/* `codes` count from 0; below 0 = missing. */
SEXP tw_r_add_categories(SEXP dataset, SEXP name, SEXP codes, SEXP levels) {
  need_ok(tw_dataset_add_categories(dataset_of(dataset), text_of(name, 0), INTEGER(codes), XLENGTH(levels), texts_of(levels)));
  return R_NilValue;
}

/* `column` counts from 1. */
SEXP tw_r_mark(SEXP dataset, SEXP column, SEXP fact) {
  need_ok(tw_dataset_mark(dataset_of(dataset), Rf_asInteger(column) - 1, (tw_column_fact)Rf_asInteger(fact)));
  return R_NilValue;
}

/* `labels` count from 0; NULL where the costs of rows are to follow. */
SEXP tw_r_set_labels(SEXP dataset, SEXP labels, SEXP classes, SEXP target) {
  need_ok(tw_dataset_set_labels(dataset_of(dataset), labels == R_NilValue ? NULL : INTEGER(labels), XLENGTH(classes), texts_of(classes)));
  if (target != R_NilValue) need_ok(tw_dataset_set_target_name(dataset_of(dataset), text_of(target, 0)));
  return R_NilValue;
}

/* `loss`: 0 = squared, 1 = Poisson, 2 = survival, whose times are `exposure`; it may be NULL. */
SEXP tw_r_set_numbers(SEXP dataset, SEXP loss, SEXP values, SEXP exposure, SEXP target) {
  const double* const at_risk = exposure == R_NilValue ? NULL : REAL(exposure);
  need_ok(tw_dataset_set_numbers(dataset_of(dataset), (tw_loss)Rf_asInteger(loss), REAL(values), at_risk));
  need_ok(tw_dataset_set_target_name(dataset_of(dataset), text_of(target, 0)));
  return R_NilValue;
}

SEXP tw_r_set_weights(SEXP dataset, SEXP weights) {
  need_ok(tw_dataset_set_weights(dataset_of(dataset), REAL(weights)));
  return R_NilValue;
}

/* The matrices come transposed, for C has them row after row. */
SEXP tw_r_set_costs(SEXP dataset, SEXP costs, SEXP by_row) {
  tw_dataset* data = dataset_of(dataset);
  need_ok(Rf_asLogical(by_row) ? tw_dataset_set_row_costs(data, REAL(costs)) : tw_dataset_set_costs(data, REAL(costs)));
  return R_NilValue;
}

static tw_status notes_on_rows(const tw_result* none, const tw_dataset* rows, char** json) {
  (void)none;
  return tw_dataset_notes(rows, json);
}

SEXP tw_r_data_notes(SEXP dataset) {
  return told(notes_on_rows, NULL, dataset_of(dataset));
}

SEXP tw_r_options(SEXP names, SEXP values) {
  SEXP made = PROTECT(new_options());
  tw_options* options = NULL;
  need_ok(tw_options_create(&options));
  R_SetExternalPtrAddr(made, options);
  for (R_xlen_t i = 0; i < XLENGTH(names); ++i) need_ok(tw_options_set(options, text_of(names, i), text_of(values, i)));
  UNPROTECT(1);
  return made;
}

SEXP tw_r_depth(SEXP options, SEXP classes) {
  int64_t depth = 0;
  need_ok(tw_options_depth(options_of(options), (int64_t)Rf_asReal(classes), &depth));
  return Rf_ScalarInteger((int)depth);
}

SEXP tw_r_option_table(void) {
  static const char* const names[] = {"name", "type", "default", "range", "unit", "methods", "source", "help"};
  enum { COLUMNS = 8 };
  SEXP out = PROTECT(columns_of_text(COLUMNS, names, tw_option_count()));
  for (int32_t i = 0; i < tw_option_count(); ++i) {
    tw_option_info info = TW_INIT(tw_option_info);
    need_ok(tw_option_at(i, &info));
    const char* const texts[] = {info.name, info.type, info.default_value, info.range, info.unit, info.methods, info.source, info.help};
    set_row(out, i, COLUMNS, texts);
  }
  UNPROTECT(1);
  return out;
}

SEXP tw_r_method_table(void) {
  static const char* const names[] = {"name", "family", "exact", "has_path", "description", "options"};
  enum { COLUMNS = 6 };
  SEXP out = PROTECT(columns_of_text(COLUMNS, names, tw_method_count()));
  for (int32_t i = 0; i < tw_method_count(); ++i) {
    tw_method_info info = TW_INIT(tw_method_info);
    need_ok(tw_method_at(i, &info));
    const char* const texts[] = {info.name,        info.family, info.exact ? "yes" : "no", info.has_path ? "yes" : "no",
                                 info.description, info.options};
    set_row(out, i, COLUMNS, texts);
  }
  UNPROTECT(1);
  return out;
}

SEXP tw_r_version(void) {
  return utf8(tw_version());
}
