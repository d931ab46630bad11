/* What the two sources of the glue share: handles of the library as external pointers of R, and its errors as conditions of R. */
#ifndef TREEWRIGHT_R_GLUE_H
#define TREEWRIGHT_R_GLUE_H

#include <R.h>
#include <Rinternals.h>
#include <treewright/treewright.h>

/* Raises the condition `treewright_error` of message, place, problem and fix. Does not return. */
void refuse(const char *const *four_texts);
/* Raises the last error of this thread, unless the status is TW_OK. */
void need_ok(tw_status status);

/* An external pointer that holds nothing yet, so that what the library makes next has an owner before R allocates again. Protect it. */
SEXP new_dataset(void);
SEXP new_options(void);
SEXP new_result(void);
SEXP new_trade_off(void);

tw_dataset *dataset_of(SEXP handle);
tw_options *options_of(SEXP handle);
tw_trade_off *trade_off_of(SEXP handle);

/* Gives the handle its result. The tree's JSON stays with the handle, and so survives saveRDS and the end of the session. */
void own_result(SEXP handle, tw_result *result);
const tw_result *result_of(SEXP handle);

/* A list of `size` elements with names. Protect it. */
SEXP named_list(int size, const char *const *names);
SEXP utf8(const char *text); /* a character vector of length 1 */

/* Long runs (run.c). */
SEXP tw_r_fit(SEXP dataset, SEXP options, SEXP verbose);
SEXP tw_r_fold_paths(SEXP dataset, SEXP settings, SEXP time_limit);
SEXP tw_r_trade_off(SEXP dataset, SEXP options, SEXP positive, SEXP verbose);
SEXP tw_r_trade_off_least(SEXP trade_off, SEXP most_missed);

#endif
