/* What the sources of the glue share: handles of the library as external pointers of R, and its errors as conditions of R. */
#ifndef TREEWRIGHT_R_GLUE_H
#define TREEWRIGHT_R_GLUE_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <treewright/treewright.h>

/* Raises the condition `treewright_error` of message, place, problem and fix. Does not return. */
void refuse(const char* const* four_texts);
/* Raises the last error of this thread, unless the status is TW_OK. */
void need_ok(tw_status status);

/* An external pointer that holds nothing yet, so that what the library makes next has an owner before R allocates again. Protect it. */
SEXP new_dataset(void);
SEXP new_options(void);
SEXP new_result(void);
SEXP new_trade_off(void);

tw_dataset* dataset_of(SEXP handle);
const tw_dataset* rows_or_null(SEXP handle);
tw_options* options_of(SEXP handle);
tw_trade_off* trade_off_of(SEXP handle);

/* Gives the handle its result. The tree's JSON stays with the handle, and so survives saveRDS and the end of the session. */
void own_result(SEXP handle, tw_result* result);
const tw_result* result_of(SEXP handle);

/* A list of `size` elements with names. Protect it. */
SEXP named_list(int size, const char* const* names);
SEXP utf8(const char* text); /* a character vector of length 1 */
/* A text of the library, which `owner`, from new_text(), frees. */
SEXP new_text(void);
SEXP taken(SEXP owner, char* text);
/* What the library tells of a result and of rows. */
typedef tw_status (*Telling)(const tw_result* result, const tw_dataset* rows, char** text);
SEXP told(Telling tell, const tw_result* result, const tw_dataset* rows);
/* The bytes of a result in a format. Protect them. */
SEXP written(const tw_result* result, const char* format, const tw_export* options, const tw_dataset* rows);
const char* text_of(SEXP strings, R_xlen_t index);
const char** texts_of(SEXP strings);
/* A table as a list of character vectors. Protect it. */
SEXP columns_of_text(int columns, const char* const* names, int32_t rows);
void set_row(SEXP table, int32_t row, int columns, const char* const* texts);

/* data.c */
SEXP tw_r_dataset(SEXP rows);
SEXP tw_r_add_numbers(SEXP dataset, SEXP name, SEXP values);
SEXP tw_r_add_categories(SEXP dataset, SEXP name, SEXP codes, SEXP levels);
SEXP tw_r_mark(SEXP dataset, SEXP column, SEXP fact);
SEXP tw_r_set_labels(SEXP dataset, SEXP labels, SEXP classes, SEXP target);
SEXP tw_r_set_numbers(SEXP dataset, SEXP loss, SEXP values, SEXP exposure, SEXP target);
SEXP tw_r_set_weights(SEXP dataset, SEXP weights);
SEXP tw_r_set_costs(SEXP dataset, SEXP costs, SEXP by_row);
SEXP tw_r_data_notes(SEXP dataset);
SEXP tw_r_options(SEXP names, SEXP values);
SEXP tw_r_depth(SEXP options, SEXP classes);
SEXP tw_r_option_table(void);
SEXP tw_r_method_table(void);
SEXP tw_r_version(void);

/* result.c */
SEXP tw_r_summary(SEXP result);
SEXP tw_r_facts(SEXP result, SEXP rows);
SEXP tw_r_classes(SEXP result);
SEXP tw_r_features(SEXP result);
SEXP tw_r_nodes(SEXP result);
SEXP tw_r_predict(SEXP result, SEXP dataset, SEXP rows);
SEXP tw_r_predict_values(SEXP result, SEXP dataset, SEXP rows);
SEXP tw_r_loss(SEXP result);
SEXP tw_r_predict_proba(SEXP result, SEXP dataset, SEXP rows);
SEXP tw_r_apply(SEXP result, SEXP dataset, SEXP rows);
SEXP tw_r_row_notes(SEXP result, SEXP dataset);
SEXP tw_r_check(SEXP result, SEXP dataset);
SEXP tw_r_format_table(void);
SEXP tw_r_write(SEXP result, SEXP format, SEXP rows, SEXP name, SEXP backquotes, SEXP names);
SEXP tw_r_read(SEXP bytes);
SEXP tw_r_choose(SEXP trees, SEXP rule);

/* run.c: long runs */
SEXP tw_r_fit(SEXP dataset, SEXP options, SEXP verbose);
SEXP tw_r_fold_paths(SEXP dataset, SEXP settings, SEXP time_limit);
SEXP tw_r_trade_off(SEXP dataset, SEXP options, SEXP positive, SEXP verbose);
SEXP tw_r_trade_off_least(SEXP trade_off, SEXP most_missed);

#endif
