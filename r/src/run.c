/* Long runs. The library calls its listener from any of its threads, and R may be called from its own alone. So a run has a thread of its
 * own, and R's thread waits for it: it prints the log and asks R twenty times a second whether the user wants to stop. */

#include "glue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOG_SIZE = 8192, ERROR_TEXTS = 4, MILLISECONDS = 50 };

typedef struct Run Run;
struct Run {
  tw_status (*body)(Run*); /* called on the other thread */
  const tw_dataset* data;
  const tw_options* const* options;
  int64_t settings;
  double time_limit;
  const char* positive;
  tw_result* result;
  tw_path** paths;
  tw_trade_off* trade_off;

  int verbose;
  tw_stop* stop;
  pthread_mutex_t mutex;
  pthread_cond_t news;
  /* Guarded by the mutex. */
  int done;
  char log[LOG_SIZE];
  size_t log_length;

  tw_status status;
  char* error[ERROR_TEXTS];
};

/* --- on the run's thread: nothing of R ------------------------------------------------------------------------------------------ */

static void listen(const tw_progress* progress, void* context) {
  Run* run = context;
  if (!run->verbose) return;
  const size_t length = strlen(progress->text);
  pthread_mutex_lock(&run->mutex);
  if (run->log_length + length < LOG_SIZE) {
    memcpy(run->log + run->log_length, progress->text, length);
    run->log_length += length;
  }
  pthread_mutex_unlock(&run->mutex);
}

static char* copied(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

static void* work(void* context) {
  Run* run = context;
  run->status = run->body(run);
  if (run->status != TW_OK) {
    /* The last error is this thread's. */
    const char* const texts[ERROR_TEXTS] = {tw_error_message(), tw_error_where(), tw_error_what(), tw_error_fix()};
    for (int i = 0; i < ERROR_TEXTS; ++i) run->error[i] = copied(texts[i]);
  }
  pthread_mutex_lock(&run->mutex);
  run->done = 1;
  pthread_cond_signal(&run->news);
  pthread_mutex_unlock(&run->mutex);
  return NULL;
}

static tw_status fit(Run* run) {
  return tw_fit(run->data, run->options[0], listen, run, run->stop, &run->result);
}

static tw_status fold_paths(Run* run) {
  return tw_fold_paths(run->data, run->options, run->settings, run->time_limit, listen, run, run->stop, run->paths);
}

static tw_status trade_off(Run* run) {
  return tw_trade_off_find(run->data, run->options[0], run->positive, listen, run, run->stop, &run->trade_off);
}

/* --- on R's thread ---------------------------------------------------------------------------------------------------------------- */

/* May leave through R_ToplevelExec: on an interrupt, a time limit of R, or a connection that cannot be printed to. */
static void print_and_check(void* log) {
  if (((char*)log)[0] != '\0') Rprintf("%s", (char*)log);
  R_CheckUserInterrupt();
}

static struct timespec soon(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_nsec += MILLISECONDS * 1000000L;
  if (at.tv_nsec >= 1000000000L) {
    at.tv_nsec -= 1000000000L;
    ++at.tv_sec;
  }
  return at;
}

/* Waits for the run. Nothing here jumps away, so the thread never outlives what it uses. */
static void attend(Run* run) {
  char log[LOG_SIZE + 1];
  for (int done = 0; !done;) {
    pthread_mutex_lock(&run->mutex);
    const struct timespec until = soon();
    while (!run->done && pthread_cond_timedwait(&run->news, &run->mutex, &until) == 0) continue;
    done = run->done;
    memcpy(log, run->log, run->log_length);
    log[run->log_length] = '\0';
    run->log_length = 0;
    pthread_mutex_unlock(&run->mutex);
    if (!R_ToplevelExec(print_and_check, log)) tw_stop_request(run->stop);
  }
}

static int started(Run* run, pthread_t* thread) {
  enum { STACK = 16 << 20 }; /* some systems give a thread half a megabyte, which the deepest trees exceed */
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_setstacksize(&attributes, STACK);
#ifndef _WIN32
  /* Signals are R's: its thread alone takes them. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
#endif
  const int status = pthread_create(thread, &attributes, work, run);
#ifndef _WIN32
  pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
  pthread_attr_destroy(&attributes);
  return status == 0;
}

/* Runs the body to its end, or until the user interrupts; then the body returns its best result. Raises its error. */
static void run_through(Run* run) {
  pthread_t thread;
  need_ok(tw_stop_create(&run->stop));
  pthread_mutex_init(&run->mutex, NULL);
  pthread_cond_init(&run->news, NULL);
  const int ran = started(run, &thread);
  if (ran) {
    attend(run);
    pthread_join(thread, NULL);
  }
  pthread_cond_destroy(&run->news);
  pthread_mutex_destroy(&run->mutex);
  tw_stop_free(run->stop);
  if (!ran) Rf_error("no thread can be started for the search (close other programs)");
  if (run->status == TW_OK) return;
  const char* texts[ERROR_TEXTS];
  for (int i = 0; i < ERROR_TEXTS; ++i) {
    /* R frees what is from R_alloc, whatever way this ends. */
    char* kept = R_alloc(run->error[i] == NULL ? 1 : strlen(run->error[i]) + 1, 1);
    texts[i] = strcpy(kept, run->error[i] == NULL ? "" : run->error[i]);
    free(run->error[i]);
  }
  refuse(texts);
}

static Run run_of(tw_status (*body)(Run*), SEXP dataset, const tw_options* const* options, int64_t settings, SEXP verbose) {
  Run run;
  memset(&run, 0, sizeof run);
  run.body = body;
  run.data = dataset_of(dataset);
  run.options = options;
  run.settings = settings;
  run.verbose = Rf_asLogical(verbose) == TRUE;
  return run;
}

SEXP tw_r_fit(SEXP dataset, SEXP options, SEXP verbose) {
  const tw_options* const set = options_of(options);
  SEXP made = PROTECT(new_result());
  Run run = run_of(fit, dataset, &set, 1, verbose);
  run_through(&run);
  own_result(made, run.result);
  UNPROTECT(1);
  return made;
}

/* --- paths of a fold ------------------------------------------------------------------------------------------------------------- */

typedef struct {
  tw_path** paths;
  int64_t count;
} Paths;

static void free_paths(void* context) {
  Paths* all = context;
  for (int64_t i = 0; i < all->count; ++i) tw_path_free(all->paths[i]);
}

/* list(status, alpha_low, alpha_high, trees) of one path */
static SEXP path_in_r(const tw_path* path) {
  static const char* const names[] = {"status", "alpha_low", "alpha_high", "trees"};
  const char* status = NULL;
  int64_t size = 0;
  need_ok(tw_path_status(path, &status));
  need_ok(tw_path_size(path, &size));
  SEXP all = PROTECT(named_list(4, names));
  SET_VECTOR_ELT(all, 0, utf8(status));
  for (int i = 1; i < 4; ++i) SET_VECTOR_ELT(all, i, Rf_allocVector(i == 3 ? VECSXP : REALSXP, (R_xlen_t)size));
  for (int64_t i = 0; i < size; ++i) {
    tw_path_point point = TW_INIT(tw_path_point);
    tw_result* result = NULL;
    SEXP tree = new_result();
    SET_VECTOR_ELT(VECTOR_ELT(all, 3), (R_xlen_t)i, tree);
    need_ok(tw_path_at(path, i, &point));
    need_ok(tw_path_result(path, i, &result));
    own_result(tree, result);
    REAL(VECTOR_ELT(all, 1))[i] = point.alpha_low;
    REAL(VECTOR_ELT(all, 2))[i] = point.alpha_high;
  }
  UNPROTECT(1);
  return all;
}

static SEXP paths_in_r(void* context) {
  const Paths* all = context;
  SEXP out = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)all->count));
  for (int64_t i = 0; i < all->count; ++i) SET_VECTOR_ELT(out, (R_xlen_t)i, path_in_r(all->paths[i]));
  UNPROTECT(1);
  return out;
}

SEXP tw_r_fold_paths(SEXP dataset, SEXP settings, SEXP time_limit) {
  Paths all = {NULL, XLENGTH(settings)};
  const tw_options** options = (const tw_options**)R_alloc((size_t)all.count, sizeof *options);
  for (int64_t i = 0; i < all.count; ++i) options[i] = options_of(VECTOR_ELT(settings, (R_xlen_t)i));
  all.paths = (tw_path**)R_alloc((size_t)all.count, sizeof *all.paths);
  Run run = run_of(fold_paths, dataset, options, all.count, R_NilValue);
  run.time_limit = Rf_asReal(time_limit);
  run.paths = all.paths;
  run_through(&run);
  return R_ExecWithCleanup(paths_in_r, &all, free_paths, &all);
}

/* --- the trade-off ---------------------------------------------------------------------------------------------------------------- */

SEXP tw_r_trade_off(SEXP dataset, SEXP options, SEXP positive, SEXP verbose) {
  static const char* const names[] = {
      "handle", "status", "false_positives", "false_negatives", "ratio_low", "ratio_high", "negative_weight", "positive_weight", "trees"};
  enum { NAMES = 9, FIRST = 2, TREES = 8 };
  const tw_options* const set = options_of(options);
  SEXP made = PROTECT(new_trade_off());
  Run run = run_of(trade_off, dataset, &set, 1, verbose);
  run.positive = Rf_translateCharUTF8(STRING_ELT(positive, 0));
  run_through(&run);
  R_SetExternalPtrAddr(made, run.trade_off);
  int64_t size = 0;
  const char* status = NULL;
  need_ok(tw_trade_off_size(run.trade_off, &size));
  need_ok(tw_trade_off_status(run.trade_off, &status));
  SEXP all = PROTECT(named_list(NAMES, names));
  SET_VECTOR_ELT(all, 0, made);
  SET_VECTOR_ELT(all, 1, utf8(status));
  for (int i = FIRST; i < NAMES; ++i) SET_VECTOR_ELT(all, i, Rf_allocVector(i == TREES ? VECSXP : REALSXP, (R_xlen_t)size));
  for (int64_t i = 0; i < size; ++i) {
    tw_trade_off_corner corner = TW_INIT(tw_trade_off_corner);
    tw_result* result = NULL;
    SEXP tree = new_result();
    SET_VECTOR_ELT(VECTOR_ELT(all, TREES), (R_xlen_t)i, tree);
    need_ok(tw_trade_off_at(run.trade_off, i, &corner));
    need_ok(tw_trade_off_result(run.trade_off, i, &result));
    own_result(tree, result);
    const double values[] = {corner.false_positives, corner.false_negatives, corner.ratio_low,
                             corner.ratio_high,      corner.negative_weight, corner.positive_weight};
    for (int v = 0; v < TREES - FIRST; ++v) REAL(VECTOR_ELT(all, FIRST + v))[i] = values[v];
  }
  UNPROTECT(2);
  return all;
}

SEXP tw_r_trade_off_least(SEXP trade_off, SEXP most_missed) {
  double least = 0;
  need_ok(tw_trade_off_least(trade_off_of(trade_off), Rf_asReal(most_missed), &least));
  return Rf_ScalarReal(least);
}
