# What labels cost, by true class and label or by row and label, in the order of the classes.

need_numbers <- function(costs, where) {
  if (!is.numeric(costs) || !all(is.finite(costs))) refuse_at(where, "holds something that is no finite number", "use finite numbers")
}

# The lines of a cost matrix are true classes, its columns labels. Names, where it has them, are those of the classes.
class_costs <- function(costs, classes) {
  costs <- as.matrix(costs)
  need_numbers(costs, "cost_matrix")
  n <- length(classes)
  if (!identical(dim(costs), c(n, n))) {
    refuse_at("cost_matrix", sprintf("is %d by %d, and there are %d classes", nrow(costs), ncol(costs), n),
              "give a line for each true class and a column for each label")
  }
  if (!is.null(rownames(costs)) && !is.null(colnames(costs))) {
    if (!setequal(rownames(costs), classes) || !setequal(colnames(costs), classes)) {
      refuse_at("cost_matrix", "its names are not the classes", paste("use", quoted(classes)))
    }
    costs <- costs[classes, classes]
  }
  costs
}

# A line for each row and a column for each label. `classes`: NULL where labels are actions that the columns name.
row_costs <- function(costs, classes) {
  costs <- as.matrix(costs)
  need_numbers(costs, "costs")
  if (ncol(costs) < 2) refuse_at("costs", "there are fewer than two labels", "give a column for each label")
  if (is.null(classes)) {
    if (is.null(colnames(costs))) colnames(costs) <- seq_len(ncol(costs))
    return(costs)
  }
  if (is.null(colnames(costs)) && ncol(costs) == length(classes)) colnames(costs) <- classes
  if (!setequal(colnames(costs), classes)) {
    refuse_at("costs", "the columns are not the classes",
              paste0("use ", quoted(classes), "; or leave the class out of the formula, where labels are other actions"))
  }
  costs[, classes, drop = FALSE]
}

# The mean cost of labels (codes from 1), or the share of errors where nothing has costs, by weight.
mean_loss <- function(rows, labels) {
  truth <- as.integer(rows$y)
  lost <- if (!is.null(rows$costs)) {
    rows$costs[cbind(seq_along(labels), labels)]
  } else if (!is.null(rows$cost_matrix)) {
    rows$cost_matrix[cbind(truth, labels)]
  } else {
    as.numeric(truth != labels)
  }
  stats::weighted.mean(lost, if (is.null(rows$weights)) rep(1, length(lost)) else rows$weights)
}
