# New rows through a tree.

predict.treewright <- function(object, newdata, type = c("class", "prob", "node"), ...) {
  type <- match.arg(type)
  frame <- rows_for(object, newdata)
  data <- dataset_for(object, frame)
  if (!missing(newdata)) warn_of_rows(object$result, data)
  found <- switch(type,
    class = classes_of(object, .Call(C_predict, object$result, data, nrow(frame))),
    prob = shares_of(object, data, frame),
    node = preorder(.Call(C_nodes, object$result))[.Call(C_apply, object$result, data, nrow(frame))]
  )
  # With na.exclude, rows that were left out of the training are NA.
  if (missing(newdata)) stats::napredict(object$na.action, found) else found
}

fitted.treewright <- function(object, ...) stats::predict(object)

nobs.treewright <- function(object, ...) object$summary$rows

# Classes by their numbers, which count from 1.
classes_of <- function(object, numbers) factor(object$classes[numbers], levels = object$classes)

# The probabilities of rows of the library, which were made from the frame.
shares_of <- function(object, data, frame) {
  shares <- t(.Call(C_predict_proba, object$result, data, nrow(frame)))
  dimnames(shares) <- list(row.names(frame), object$classes)
  shares
}

# The columns that the tree knows, of new rows or of those it was trained on.
rows_for <- function(object, newdata) {
  if (missing(newdata)) return(predictors(stats::model.frame(object), object$terms))
  newdata <- as.data.frame(newdata)
  if (is.null(object$terms)) {
    # The tree comes from a file: it knows its columns by name.
    names <- .Call(C_features, object$result)$name
    need_names(names, newdata)
    return(newdata[names])
  }
  terms <- stats::delete.response(object$terms)
  variables <- as.list(attr(terms, "variables"))[-1]
  need_names(vapply(Filter(is.name, variables), as.character, ""), newdata)
  predictors(stats::model.frame(terms, newdata, na.action = stats::na.pass), terms)
}

# Without this R would look for a missing column among the variables of the session.
need_names <- function(names, newdata) {
  absent <- setdiff(names, names(newdata))
  if (length(absent) == 0) return(invisible())
  refuse_at("newdata", sprintf("has no column %s", quoted(absent)), "give all columns of the training data; NA where a value is not known")
}

# Rows of the library, each column as the tree knows it.
dataset_for <- function(object, frame) {
  for (name in intersect(names(object$zones), names(frame))) check_zone(frame[[name]], name, object$zones[[name]])
  features <- .Call(C_features, object$result)
  known <- match(names(frame), features$name)
  as_dataset(frame, !vapply(features$levels[known], is.null, NA))
}

# Moments that were read in another zone than those of the training are shifted by hours. `zone`: that of the training; "" is the session's.
check_zone <- function(x, name, zone) {
  now <- zone_of(x)
  if (is.null(now) || nzchar(zone) == nzchar(now)) return(invisible())
  if (identical(format(x, tz = paste0(zone, now)), format(x, tz = ""))) return(invisible())
  said <- ifelse(nzchar(c(zone, now)), sprintf("'%s'", c(zone, now)), "that of the session")
  warn("treewright_data", sprintf(
    "column '%s': the zone of its times was %s in training and is %s now; read them with as.POSIXct(..., tz = ) in the zone that they are in",
    name, said[1], said[2]
  ))
}
