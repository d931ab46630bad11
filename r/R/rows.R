# From a formula and a data frame to labeled rows.

# The model frame of a call such as treewright(formula, data, ...). Missing values stay: the tree can ask about columns that have them.
# Weights, costs and subset are looked up where the call stands, also where the formula was made elsewhere.
model_rows <- function(call, env) {
  call <- formula_call(call, env)
  call <- call[c(1L, match(c("formula", "data", "subset", "weights", "na.action", "costs"), names(call), 0L))]
  formula <- eval(call$formula, env)
  call$formula <- knowing_surv(formula)
  call[[1L]] <- quote(stats::model.frame)
  if (is.null(call$na.action)) call$na.action <- quote(stats::na.pass)
  data <- if (is.null(call$data)) NULL else eval(call$data, env)
  for (name in intersect(c("subset", "weights", "costs"), names(call))) {
    call[[name]] <- tryCatch(eval(call[[name]], data, env), error = function(e) call[[name]])
  }
  frame <- eval(call, env)
  refuse_integer64(frame)
  with_own_times(frame)
}

# A call of columns and classes, treewright(x, y), as one of a formula and data.
formula_call <- function(call, env) {
  x <- eval(call$formula, env)
  if (inherits(x, "formula")) return(call)
  if (!is.data.frame(x) && !is.matrix(x)) refuse_at("formula", paste("is of class", class(x)[1]), "write class ~ columns, or give columns and classes")
  x <- as.data.frame(x)
  name <- utils::tail(make.unique(c(names(x), "class")), 1)
  x[[name]] <- eval(call$data, env)
  call$formula <- stats::reformulate(".", as.name(name))
  call$data <- x
  call
}

# The model frame of rows for a tree that exists.
frame_of <- function(data, formula, weights = NULL, costs = NULL) {
  if (is.null(formula)) refuse_at("formula", "is missing, and the tree is from a file", "write class ~ ., with the column of the class")
  frame <- with_own_times(stats::model.frame(knowing_surv(formula), data, na.action = stats::na.pass))
  refuse_integer64(frame)
  frame[["(weights)"]] <- weights
  frame[["(costs)"]] <- costs
  frame
}

# The columns of a model frame that the right-hand side asks for.
predictors <- function(frame, terms) {
  if (any(attr(terms, "order") > 1)) {
    refuse_at("formula", "has an interaction", "name the columns with +; a tree finds interactions by itself")
  }
  factors <- attr(terms, "factors")
  # The rows of `factors` are the first columns of the frame.
  used <- if (length(factors) == 0) integer(0) else which(rowSums(factors) > 0)
  structure(frame[used], names = names(frame)[used])
}

as_classes <- function(y, name) {
  if (is.null(y) || is.factor(y)) return(y)
  if (!is.null(dim(y)) || !(is.logical(y) || is.character(y) || is.numeric(y))) {
    refuse_at(sprintf("column '%s'", name), "cannot be a class", "use a factor, text, logicals or numbers")
  }
  factor(y)
}

# Everything that training needs of a model frame. Rows without a class or number are left out; so are those of weight 0, which count as no
# rows. `classes`: those of a tree that exists, none if it predicts numbers. `of_classes`: what is to be trained is about classes.
labeled_rows <- function(frame, cost_matrix = NULL, classes = NULL, of_classes = !is.null(cost_matrix) || !is.null(frame[["(costs)"]])) {
  terms <- attr(frame, "terms")
  target <- if (attr(terms, "response") > 0) names(frame)[1]
  numbers <- if (!of_classes && length(classes) == 0) numbers_in(frame)
  if (is.null(numbers) && !is.null(attr(terms, "offset"))) {
    refuse_at("formula", "has an offset, which only counts of events have", "leave it out, or give numbers as the response")
  }
  y <- if (is.null(numbers)) as_classes(stats::model.response(frame), target) else numbers$values
  if (is.null(numbers) && !is.null(y) && length(classes) > 0) y <- factor(as.character(y), levels = classes)
  weights <- stats::model.weights(frame)
  if (!is.null(weights) && !all(is.finite(weights) & weights >= 0)) {
    refuse_at("weights", "one is negative, missing or not finite", "use finite numbers >= 0")
  }
  costs <- frame[["(costs)"]]
  if (is.null(y) && is.null(costs)) refuse_at("formula", "names no class", "write class ~ columns, or give the costs of each row")
  kept <- rep(TRUE, nrow(frame))
  if (!is.null(y)) kept <- kept & !is.na(y)
  if (!is.null(weights)) kept <- kept & weights != 0
  if (anyNA(y)) {
    what <- if (is.null(numbers)) "class" else if (numbers$loss == "survival") "time or status" else "number"
    one_or_more <- ngettext(sum(is.na(y)), "%d row has no %s and is left out", "%d rows have no %s and are left out")
    warn("treewright_data", sprintf(one_or_more, sum(is.na(y)), what))
  }
  rows <- list(
    frame = frame[kept, , drop = FALSE], terms = terms, target = target, y = if (is.null(numbers)) y[kept], weights = weights[kept],
    classes = levels(y), cost_matrix = NULL, costs = NULL, numbers = some_numbers(numbers, kept)
  )
  if (is.null(classes) && !is.null(numbers)) note_on_codes(rows$numbers, target)
  rows$predictors <- predictors(rows$frame, terms)
  if (!is.null(costs)) {
    rows$costs <- row_costs(costs, rows$classes)[kept, , drop = FALSE]
    rows$classes <- colnames(rows$costs)
  }
  if (!is.null(cost_matrix)) rows$cost_matrix <- class_costs(cost_matrix, rows$classes)
  rows
}

# The same for some of the rows.
some_rows <- function(rows, which) {
  rows$frame <- rows$frame[which, , drop = FALSE]
  rows$predictors <- rows$predictors[which, , drop = FALSE]
  rows$y <- rows$y[which]
  rows$numbers <- some_numbers(rows$numbers, which)
  rows$weights <- rows$weights[which]
  rows$costs <- rows$costs[which, , drop = FALSE]
  rows
}

# Gives rows of the library their labels, weights and costs.
labeled <- function(data, rows) {
  if (!is.null(rows$numbers)) {
    .Call(C_set_numbers, data, losses[[rows$numbers$loss]], rows$numbers$values, rows$numbers$exposure, enc2utf8(rows$target))
    if (!is.null(rows$weights)) .Call(C_set_weights, data, as.numeric(rows$weights))
    return(data)
  }
  labels <- if (length(rows$y) > 0 || is.null(rows$costs)) as.integer(rows$y) - 1L
  .Call(C_set_labels, data, labels, enc2utf8(rows$classes), if (!is.null(rows$target)) enc2utf8(rows$target))
  if (!is.null(rows$weights)) .Call(C_set_weights, data, as.numeric(rows$weights))
  if (!is.null(rows$cost_matrix)) .Call(C_set_costs, data, as.numeric(t(rows$cost_matrix)), FALSE)
  if (!is.null(rows$costs)) .Call(C_set_costs, data, as.numeric(t(rows$costs)), TRUE)
  data
}

# Rows of the library to train on, without the columns that are left out.
training_data <- function(rows) {
  data <- labeled(as_dataset(rows$predictors), rows)
  for (column in match(rows$left_out, names(rows$predictors))) .Call(C_mark, data, column, facts[["left_out"]])
  data
}
