/* Handles of the library, its errors and its texts. */

#include "glue.h"

#include <string.h>

/* --- errors --------------------------------------------------------------------------------------------------------------------- */

void refuse(const char* const* four_texts) {
  SEXP texts = PROTECT(Rf_allocVector(STRSXP, 4));
  for (int i = 0; i < 4; ++i) SET_STRING_ELT(texts, i, Rf_mkCharCE(four_texts[i], CE_UTF8));
  SEXP home = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("treewright"))));
  Rf_eval(PROTECT(Rf_lang2(Rf_install("refuse"), texts)), home);
  Rf_error("%s", four_texts[0]);
}

void need_ok(tw_status status) {
  if (status == TW_OK) return;
  const char* const texts[] = {tw_error_message(), tw_error_where(), tw_error_what(), tw_error_fix()};
  refuse(texts);
}

/* --- handles -------------------------------------------------------------------------------------------------------------------- */

#define HANDLE(kind, free)                                                             \
  static void finalize_##kind(SEXP handle) {                                           \
    free(R_ExternalPtrAddr(handle));                                                   \
    R_ClearExternalPtr(handle);                                                        \
  }                                                                                    \
  SEXP new_##kind(void) {                                                              \
    SEXP made = PROTECT(R_MakeExternalPtr(NULL, Rf_install("tw_" #kind), R_NilValue)); \
    R_RegisterCFinalizerEx(made, finalize_##kind, TRUE);                               \
    UNPROTECT(1);                                                                      \
    return made;                                                                       \
  }

HANDLE(dataset, tw_dataset_free)
HANDLE(options, tw_options_free)
HANDLE(result, tw_result_free)
HANDLE(trade_off, tw_trade_off_free)
HANDLE(text, tw_text_free)

static void* address_of(SEXP handle, const char* tag) {
  if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != Rf_install(tag))
    Rf_error("this is no %s of treewright", tag + strlen("tw_"));
  return R_ExternalPtrAddr(handle);
}

static void* living(SEXP handle, const char* tag) {
  void* address = address_of(handle, tag);
  if (address == NULL) Rf_error("this %s is of an earlier session of R (make it again)", tag + strlen("tw_"));
  return address;
}

tw_dataset* dataset_of(SEXP handle) {
  return living(handle, "tw_dataset");
}
tw_options* options_of(SEXP handle) {
  return living(handle, "tw_options");
}
tw_trade_off* trade_off_of(SEXP handle) {
  return living(handle, "tw_trade_off");
}

const tw_dataset* rows_or_null(SEXP handle) {
  return handle == R_NilValue ? NULL : dataset_of(handle);
}

/* --- texts ---------------------------------------------------------------------------------------------------------------------- */

SEXP utf8(const char* text) {
  SEXP out = PROTECT(Rf_allocVector(STRSXP, 1));
  SET_STRING_ELT(out, 0, Rf_mkCharCE(text, CE_UTF8));
  UNPROTECT(1);
  return out;
}

SEXP taken(SEXP owner, char* text) {
  R_SetExternalPtrAddr(owner, text);
  SEXP out = PROTECT(utf8(text));
  finalize_text(owner);
  UNPROTECT(1);
  return out;
}

SEXP told(Telling tell, const tw_result* result, const tw_dataset* rows) {
  SEXP owner = PROTECT(new_text());
  char* text = NULL;
  need_ok(tell(result, rows, &text));
  SEXP out = taken(owner, text);
  UNPROTECT(1);
  return out;
}

SEXP written(const tw_result* result, const char* format, const tw_export* options, const tw_dataset* rows) {
  SEXP owner = PROTECT(new_text());
  char* text = NULL;
  int64_t length = 0;
  need_ok(tw_result_write(result, format, options, rows, &text, &length));
  R_SetExternalPtrAddr(owner, text);
  SEXP out = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)length));
  memcpy(RAW(out), text, (size_t)length);
  finalize_text(owner);
  UNPROTECT(2);
  return out;
}

void own_result(SEXP handle, tw_result* result) {
  R_SetExternalPtrAddr(handle, result);
  R_SetExternalPtrProtected(handle, written(result, "json", NULL, NULL));
}

const tw_result* result_of(SEXP handle) {
  tw_result* result = address_of(handle, "tw_result");
  if (result == NULL) {
    SEXP json = R_ExternalPtrProtected(handle);
    if (TYPEOF(json) != RAWSXP) Rf_error("this tree is empty (train it again)");
    need_ok(tw_result_read((const char*)RAW(json), (size_t)XLENGTH(json), &result));
    R_SetExternalPtrAddr(handle, result);
    R_RegisterCFinalizerEx(handle, finalize_result, TRUE);
  }
  return result;
}

const char* text_of(SEXP strings, R_xlen_t index) {
  return Rf_translateCharUTF8(STRING_ELT(strings, index));
}

const char** texts_of(SEXP strings) {
  const R_xlen_t size = XLENGTH(strings);
  const char** out = (const char**)R_alloc((size_t)size + 1, sizeof *out);
  for (R_xlen_t i = 0; i < size; ++i) out[i] = text_of(strings, i);
  return out;
}

SEXP named_list(int size, const char* const* names) {
  SEXP out = PROTECT(Rf_allocVector(VECSXP, size)), titles = PROTECT(Rf_allocVector(STRSXP, size));
  for (int i = 0; i < size; ++i) SET_STRING_ELT(titles, i, Rf_mkChar(names[i]));
  Rf_setAttrib(out, R_NamesSymbol, titles);
  UNPROTECT(2);
  return out;
}

SEXP columns_of_text(int columns, const char* const* names, int32_t rows) {
  SEXP out = PROTECT(named_list(columns, names));
  for (int c = 0; c < columns; ++c) SET_VECTOR_ELT(out, c, Rf_allocVector(STRSXP, rows));
  UNPROTECT(1);
  return out;
}

void set_row(SEXP table, int32_t row, int columns, const char* const* texts) {
  for (int c = 0; c < columns; ++c) SET_STRING_ELT(VECTOR_ELT(table, c), row, Rf_mkCharCE(texts[c], CE_UTF8));
}
