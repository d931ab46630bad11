# What is claimed of a tree, in the words of the command, and the recount of it.

format.treewright <- function(x, names = NULL, ...) {
  rules <- rawToChar(.Call(C_write, x$result, "rules", NULL, "", FALSE, names_text(names)))
  Encoding(rules) <- "UTF-8"
  rules
}

print.treewright <- function(x, names = NULL, ...) {
  cat(format(x, names = names), "\n", x$facts, sep = "")
  if (!is.null(x$tuning)) cat("chosen    ", x$tuning$chosen, "\n", sep = "")
  invisible(x)
}

# The columns that the splits ask about, as places among the tree's columns.
asked <- function(result) sort(unique(unlist(.Call(C_nodes, result)$asks)))

summary.treewright <- function(object, ...) {
  confusion <- if (!predicts_numbers(object) && !is.null(object$model) && attr(object$terms, "response") > 0) {
    truth <- as_classes(stats::model.response(object$model), "")
    table(truth = truth, predicted = predict(object))
  }
  structure(class = "summary.treewright", c(
    object$summary, list(call = object$call, facts = object$facts, confusion = confusion,
                         columns = .Call(C_features, object$result)$name[asked(object$result)])
  ))
}

print.summary.treewright <- function(x, ...) {
  if (!is.null(x$call)) {
    cat("Call:\n")
    print(x$call)
    cat("\n")
  }
  cat(x$facts)
  cat("method    ", x$method, "\n", sep = "")
  if (length(x$columns) > 0) cat("asks      ", gsub("[[:cntrl:]]", " ", paste(x$columns, collapse = ", ")), "\n", sep = "")
  if (nzchar(x$selection)) cat("\n", x$selection, sep = "")
  if (!is.null(x$confusion)) {
    cat("\nTraining rows:\n")
    print(x$confusion)
  }
  invisible(x)
}

# Recounts every claim on the rows of the training: by default those in the tree, else `data`, and for a tree from a file also a formula.
check_tree <- function(tree, data, formula = tree$terms, weights = NULL, costs = NULL, cost_matrix = tree$cost_matrix) {
  need_tree(tree)
  frame <- if (missing(data)) stats::model.frame(tree) else frame_of(data, formula, weights, costs)
  rows <- labeled_rows(frame, cost_matrix, if (predicts_numbers(tree)) character(0) else tree$classes)
  strsplit(.Call(C_check, tree$result, labeled(dataset_for(tree, rows$predictors), rows)), "\n", fixed = TRUE)[[1]]
}
