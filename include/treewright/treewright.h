/* treewright's C interface: optimal classification trees from any language that can call C.
 *
 * Conventions
 *   Status     Every function that can fail returns a tw_status: TW_OK, or the kind of the mistake. On anything but TW_OK,
 *              tw_error_message() and its siblings tell what happened in this thread, and no output argument has been written.
 *   Structs    Every struct begins with struct_size, the bytes of the struct that the caller knows; TW_INIT sets it:
 *                  tw_summary summary = TW_INIT(tw_summary);
 *              Later versions of this library add members at the end and leave the others where they are. So a program works with
 *              an older or newer library than the one whose header it was compiled with: of a shorter struct only the
 *              first struct_size bytes are read or written; of a longer one, an output's unknown members are set to 0, and an input's must
 *              be 0, or else the call fails with TW_BAD_CALL. In an array, the first element's struct_size holds for all.
 *   Handles    tw_dataset, tw_options, tw_stop, tw_result, tw_path, tw_trade_off, tw_column_worth, tw_near_trees and tw_solver are opaque.
 *              Whoever gets one through an output argument frees it with the matching ..._free; freeing NULL does nothing.
 *   Text       UTF-8, ended by a zero byte. Text returned as `char **` is the caller's, to be freed with tw_text_free. Text returned as
 *              `const char *` belongs to the handle it came from, or to the library.
 *   Buffers    Arrays are copied in, and written to buffers the caller allocated. Shapes are given in parentheses.
 *   Threads    Distinct handles may be used from distinct threads. One handle may be read from several threads at once
 *              (tw_fit reads its dataset and options), but not while another thread changes it. tw_stop_request may be called at any time.
 *
 * A run in full: tw_dataset_create, tw_dataset_add_matrix, tw_dataset_set_labels, tw_options_create, tw_fit, tw_predict. */
#ifndef TREEWRIGHT_TREEWRIGHT_H
#define TREEWRIGHT_TREEWRIGHT_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(TREEWRIGHT_BUILDING_C)
#define TW_API __declspec(dllexport)
#else
#define TW_API __declspec(dllimport)
#endif
#else
#define TW_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- status, version ------------------------------------------------------------------------------------------------------- */

typedef int32_t tw_status;
enum {
  TW_OK = 0,
  /* Mistakes of the program's user. The error names the place and the fix. */
  TW_BAD_OPTION = 1, /* an option's name or value, or options that do not fit together */
  TW_BAD_DATA = 2,   /* the rows, or the text of a tree */
  TW_BAD_FILE = 3,   /* a file cannot be read or written */
  TW_TOO_LARGE = 4,  /* the problem exceeds a limit of the library */
  /* Others. */
  TW_BAD_CALL = 5, /* a NULL where none may be; an index or a size out of range: a mistake of the calling program */
  TW_OUT_OF_MEMORY = 6,
  TW_INTERNAL = 7 /* a bug of treewright */
};

/* The last error of this thread. "where: what (fix)", and its three parts. Valid until this thread's next failing call; "" before any. */
TW_API const char* tw_error_message(void);
TW_API const char* tw_error_where(void);
TW_API const char* tw_error_what(void);
TW_API const char* tw_error_fix(void);

/* "major.minor.patch" */
TW_API const char* tw_version(void);
/* Grows by one whenever a function or a member of a struct below changes its meaning or its place, and not when one is added. It is the
 * SOVERSION of the shared library, so that the loader refuses what would not work. */
#define TW_ABI_VERSION 7
TW_API int32_t tw_abi_version(void);

/* A struct of this type with struct_size set and all else 0. */
#ifdef __cplusplus
#define TW_INIT(type)                \
  ([] {                              \
    type made = type();              \
    made.struct_size = sizeof(type); \
    return made;                     \
  }())
#else
#define TW_INIT(type) ((type){.struct_size = sizeof(type)})
#endif

TW_API void tw_text_free(char* text);

/* --- options --------------------------------------------------------------------------------------------------------------- */

/* One line of the option table. `type`: "integer", "real", "choice" or "text". `range`: "low..high", "a|b|c", or "". `methods`: the
 * methods that read it ("all", "all but" and names, or names, with commas); tw_fit refuses any other method where the option is not at its
 * default. `source`: where its meaning is defined. All texts live as long as the library. */
typedef struct {
  size_t struct_size;
  const char *name, *type, *default_value, *range, *unit, *methods, *source, *help;
} tw_option_info;

TW_API int32_t tw_option_count(void);
TW_API tw_status tw_option_at(int32_t index, tw_option_info* info);

/* One training method (a value of the option "method"). `family`: "axis", "hyperplane", "margot", ...: methods of a family answer the same
 * question, and the first of a family is its usual one. `options`: names of the options it reads, with commas. `exact`: 1 when it proves
 * its result, given time. `has_path`: 1 when tw_complexity_path gives more than the tree of tw_fit. */
typedef struct {
  size_t struct_size;
  const char *name, *family, *description, *options;
  int32_t exact, has_path;
} tw_method_info;

TW_API int32_t tw_method_count(void);
TW_API tw_status tw_method_at(int32_t index, tw_method_info* info);

typedef struct tw_options tw_options;
/* All options at their defaults. */
TW_API tw_status tw_options_create(tw_options** options);
TW_API void tw_options_free(tw_options* options);
/* Numbers are given as text ("3", "0.01", "inf"). TW_BAD_OPTION when the name is unknown or the value does not fit. */
TW_API tw_status tw_options_set(tw_options* options, const char* name, const char* value);
TW_API tw_status tw_options_get(const tw_options* options, const char* name, char** value);
/* Levels that a tree may have: max_depth, or where that is -1 what the method takes for so many classes. */
TW_API tw_status tw_options_depth(const tw_options* options, int64_t classes, int64_t* depth);

/* --- data ------------------------------------------------------------------------------------------------------------------ */

/* What texts mean as dates that tell their order: 2020-03-25, 2020/03/25, 25.03.2020, 25 Mar 2020 or Mar 25, 2020, also with a time behind,
 * and a zone. `days` (count): days since 1970-01-01, of texts with a zone in UTC; NaN where the text is no such date, or differs from the
 * first one that is in its order or in having a zone. `zoned`: 1 if that one has a zone. */
TW_API tw_status tw_read_dates(const char* const* texts, int64_t count, double* days, int32_t* zoned);

typedef enum { TW_FLOAT64 = 0, TW_FLOAT32 = 1 } tw_number;

typedef struct tw_dataset tw_dataset;
/* A dataset of so many rows and, for now, no columns. */
TW_API tw_status tw_dataset_create(int64_t rows, tw_dataset** dataset);
TW_API void tw_dataset_free(tw_dataset* dataset);

/* Adds `columns` numeric columns. The value of row r in column c is at values[r * row_stride + c * column_stride]; strides count
 * numbers, not bytes: (columns, 1) for a row-major matrix, (1, rows) for a column-major one. NaN = missing. `names` (columns), or NULL
 * for x0, x1, ... counted over the whole dataset. */
TW_API tw_status tw_dataset_add_matrix(tw_dataset* dataset, const void* values, tw_number type, int64_t columns, int64_t row_stride,
                                       int64_t column_stride, const char* const* names);
/* Adds one categorical column. `codes` (rows): 0..levels-1, or -1 = missing. `level_names` (levels). */
TW_API tw_status tw_dataset_add_categories(tw_dataset* dataset, const char* name, const int32_t* codes, int64_t levels,
                                           const char* const* level_names);
typedef enum {
  TW_DATES = 0,    /* a numeric column holds dates, as days since 1970-01-01: its thresholds are written as dates */
  TW_TEXTS = 1,    /* a categorical column was made from text, which may be names: see tw_dataset_notes */
  TW_LEFT_OUT = 2, /* a column is not to be used: all its values are missing from now on */
  TW_DAYS = 3,     /* a numeric column holds durations in days: its thresholds are written so */
  TW_ORDERED = 4,  /* the levels of a categorical column ascend: it is split between two neighbors */
  TW_ZONED = 5,    /* as TW_DATES, of moments whose time zone is known: the days are those of UTC. The two kinds do not mix */
} tw_column_fact;
/* Says something about a column that was added. */
TW_API tw_status tw_dataset_mark(tw_dataset* dataset, int64_t column, tw_column_fact fact);
/* `labels` (rows): 0..classes-1; NULL where tw_dataset_set_row_costs is to follow. `class_names` (classes). */
TW_API tw_status tw_dataset_set_labels(tw_dataset* dataset, const int32_t* labels, int64_t classes, const char* const* class_names);
/* What a tree loses that predicts a number. */
typedef enum {
  TW_CLASSES = -1, /* of a tree that predicts classes */
  TW_SQUARED = 0,  /* squared error: leaves predict the mean */
  TW_POISSON = 1,  /* half the Poisson deviance: leaves predict events for each unit of exposure */
  TW_SURVIVAL = 2, /* the same for times up to an event: leaves predict the hazard as a multiple of that of all rows */
} tw_loss;
/* Numbers to predict, in place of labels. `values` (rows): finite; of TW_POISSON numbers of events, >= 0. `exposure` (rows): of TW_POISSON
 * the time or amount at risk, > 0; NULL = 1 for each row. Of TW_SURVIVAL `values` are 1 where the event was seen and 0 elsewhere, and
 * `exposure` is the time of the event, or that at which the row was seen last, >= 0. */
TW_API tw_status tw_dataset_set_numbers(tw_dataset* dataset, tw_loss loss, const double* values, const double* exposure);
/* `weights` (rows): finite and >= 0. */
TW_API tw_status tw_dataset_set_weights(tw_dataset* dataset, const double* weights);
/* `costs` (classes x classes): what each label costs a row that weighs 1, by true class and label, row after row; finite. Call it after
 * tw_dataset_set_labels. tw_fit then minimizes costs in place of errors, with methods that can. */
TW_API tw_status tw_dataset_set_costs(tw_dataset* dataset, const double* costs);
/* `costs` (rows x classes): what each label costs each row that weighs 1, row after row; negative numbers are rewards; finite. It takes the
 * place of tw_dataset_set_costs. Call it after tw_dataset_set_labels; where the labels given there are NULL, each row gets its cheapest
 * one, and tw_fit finds a policy: a tree that chooses among actions. */
TW_API tw_status tw_dataset_set_row_costs(tw_dataset* dataset, const double* costs);
TW_API tw_status tw_dataset_set_target_name(tw_dataset* dataset, const char* name);
/* What a user should know of the data before training, as a JSON list of objects: "kind" (such as near_unique, row_numbers, copies_target,
 * many_classes, rare_class; others may come), "names" (columns; of rare_class the classes), "problem" (in words) and "leave_out" (whether
 * training does better without the columns). */
TW_API tw_status tw_dataset_notes(const tw_dataset* dataset, char** json);
/* The canonical table of the rows: the text that a proof of tw_fit speaks of, without class weights of its options (docs/proof-format.md).
 * */
TW_API tw_status tw_dataset_table(const tw_dataset* dataset, char** text);

/* --- training -------------------------------------------------------------------------------------------------------------- */

/* Asks runs to stop; a run then returns the best tree it has. May be called from any thread and from signal handlers. It stays requested:
 * each later run that is given it stops at once. */
typedef struct tw_stop tw_stop;
TW_API tw_status tw_stop_create(tw_stop** stop);
TW_API void tw_stop_free(tw_stop* stop);
TW_API void tw_stop_request(tw_stop* stop);

/* One line of a run's log: seconds since its start, the best objective so far, the proved lower bound on it, and a letter for who found
 * the tree: C = a greedy tree, H = a heuristic, L = look-ahead, S = exact search, P = a round on clusters, M = MIP solver,
 * ' ' = only the bound rose, or half a second went by without news; before there is a tree, the objective is then infinite and the bound
 * minus infinite. `text`: the line as the command prints it, with the log's head before the first one; "" where a line so soon after
 * another is better not shown. It lives until the listener returns. struct_size: what the library knows; it has no member beyond. */
typedef struct {
  size_t struct_size;
  double seconds, incumbent, bound;
  char source;
  const char* text;
  int64_t subproblems; /* solved so far */
  double done;         /* of an exact search: bound / incumbent, as a mean over the depths it solves; else 0 */
  double closed;       /* of an exact search: share of the root's cuts that need no more work; else 0 */
  double seconds_left; /* estimated; infinite = unknown */
  int64_t facts;       /* in the checkpoint */
  double written;      /* share of the proof's parts that are written, once the search has ended */
} tw_progress;

/* Called from whichever thread has news, never from two at once. */
typedef void (*tw_listener)(const tw_progress* progress, void* context);

typedef struct tw_result tw_result;
/* Trains a tree. `listener` and `stop` may be NULL. A limit that was reached is told by tw_summary.status, not by the return value. */
TW_API tw_status tw_fit(const tw_dataset* dataset, const tw_options* options, tw_listener listener, void* context, const tw_stop* stop,
                        tw_result** result);
TW_API void tw_result_free(tw_result* result);

/* All trees that are optimal for some price of a split: the corners of the convex hull of (splits, errors), fewest splits first.
 * ccp_alpha is not read; all other options hold. With an exact method the hull is exact unless a limit stopped it. */
typedef struct tw_path tw_path;
TW_API tw_status tw_complexity_path(const tw_dataset* dataset, const tw_options* options, tw_listener listener, void* context,
                                    const tw_stop* stop, tw_path** path);
TW_API void tw_path_free(tw_path* path);

/* One corner. The tree is optimal for every ccp_alpha from alpha_low to alpha_high (in units of alpha_scale; the last is infinite). */
typedef struct {
  size_t struct_size;
  int64_t splits;
  double errors, alpha_low, alpha_high;
} tw_path_point;

TW_API tw_status tw_path_size(const tw_path* path, int64_t* points);
/* "optimal" when every corner is proved; otherwise the limit that stopped the search, and corners may be missing. */
TW_API tw_status tw_path_status(const tw_path* path, const char** status);
TW_API tw_status tw_path_at(const tw_path* path, int64_t index, tw_path_point* point);
/* A copy of the corner's tree with its claims. */
TW_API tw_status tw_path_result(const tw_path* path, int64_t index, tw_result** result);

/* Of two classes, an optimal tree for every ratio of the prices of both kinds of errors: one for each corner of the convex hull of (false
 * positives, false negatives), fewest false positives first. `positive`: the name of the positive class; "" = the second. ccp_alpha,
 * class_weight and min_weight_fraction_leaf must be at their defaults, and the method oct. */
typedef struct tw_trade_off tw_trade_off;
TW_API tw_status tw_trade_off_find(const tw_dataset* dataset, const tw_options* options, const char* positive, tw_listener listener,
                                   void* context, const tw_stop* stop, tw_trade_off** trade_off);
TW_API void tw_trade_off_free(tw_trade_off* trade_off);

/* One corner: its errors by weight of the training rows, and what a false negative costs, in false positives, where it is the best tree
 * (the last ratio_high is infinite). Its tree was trained with these weights of the negative and the positive class. */
typedef struct {
  size_t struct_size;
  double false_positives, false_negatives, ratio_low, ratio_high, negative_weight, positive_weight;
} tw_trade_off_corner;

TW_API tw_status tw_trade_off_size(const tw_trade_off* trade_off, int64_t* corners);
/* "optimal" when every corner is proved; otherwise what stopped the search, and corners may be missing. */
TW_API tw_status tw_trade_off_status(const tw_trade_off* trade_off, const char** status);
TW_API tw_status tw_trade_off_at(const tw_trade_off* trade_off, int64_t index, tw_trade_off_corner* corner);
/* A copy of the corner's tree with its claims. */
TW_API tw_status tw_trade_off_result(const tw_trade_off* trade_off, int64_t index, tw_result** result);
/* No tree within the limits with at most so many false negatives has fewer false positives. */
TW_API tw_status tw_trade_off_least(const tw_trade_off* trade_off, double most_false_negatives, double* false_positives);
/* A picture of it, with the greedy trees on these rows (NULL = without them). */
TW_API tw_status tw_trade_off_svg(const tw_trade_off* trade_off, const tw_dataset* rows, char** svg);

/* What each column is worth: the least cost of a tree that asks it first, and of one that never asks it, each proved; the columns of most
 * worth come first. `most_more`: of costs more than so many errors above the best tree's, only this is told (INFINITY = all are found). The
 * method must be oct; first_column, never_columns, min_weight_fraction_leaf and checkpoint must be at their defaults. */
typedef struct tw_column_worth tw_column_worth;
TW_API tw_status tw_column_worth_find(const tw_dataset* dataset, const tw_options* options, double most_more, tw_listener listener,
                                      void* context, const tw_stop* stop, tw_column_worth** worth);
TW_API void tw_column_worth_free(tw_column_worth* worth);
/* A least cost, in errors by weight plus the price of the splits, lies between `bound` and `cost`, that of the best tree found (infinite =
 * none). `status`: optimal = both are equal; infeasible = there is no such tree; heuristic = more than was to be told; else a limit. */
typedef struct {
  size_t struct_size;
  double bound, cost;
  const char* status;
} tw_least_cost;
TW_API tw_status tw_column_worth_size(const tw_column_worth* worth, int64_t* columns);
TW_API tw_status tw_column_worth_status(const tw_column_worth* worth, const char** status);
TW_API tw_status tw_column_worth_best(const tw_column_worth* worth, tw_least_cost* best); /* of all trees */
/* A column, whether the best tree asks it (0 or 1), and the least costs of the trees that ask it first and that never ask it. */
TW_API tw_status tw_column_worth_at(const tw_column_worth* worth, int64_t index, const char** name, int32_t* used, tw_least_cost* first,
                                    tw_least_cost* never);
/* A copy of the best tree found that asks the column first (`first` is 1) or never (0), with its claims; NULL where there is none. */
TW_API tw_status tw_column_worth_result(const tw_column_worth* worth, int64_t index, int32_t first, tw_result** result);

/* For each column the best split on it in the one place that "?" marks in the option top, and the least cost of the trees that begin so:
 * "status", "unit" ("errors" or "cost"), "best" of all such trees, "leaf" of those with a leaf in the place, "columns", the cheapest first,
 * each with its "name", the "split" as top takes it, its "text", "bound", "cost" ("inf" where there is no tree) and "status", and
 * "left_out", categories of too many levels. As JSON; limits as for tw_column_worth_find, and max_splits at its default. */
TW_API tw_status tw_column_splits(const tw_dataset* dataset, const tw_options* options, tw_listener listener, void* context,
                                  const tw_stop* stop, char** json);

/* The trees that cost, in errors by weight plus the price of the splits, at most `within` more than the best one; of more than `count` the
 * cheapest. `only_sets` (0 or 1): of the trees that ask the same columns the cheapest one. The method must be oct; the other options as for
 * tw_column_worth_find, and no node_limit. */
typedef struct tw_near_trees tw_near_trees;
TW_API tw_status tw_near_trees_find(const tw_dataset* dataset, const tw_options* options, double within, int64_t count, int32_t only_sets,
                                    tw_listener listener, void* context, const tw_stop* stop, tw_near_trees** near);
TW_API void tw_near_trees_free(tw_near_trees* near);
/* `size`: trees. `best`: what the best tree costs. `complete_within`: all trees that cost so much more or less are there; below 0 = not
 * even all that cost the same. `status`: of the best tree, or what stopped the run. */
typedef struct {
  size_t struct_size;
  int64_t size;
  double best, complete_within;
  const char* status;
} tw_near_trees_summary;
TW_API tw_status tw_near_trees_info(const tw_near_trees* near, tw_near_trees_summary* summary);
/* A copy of a tree with its claims, the cheapest first. */
TW_API tw_status tw_near_trees_result(const tw_near_trees* near, int64_t index, tw_result** result);

/* A tree trained on a fold under a setting of the options, the alphas it is to be taken for, its score on the rows left out, how many
 * features it uses, and its splits. The tree with alpha_low = 0 must not be missing from any fold. */
typedef struct {
  size_t struct_size;
  int64_t setting, fold;
  double alpha_low, alpha_high, score, features;
  double splits;
} tw_scored_tree;

/* An interval of alpha on which no fold changes its tree: means over the folds. */
typedef struct {
  size_t struct_size;
  int64_t setting;
  double alpha_low, alpha_high, score, features;
  double splits, standard_error; /* of the score; NaN with one fold */
} tw_curve_step;

/* The mean score as a step function of alpha for each setting, and the choice on it. `trees` (count). `rule`: "best", the highest score,
 * "sparse", the fewest features among the steps of at least 0.975 of the highest score, or "one-se", the fewest splits within one
 * standard error of the highest score; where scores are minus costs, "best-cost", "sparse-cost", which takes costs of up to the least
 * one / 0.975, or "one-se-cost". So with "-rmse", "-mae" and "-deviance". `steps` (count): room for the steps; the first has its
 * struct_size. Their number goes to `n_steps`. `chosen`: the union of the chosen steps. `alpha`: its middle. `why`, to be freed with
 * tw_text_free: in words. */
TW_API tw_status tw_choose(const tw_scored_tree* trees, int64_t count, const char* rule, tw_curve_step* steps, int64_t* n_steps,
                           tw_curve_step* chosen, double* alpha, char** why);

/* The part of tuning that folds do independently of each other: the paths of several settings of the options on the training rows of a
 * fold, written to `paths` (count) in the order of `settings` (count). Settings of strict limits are trained first, and their trees are
 * ones to beat in the others. `time_limit` (seconds, may be infinite) bounds all of them together; the settings' own limits are not read.
 * Where a method has no path, its path is one tree. */
TW_API tw_status tw_fold_paths(const tw_dataset* dataset, const tw_options* const* settings, int64_t count, double time_limit,
                               tw_listener listener, void* context, const tw_stop* stop, tw_path** paths);

/* The table of the trees that enter a choice, as the command "tune" prints it: its head, and the line of a path's corner. `setting`: the
 * setting's name, "" where there is only one. `fold` counts from 0. Both texts end with their line. */
TW_API const char* tw_tune_table_head(void);
TW_API tw_status tw_tune_table_line(const tw_path* path, int64_t index, const char* setting, int64_t fold, double score, char** line);

/* --- training on several machines ------------------------------------------------------------------------------------------ */

/* A task of the exact search that another machine can solve. `name`: for people. `problem`: rows and limits, the same bytes for all tasks
 * of a search. `task`: different for each of them. `seconds`: how long to wait for the answer; 0 = begin the task and return at once, below
 * 0 = the answer is not wanted any more. All lives until the function returns. */
typedef struct {
  size_t struct_size;
  const char* name;
  const void* problem;
  size_t problem_size;
  const char* task;
  double seconds;
} tw_search_task;

/* Begins a task on another machine, unless it has begun, waits at most `seconds`, and hands over the answer of tw_solver_solve if it is
 * there by then: tw_answer_set. Called from several threads at once. To give up, it calls tw_stop_request. */
typedef struct tw_answer tw_answer;
typedef void (*tw_elsewhere)(const tw_search_task* task, tw_answer* answer, void* context);
TW_API tw_status tw_answer_set(tw_answer* answer, const char* text);

/* tw_fit with the help of other machines. The result is the same. Only for the method oct. */
TW_API tw_status tw_fit_elsewhere(const tw_dataset* dataset, const tw_options* options, tw_elsewhere elsewhere, void* elsewhere_context,
                                  tw_listener listener, void* context, const tw_stop* stop, tw_result** result);

/* What another machine solves the tasks with: made from the bytes of tw_search_task.problem. TW_BAD_FILE if they come from another version
 * of treewright. */
typedef struct tw_solver tw_solver;
TW_API tw_status tw_solver_create(const void* problem, size_t size, tw_solver** solver);
TW_API void tw_solver_free(tw_solver* solver);
/* May be called from several threads at once. `stop` may be NULL. `answer`: "" if the task was stopped. */
TW_API tw_status tw_solver_solve(const tw_solver* solver, const char* task, const tw_stop* stop, char** answer);

/* --- what came out --------------------------------------------------------------------------------------------------------- */

/* Errors and weights are sums of row weights. `bound`: no tree within the limits has a smaller objective; 0 when nothing was proved.
 * gap = (objective - bound) / max(|objective|, 1e-10). objective = errors / error_scale + alpha * terms: features that the
 * splits ask for, summed over the splits (a hyperplane asks for several). `selection`: of auto, what was chosen and why; of partition, its
 * rounds. */
typedef struct {
  size_t struct_size;
  double objective, bound, gap, errors, total_weight, accuracy, seconds, alpha, error_scale;
  int64_t rows, features, classes, nodes, leaves, splits, terms, depth, seed, threads;
  int64_t hyperplane_terms, category_flags; /* lengths of tw_nodes' term and left_set arrays */
  const char* status;                       /* optimal, time_limit, interrupted, node_limit, infeasible, heuristic */
  const char *method, *proved, *selection;
  int64_t verified; /* 1: a checker that knows nothing of the search has gone through a proof of the bound */
  double cost;      /* of the labels of the training rows, where the data have costs; else NaN */
  /* Of numbers (errors and accuracy are NaN then): what the tree loses on the training rows, and the share that it avoids of what one
   * without splits loses (R2 of squared error); else NaN. */
  double loss, explained;
  int64_t loss_kind; /* a tw_loss */
} tw_summary;
TW_API tw_status tw_result_summary(const tw_result* result, tw_summary* summary);

/* What the tree knows of one column. `levels` is 0 for a numeric one. Of ordered levels the thresholds lie between the places 0, 1, ... */
typedef struct {
  size_t struct_size;
  const char* name;
  int64_t levels;
  int32_t is_category, has_missing, is_date, is_days, is_ordered, is_zoned;
} tw_feature;
TW_API tw_status tw_result_feature(const tw_result* result, int64_t feature, tw_feature* info);
/* A threshold on a feature as texts and pictures show it: a date, a number with as many digits as keep the training rows apart, or the
 * highest of the ordered levels below it. */
TW_API tw_status tw_result_number_text(const tw_result* result, int64_t feature, double value, char** text);
TW_API tw_status tw_result_level(const tw_result* result, int64_t feature, int64_t level, const char** name);
TW_API tw_status tw_result_class(const tw_result* result, int64_t index, const char** name);

enum { TW_LEAF = 0, TW_AXIS = 1, TW_HYPERPLANE = 2, TW_CATEGORIES = 3 };

/* The tree as arrays, one entry for each node; node 0 is the root, children come after their parent. Any pointer may be NULL.
 * A row goes left iff  axis: x[feature] < threshold;  hyperplane: the sum of term_weight * x[term_feature] over the node's terms <
 * threshold;  categories: left_set of its level is 1. A row that lacks a value the node asks for goes left iff missing_go_to_left.
 * A term of a category has a term_level: its x is 1 where the row has this level, else 0. Where the value is missing, x is term_if_missing,
 * and if that is NaN too the row goes by missing_go_to_left. */
typedef struct {
  size_t struct_size;
  int32_t* kind;               /* (nodes) TW_LEAF, ... */
  int64_t* children_left;      /* (nodes) -1 for a leaf */
  int64_t* children_right;     /* (nodes) -1 for a leaf */
  int64_t* feature;            /* (nodes) -2 where there is no single one */
  double* threshold;           /* (nodes) -2 where there is none */
  uint8_t* missing_go_to_left; /* (nodes) */
  int32_t* label;              /* (nodes) class of largest weight; where labels have costs, the cheapest label */
  int64_t* n_node_samples;     /* (nodes) training rows */
  double* class_weight;        /* (nodes, classes) weight of each class among them */
  int64_t* term_begin;         /* (nodes + 1) node i owns the terms term_begin[i] .. term_begin[i+1]-1 */
  int64_t* term_feature;       /* (hyperplane_terms) */
  double* term_weight;         /* (hyperplane_terms) */
  int64_t* term_level;         /* (hyperplane_terms) -1 for a number */
  double* term_if_missing;     /* (hyperplane_terms) NaN = nothing stands in */
  int64_t* set_begin;          /* (nodes + 1) node i owns the flags set_begin[i] .., one for each level of its feature */
  uint8_t* left_set;           /* (category_flags) */
  double* value;               /* (nodes) number predicted, where the tree predicts numbers; else 0 */
  double* weight;              /* (nodes) of the training rows */
  double* exposure;            /* (nodes) sum of weight * exposure, where the tree predicts numbers; else 0 */
  double* loss;                /* (nodes) of the value on them; 0 where the tree predicts classes */
} tw_nodes;
TW_API tw_status tw_result_nodes(const tw_result* result, const tw_nodes* nodes);

/* What a user should know of rows before believing what is predicted for them, as a JSON list of objects: "kind" (unseen_levels, no_value,
 * one_value; others may come), "column", "problem" and "remedy" (in words). A column that the tree asks about may hold levels that training
 * did not see in many rows, one value in all, or none. */
TW_API tw_status tw_row_notes(const tw_result* result, const tw_dataset* dataset, char** json);
/* Rows of `dataset` through the tree. Columns are found by name, levels by their names; a level the tree has not seen is a missing
 * value. Probabilities are those of the leaf, or depend on the distances to hyperplanes as well. */
TW_API tw_status tw_predict(const tw_result* result, const tw_dataset* dataset, int32_t* classes);            /* (rows) */
TW_API tw_status tw_predict_proba(const tw_result* result, const tw_dataset* dataset, double* probabilities); /* (rows, classes) */
TW_API tw_status tw_predict_values(const tw_result* result, const tw_dataset* dataset, double* values);       /* (rows), of numbers */
/* Those of the leaf, with another shrinkage than the tree's own: each step of a leaf's path is divided by 1 + shrinkage / weight of the
 * node above. 0 = the shares in each leaf. */
TW_API tw_status tw_predict_shrunk_proba(const tw_result* result, const tw_dataset* dataset, double shrinkage, double* probabilities);
/* The tree's own shrinkage, which exports and reports follow; to set it drops what depends on distances. Usual is 10, or 10 times a mean
 * weight below 1. */
TW_API tw_status tw_result_shrinkage(const tw_result* result, double* shrinkage);
TW_API tw_status tw_result_set_shrinkage(tw_result* result, double shrinkage);
TW_API tw_status tw_apply(const tw_result* result, const tw_dataset* dataset, int64_t* leaves); /* (rows) */
/* The nodes each row visits, as a sparse matrix by rows: row r visits visited[begin[r]] .. visited[begin[r+1]-1], the root first. Shapes
 * (rows + 1) and (rows * (depth + 1)), of which begin[rows] are written. */
TW_API tw_status tw_decision_path(const tw_result* result, const tw_dataset* dataset, int64_t* begin, int64_t* visited);

/* Recounts every claim of the result on the rows it was trained on (with their weights): one line for each claim that does not hold, ""
 * when all hold. */
TW_API tw_status tw_result_check(const tw_result* result, const tw_dataset* dataset, char** broken);

/* What is claimed of the tree in words, as the command "fit" prints it below the tree: a line for each fact (status, objective, bound, gap,
 * ...) and each note. With the training rows (`rows` may be NULL) also how many of weighted rows are wrong. */
TW_API tw_status tw_result_facts(const tw_result* result, const tw_dataset* rows, char** text);

/* Why the tree predicts its class for a row of the dataset, in words: path, nearest change of the class, Shapley values. With `train` (may
 * be NULL), labeled training rows, distances are in their standard deviations and importances are added. */
TW_API tw_status tw_result_explain(const tw_result* result, const tw_dataset* dataset, int64_t row, const tw_dataset* train, char** text);
/* The smallest change to a row of the dataset after which the tree predicts another class, as JSON: {"label": 1, "distance": 0.5,
 * "changes": [{"feature": 0, "from": 1, "to": 2, "below": null}]}, or null if there is none. `label` is a class, `from` and `to` are values
 * or levels; with `below` the new value is anything below that number, and `to` is the nearest double. Distances are in standard deviations
 * of the rows of `train`, or in raw units where it is NULL; a change of level counts 1. */
TW_API tw_status tw_result_counterfactual(const tw_result* result, const tw_dataset* dataset, int64_t row, const tw_dataset* train,
                                          char** json);
/* The same where the tree predicts numbers: the smallest change after which the number is below `below` and above `above`, each infinite
 * where it does not count; with neither any other number. In place of `label` stands `value`, the number. */
TW_API tw_status tw_result_change_to(const tw_result* result, const tw_dataset* dataset, int64_t row, const tw_dataset* train, double below,
                                     double above, char** json);
/* Exact Shapley values of the class probabilities. `values` (rows, features, classes), `average` (classes). Not for trees with
 * hyperplanes. */
TW_API tw_status tw_shapley_values(const tw_result* result, const tw_dataset* dataset, double* values, double* average);

/* A format that tw_result_write knows. All texts live as long as the library. */
typedef struct {
  size_t struct_size;
  const char *name, *extension, *description;
} tw_format_info;
TW_API int32_t tw_format_count(void);
TW_API tw_status tw_format_at(int32_t index, tw_format_info* info);

/* How a program is written. Begin with TW_INIT, then set what is not as usual. */
typedef struct {
  size_t struct_size;
  const char* name;   /* "c", "cpp", "javascript": of prefix, namespace or object; NULL = made of a checksum of the program */
  int32_t backquotes; /* "sql": 1 = names stand in `backquotes`, as MySQL, Spark, Hive and BigQuery read them */
  const char* names;  /* pictures and texts: as those of tw_report */
} tw_export;
/* The tree in a format: "json" (what tw_result_read reads), "rules", "c", "onnx", ... `options` may be NULL. With the training rows (`rows`
 * may be NULL) what is written is checked on each of them first. `length` (may be NULL): the bytes written; "onnx" holds bytes of value 0.
 * */
TW_API tw_status tw_result_write(const tw_result* result, const char* format, const tw_export* options, const tw_dataset* rows, char** text,
                                 int64_t* length);

/* What a report shows besides the result. Begin with TW_INIT, then set what there is. */
typedef struct {
  size_t struct_size;
  const tw_dataset *train, *test; /* labeled rows: those of the training, and others. NULL = none */
  const tw_result* beside;        /* another tree on the same rows, to compare with */
  const tw_path* path;            /* the complexity path of the same rows */
  const char *title, *data_name;  /* headline; what the command to reproduce calls the data */
  int32_t with_rows, notebook;    /* embed the training rows; a short form inside a frame instead of a page */
  const char *author, *date;      /* who is responsible for the tree, and the day, as they are to be shown */
  const char* names;              /* what people call the columns: CSV, a line column,name,unit for each; NULL = as they are */
} tw_report;
/* One self-contained HTML page. */
TW_API tw_status tw_result_report(const tw_result* result, const tw_report* options, char** html);

TW_API tw_status tw_result_read(const char* json, size_t length, tw_result** result);

#ifdef __cplusplus
}
#endif

#endif
