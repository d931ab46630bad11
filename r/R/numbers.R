# Responses that are numbers, as rpart reads them: a numeric response is predicted by its mean, cbind(exposure, count), or a count with
# offset(log(exposure)) in the formula, by the rate of events.

# list(values, exposure, loss) of the response of a model frame; NULL where it holds classes.
numbers_in <- function(frame) {
  y <- stats::model.response(frame)
  offset <- stats::model.offset(frame)
  if (is.matrix(y) && is.numeric(y) && ncol(y) == 2) {
    if (!is.null(offset)) refuse_at("formula", "has an offset beside cbind(exposure, count)", "leave one of them out")
    return(list(values = as.numeric(y[, 2]), exposure = as.numeric(y[, 1]), loss = "poisson"))
  }
  if (is.null(y) || !is.null(dim(y)) || is.factor(y) || !is.numeric(y)) return(NULL)
  if (!is.null(offset)) return(list(values = as.numeric(y), exposure = exp(as.numeric(offset)), loss = "poisson"))
  list(values = as.numeric(y), exposure = NULL, loss = "squared")
}

losses <- c(squared = 0L, poisson = 1L)

# Few whole numbers are often the codes of classes.
note_on_codes <- function(numbers, name) {
  values <- numbers$values
  if (numbers$loss != "squared" || anyNA(values) || any(values != round(values)) || length(unique(values)) > 20) return(invisible())
  warn("treewright_data", sprintf("column '%s' holds few different numbers, and is predicted as a number; factor(%s) makes them classes", name, name))
}

some_numbers <- function(numbers, which) {
  if (is.null(numbers)) return(NULL)
  list(values = numbers$values[which], exposure = numbers$exposure[which], loss = numbers$loss)
}

predicts_numbers <- function(tree) !is.null(tree$loss)

# Numbers of rows of the library.
values_of <- function(object, data, frame) .Call(C_predict_values, object$result, data, nrow(frame))

# What people count in a number's score: minus the mean deviance of events, or R2.
number_score <- function(numbers, predicted, weights) {
  if (is.null(weights)) weights <- rep(1, length(predicted))
  y <- numbers$values
  if (numbers$loss == "squared") {
    mean <- sum(weights * y) / sum(weights)
    return(1 - sum(weights * (y - predicted)^2) / sum(weights * (y - mean)^2))
  }
  expected <- predicted * (if (is.null(numbers$exposure)) 1 else numbers$exposure)
  events <- ifelse(y > 0, y * log(y / expected), 0)
  -2 * sum(weights * (events - (y - expected))) / sum(weights)
}
