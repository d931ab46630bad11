# The choice of depth and price of a split by cross-validation, on the exact complexity path of every fold.

tune_tree <- function(formula, data, weights, subset, na.action = na.pass, method = "oct", max_depths = NULL, folds = 5,
                      rule = c("best", "sparse", "one-se"), cost_matrix = NULL, costs = NULL, time_limit = Inf, n_jobs = 1, model = TRUE, verbose = FALSE, ...) {
  call <- match.call()
  rule <- match.arg(rule)
  rows <- labeled_rows(model_rows(call, parent.frame()), cost_matrix)
  rows$left_out <- heed_notes(rows)
  if (!is.null(max_depths) && length(max_depths) == 0) refuse_at("max_depths", "there is no depth to try", "give at least one")
  options <- list(method = method, time_limit = time_limit, n_jobs = n_jobs, ...)
  usual <- .Call(C_depth, option_set(list(method = method)), max(2L, length(rows$classes)))
  # Many classes need more levels: -1 stands for as many as they need, with the limit on work that treewright() has there.
  if (is.null(max_depths)) max_depths <- c(1:3, if (usual > 3) -1L)
  # The final tree as those of the folds, for which nobody chooses a cost.
  if (is.null(options$svm_cost) && method %in% c("oct-h", "tao", "logistic-h")) options$svm_cost <- 1
  fold_of <- fold_numbers(rows, folds)
  scored <- list()
  for (fold in seq_len(max(fold_of))) {
    paths <- paths_of(some_rows(rows, fold_of != fold), options, max_depths)
    scored[[fold]] <- score_paths(paths, some_rows(rows, fold_of == fold), fold)
    if (any(vapply(paths, function(path) path$status == "interrupted", NA))) {
      warn("treewright_optimality", sprintf("it was interrupted: %d of %d folds decide", fold, max(fold_of)))
      break
    }
  }
  choice <- .Call(C_choose, as.list(do.call(rbind, scored)), paste0(rule, switch(scored_by(rows), cost = "-cost", deviance = "-deviance", "")))
  options$max_depth <- max_depths[choice$chosen$setting]
  has_path <- with(treewright_methods(), has_path[name == method])
  if (has_path) options$ccp_alpha <- choice$alpha
  tree <- fitted_tree(rows, options, call, model, verbose)
  tree$tuning <- tuning_of(choice, options, ifelse(max_depths < 0, usual, max_depths), rows)
  tree
}

# The number of each row's fold: classes are spread evenly. set.seed() repeats them.
fold_numbers <- function(rows, folds) {
  n <- nrow(rows$frame)
  whole <- is.numeric(folds) && all(is.finite(folds)) && all(folds == round(folds))
  if (whole && length(folds) == n && n > 1) return(match(folds, sort(unique(folds))))
  if (!whole || length(folds) != 1 || folds < 2 || folds > n) {
    refuse_at("folds", "is no number of folds", sprintf("use a whole number of 2 to %d, or the fold of each row", n))
  }
  classes <- if (is.null(rows$y)) rep(1L, n) else as.integer(rows$y)
  shuffled <- sample.int(n)
  shuffled <- shuffled[order(classes[shuffled])]
  fold_of <- integer(n)
  fold_of[shuffled] <- rep_len(sample.int(folds), n)
  fold_of
}

# The complexity path of each depth. The time limit of a fold serves all depths.
paths_of <- function(rows, options, max_depths) {
  data <- training_data(rows)
  settings <- lapply(max_depths, function(depth) option_set(c(options, list(max_depth = depth))))
  .Call(C_fold_paths, data, settings, options$time_limit * length(max_depths))
}

# What the trees are compared by on the rows that were left out.
scored_by <- function(rows) {
  if (!is.null(rows$numbers)) return(c(squared = "R2", poisson = "deviance", survival = "concordance")[[rows$numbers$loss]])
  if (has_costs(rows)) "cost" else "accuracy"
}

splits_of <- function(trees) vapply(trees, function(tree) sum(!is.na(.Call(C_nodes, tree)$left)), 0)

has_costs <- function(rows) !is.null(rows$costs) || !is.null(rows$cost_matrix)

# Trees of the paths with their score on the rows that were left out: accuracy, or minus the mean cost; of numbers R2, minus the mean
# deviance, or the concordance.
score_paths <- function(paths, rows, fold) {
  lines <- lapply(seq_along(paths), function(setting) {
    path <- paths[[setting]]
    score <- vapply(path$trees, function(tree) {
      if (!is.null(rows$numbers)) {
        predicted <- .Call(C_predict_values, tree, as_dataset(rows$predictors), nrow(rows$predictors))
        return(number_score(rows$numbers, predicted, rows$weights))
      }
      labels <- .Call(C_predict, tree, as_dataset(rows$predictors), nrow(rows$predictors))
      (if (has_costs(rows)) 0 else 1) - mean_loss(rows, labels)
    }, 0)
    features <- vapply(path$trees, function(tree) length(asked(tree)), 0L)
    data.frame(setting = setting, fold = fold, alpha_low = path$alpha_low, alpha_high = path$alpha_high, score = score,
               features = as.numeric(features), splits = splits_of(path$trees))
  })
  all <- do.call(rbind, lines)
  all[] <- lapply(all, as.numeric)
  all
}

# The curve of mean scores, and the choice in words.
tuning_of <- function(choice, options, max_depths, rows) {
  curve <- as.data.frame(choice$curve)
  curve$max_depth <- max_depths[curve$setting]
  name <- scored_by(rows)
  sign <- if (name %in% c("cost", "deviance")) -1 else 1
  curve[[name]] <- sign * curve$score
  price <- if (is.null(options$ccp_alpha)) "" else sprintf(", alpha %.4g", options$ccp_alpha)
  score <- sprintf("mean validation %s %.4f", name, sign * choice$chosen$score)
  list(
    curve = curve[c("max_depth", "alpha_low", "alpha_high", name, "features")], max_depth = max_depths[choice$chosen$setting],
    ccp_alpha = options$ccp_alpha, chosen = sprintf("max_depth=%s%s, %s: %s", max_depths[choice$chosen$setting], price, score, choice$why)
  )
}
