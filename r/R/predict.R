# New rows through a tree.

predict.treewright <- function(object, newdata, type = c("response", "class", "prob", "node"), ...) {
  type <- match.arg(type)
  if (type == "response") type <- if (predicts_numbers(object)) "number" else "class"
  if (predicts_numbers(object) && type %in% c("class", "prob")) {
    refuse_at("type", sprintf("is \"%s\", and the tree predicts numbers", type), "use \"response\"")
  }
  frame <- rows_for(object, newdata)
  data <- dataset_for(object, frame)
  if (!missing(newdata)) warn_of_rows(object$result, data)
  found <- switch(type,
    number = values_of(object, data, frame),
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

# The columns that the splits ask about, of new rows, or all of the rows it was trained on.
rows_for <- function(object, newdata) {
  if (missing(newdata)) return(predictors(stats::model.frame(object), object$terms))
  newdata <- as.data.frame(newdata)
  wanted <- .Call(C_features, object$result)$name[asked(object$result)]
  # The tree comes from a file: it knows its columns by name.
  if (is.null(object$terms)) {
    need_names(wanted, newdata)
    return(newdata[wanted])
  }
  terms <- stats::delete.response(object$terms)
  variables <- as.list(attr(terms, "variables"))[-1]
  kept <- which(vapply(variables, called, "") %in% wanted)
  need_names(vapply(Filter(is.name, variables[kept]), as.character, ""), newdata)
  if (length(kept) == 0) return(newdata[integer(0)])
  for (part in c("variables", "predvars")) attr(terms, part) <- attr(terms, part)[c(1L, kept + 1L)]
  stats::model.frame(terms, newdata, na.action = stats::na.pass)
}

# What model.frame calls a variable of a formula.
called <- function(x) paste(deparse(x, width.cutoff = 500L, backtick = !is.name(x)), collapse = " ")

# Without this R would look for a missing column among the variables of the session.
need_names <- function(names, newdata) {
  absent <- setdiff(names, names(newdata))
  if (length(absent) == 0) return(invisible())
  refuse_at("newdata", sprintf("has no column %s", quoted(absent)), "give all columns that the tree asks; NA where a value is not known")
}

# Rows of the library, each column as the tree knows it.
dataset_for <- function(object, frame) {
  features <- .Call(C_features, object$result)
  # Rows without a column would be no rows.
  if (length(frame) == 0) frame[[features$name[1]]] <- rep(NA_real_, nrow(frame))
  known <- match(names(frame), features$name)
  naive <- features$dated[known] & !features$zoned[known]
  frame[which(naive)] <- lapply(frame[which(naive)], without_utc)
  as_dataset(frame, !vapply(features$levels[known], is.null, NA))
}
