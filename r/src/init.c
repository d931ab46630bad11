/* The functions that the package calls. */

#include "glue.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#define CALL(name, arguments) \
  { "C_" #name, (DL_FUNC)&tw_r_##name, arguments }
static const R_CallMethodDef calls[] = {
    CALL(dataset, 1),      CALL(add_numbers, 3), CALL(add_categories, 4), CALL(mark, 3),          CALL(set_labels, 4),
    CALL(set_weights, 2),  CALL(set_costs, 3),   CALL(data_notes, 1),     CALL(options, 2),       CALL(option_table, 0),
    CALL(method_table, 0), CALL(version, 0),     CALL(summary, 1),        CALL(facts, 2),         CALL(classes, 1),
    CALL(features, 1),     CALL(nodes, 1),       CALL(predict, 3),        CALL(predict_proba, 3), CALL(apply, 3),
    CALL(row_notes, 2),    CALL(check, 2),       CALL(format_table, 0),   CALL(write, 6),         CALL(read, 1),
    CALL(choose, 2),       CALL(fit, 3),         CALL(fold_paths, 3),     CALL(trade_off, 4),     CALL(trade_off_least, 2),
    CALL(depth, 2),        CALL(set_numbers, 5), CALL(predict_values, 3), CALL(loss, 1),          {NULL, NULL, 0}};

void attribute_visible R_init_treewright(DllInfo* library) {
  R_registerRoutines(library, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
  /* A shared library found at run time may be another than at install time. */
  if (tw_abi_version() != TW_ABI_VERSION)
    Rf_error("the library of treewright that was found has another interface (install the package again)");
}
