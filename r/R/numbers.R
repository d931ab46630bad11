# Responses that are numbers, as rpart reads them: a numeric response is predicted by its mean, cbind(exposure, count), or a count with
# offset(log(exposure)) in the formula, by the rate of events, and Surv(time, status) by the relative hazard.

# list(values, exposure, loss) of the response of a model frame; NULL where it holds classes. Of times to an event `values` are 1 where it
# was seen, and `exposure` is the time.
numbers_in <- function(frame) {
  y <- stats::model.response(frame)
  offset <- stats::model.offset(frame)
  if (inherits(y, "Surv")) {
    if (!is.null(offset)) refuse_at("formula", "has an offset beside Surv(time, status)", "leave it out")
    if (!identical(attr(y, "type"), "right")) {
      refuse_at("formula", sprintf("has a Surv of type \"%s\"", attr(y, "type")), "give Surv(time, status): times up to the event or to the last look")
    }
    time <- as.numeric(unclass(y)[, 1])
    return(list(values = ifelse(is.na(time), NA, as.numeric(unclass(y)[, 2])), exposure = time, loss = "survival"))
  }
  if (is.matrix(y) && is.numeric(y) && ncol(y) == 2) {
    if (!is.null(offset)) refuse_at("formula", "has an offset beside cbind(exposure, count)", "leave one of them out")
    return(list(values = as.numeric(y[, 2]), exposure = as.numeric(y[, 1]), loss = "poisson"))
  }
  if (is.null(y) || !is.null(dim(y)) || is.factor(y) || !is.numeric(y)) return(NULL)
  if (!is.null(offset)) return(list(values = as.numeric(y), exposure = exp(as.numeric(offset)), loss = "poisson"))
  list(values = as.numeric(y), exposure = NULL, loss = "squared")
}

losses <- c(squared = 0L, poisson = 1L, survival = 2L)

# What the package survival calls Surv, for formulas that say it where that package is not attached: a matrix of times and of 1 where the
# event was seen.
surv_of <- function(time, event) {
  status <- as.numeric(event)
  if (is.factor(event) || !is.numeric(time) || length(time) != length(status)) {
    refuse_at("formula", "has a Surv that is not of a time and a status", "give numbers, and TRUE where the event was seen")
  }
  if (any(status == 2, na.rm = TRUE)) status <- status - 1 # 1 and 2, as survival reads them
  if (!all(status %in% c(0, 1, NA))) refuse_at("formula", "has a status other than 0 and 1", "use TRUE where the event was seen")
  structure(cbind(time = as.numeric(time), status = status), type = "right", class = "Surv")
}

# The formula, with a Surv that it can call.
knowing_surv <- function(formula) {
  env <- environment(formula)
  if ("Surv" %in% all.names(formula) && !exists("Surv", envir = env, mode = "function")) {
    environment(formula) <- list2env(list(Surv = surv_of), parent = env)
  }
  formula
}

# A frame whose times to an event stay such when rows are taken, also where the package survival is not loaded.
with_own_times <- function(frame) {
  if (inherits(frame[[1L]], "Surv")) class(frame[[1L]]) <- c("treewright_times", "Surv")
  frame
}

`[.treewright_times` <- function(x, i, ...) {
  structure(unclass(x)[i, , drop = FALSE], type = attr(x, "type"), class = class(x))
}

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

# Harrell's: the share of the pairs with a known order in which the earlier event has the larger number; equal numbers count half.
concordance_of <- function(predicted, time, status, weights) {
  risks <- sort(unique(predicted))
  place <- match(predicted, risks)
  later <- numeric(length(risks))
  pairs <- right <- 0
  times <- sort(unique(time))
  for (here in rev(split(seq_along(time), factor(match(time, times), seq_along(times))))) {
    for (seen in 0:1) {
      rows <- here[status[here] == seen]
      if (seen) {
        below <- c(0, cumsum(later))
        pairs <- pairs + sum(weights[rows]) * below[length(below)]
        right <- right + sum(weights[rows] * (below[place[rows]] + later[place[rows]] / 2))
      }
      for (row in rows) later[place[row]] <- later[place[row]] + weights[row]
    }
  }
  if (pairs == 0) {
    refuse_at("folds", "leave rows of which none is known to outlast the event of another one", "use fewer folds")
  }
  right / pairs
}

# What people count in a number's score: minus the mean deviance of events, R2, or the concordance of times.
number_score <- function(numbers, predicted, weights) {
  if (is.null(weights)) weights <- rep(1, length(predicted))
  y <- numbers$values
  if (numbers$loss == "survival") return(concordance_of(predicted, numbers$exposure, y, weights))
  if (numbers$loss == "squared") {
    mean <- sum(weights * y) / sum(weights)
    return(1 - sum(weights * (y - predicted)^2) / sum(weights * (y - mean)^2))
  }
  expected <- predicted * (if (is.null(numbers$exposure)) 1 else numbers$exposure)
  events <- ifelse(y > 0, y * log(y / expected), 0)
  -2 * sum(weights * (events - (y - expected))) / sum(weights)
}
