# Training.

treewright <- function(formula, data, weights, subset, na.action = na.pass, method = "oct", max_depth = NULL, cost_matrix = NULL, costs = NULL,
                       time_limit = Inf, n_jobs = 1, model = TRUE, verbose = FALSE, ...) {
  call <- match.call()
  rows <- labeled_rows(model_rows(call, parent.frame()), cost_matrix)
  rows$left_out <- heed_notes(rows)
  options <- list(method = method, max_depth = max_depth, time_limit = time_limit, n_jobs = n_jobs, ...)
  fitted_tree(rows, options, call, model, verbose)
}

# The tree of these rows, with a warning if its proof is not complete.
fitted_tree <- function(rows, options, call, model = TRUE, verbose = FALSE) {
  data <- training_data(rows)
  result <- .Call(C_fit, data, option_set(options), isTRUE(verbose))
  tree <- tree_of(result, rows, data, call, model)
  warn_unless_proved(tree$summary)
  tree
}

# A tree of class "treewright". `result` alone holds it; the other members say how it came about and how to read new rows.
tree_of <- function(result, rows, data, call, model = TRUE) {
  summary <- .Call(C_summary, result)
  summary[vapply(summary, function(one) is.numeric(one) && is.nan(one), NA)] <- NULL
  structure(class = "treewright", list(
    result = result, summary = summary, facts = .Call(C_facts, result, data), classes = rows$classes, loss = .Call(C_loss, result),
    call = call, terms = rows$terms,
    na.action = attr(rows$frame, "na.action"),
    cost_matrix = rows$cost_matrix, model = if (model) rows$frame
  ))
}

model.frame.treewright <- function(formula, ...) {
  if (is.null(formula$model)) refuse_at("model.frame", "the tree was made without its rows", "train it with model = TRUE")
  formula$model
}
