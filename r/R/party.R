# Trees as partykit has them, for its plots and its other tools.

need_partykit <- function() {
  if (!requireNamespace("partykit", quietly = TRUE)) refuse_at("partykit", "is not installed", "install.packages(\"partykit\")")
}

plot.treewright <- function(x, gp = grid::gpar(fontsize = max(6, min(12, 90 / x$summary$leaves))), edge_panel = NULL, names = NULL, ...) {
  need_partykit()
  party <- partykit::as.party(x)
  names(party$data) <- shown_as(names(party$data), names)
  graphics::plot(party, gp = gp, edge_panel = if (is.null(edge_panel)) short_edges(party) else edge_panel, ...)
  invisible(x)
}

# Labels of edges that leave room for each other: those of a node stand at two heights, long sets are cut, and moments are dates.
short_edges <- function(party, longest = 24) {
  function(node, i) {
    split <- partykit::split_node(node)
    label <- partykit::character_split(split, party$data)$levels[i]
    if (inherits(party$data[[split$varid]], "POSIXt")) {
      label <- paste(c("<", ">=")[i], format(as.POSIXct(split$breaks, origin = "1970-01-01", tz = "UTC")))
    }
    if (nchar(label) > longest) label <- paste0(substr(label, 1, longest - 3), "...")
    y <- grid::unit(0.5, "npc") + grid::unit(c(0.5, -0.5)[i], "lines")
    grid::grid.rect(y = y, gp = grid::gpar(fill = "white", col = 0), width = grid::unit(1, "strwidth", label))
    grid::grid.text(label, y = y)
  }
}

# Columns as partykit splits them: what treewright takes as levels is a factor, in the tree's order where that counts. partykit wants a level on either side of a split. Where
# treewright parts all levels from missing values, the column gets a level for these, which no row has.
party_frame <- function(frame, nodes, features) {
  one_sided <- vapply(nodes$levels_left, function(left) length(left) > 0 && length(unique(left)) == 1, NA)
  for (name in names(frame)) {
    x <- frame[[name]]
    at <- match(name, features$name)
    if (inherits(x, "POSIXt")) frame[[name]] <- clock_of(x)
    if (isTRUE(features$ordered[at])) frame[[name]] <- factor(as.character(x), levels = features$levels[[at]], ordered = TRUE)
    if (!is_category(x) || isTRUE(features$ordered[at])) next
    known <- levels_of(x)
    if (name %in% features$name[nodes$feature[one_sided]]) known <- make.unique(c(known, "(missing)"))
    frame[[name]] <- factor(as.character(x), levels = known)
  }
  frame
}

as.party.treewright <- function(obj, data, formula = obj$terms, weights = NULL, ...) {
  need_partykit()
  frame <- if (missing(data)) obj$model else frame_of(data, formula, weights)
  if (is.null(frame)) refuse_at("as.party", "the tree has no rows", "give data, or train with model = TRUE; of a tree from a file also a formula")
  nodes <- .Call(C_nodes, obj$result)
  is_leaf <- is.na(nodes$left)
  if (anyNA(nodes$feature[!is_leaf])) {
    refuse_at("as.party", "partykit has no splits on several columns", "use a method of axis splits, such as \"oct\"")
  }
  terms <- attr(frame, "terms")
  columns <- predictors(frame, terms)
  rows <- dataset_for(obj, columns)
  reached <- .Call(C_apply, obj$result, rows, nrow(frame))
  number <- preorder(nodes)
  features <- .Call(C_features, obj$result)
  shown <- party_frame(frame, nodes, features)
  predicted <- if (predicts_numbers(obj)) values_of(obj, rows, columns) else classes_of(obj, nodes$label[reached])
  fitted <- fitted_columns(frame, number[reached], predicted)
  party <- partykit::party(
    party_node(1L, nodes, number, features, shown),
    data = shown, fitted = fitted, terms = terms, info = list(method = "treewright")
  )
  # A leaf's class and probabilities are treewright's: the majority or cheapest label, and shares with shrinkage. The probabilities of a leaf
  # come from a row in it.
  leaves <- which(is_leaf)
  class(party) <- c("treewright_party", "constparty", class(party))
  if (predicts_numbers(obj)) {
    party$info$leaves <- list(id = number[leaves], value = predicted[match(leaves, reached)])
    return(party)
  }
  shares <- shares_of(obj, rows, columns)[match(leaves, reached), , drop = FALSE]
  party$info$leaves <- list(id = number[leaves], shares = shares, class = classes_of(obj, nodes$label[leaves]))
  party
}

# partykit numbers nodes in preorder: this is the number of each.
preorder <- function(nodes) {
  number <- integer(length(nodes$left))
  open <- 1L
  for (next_number in seq_along(number)) {
    node <- open[length(open)]
    number[node] <- next_number
    open <- c(open[-length(open)], if (!is.na(nodes$left[node])) c(nodes$right[node], nodes$left[node]))
  }
  number
}

fitted_columns <- function(frame, ids, predicted) {
  fitted <- data.frame(ids)
  names(fitted) <- "(fitted)"
  # Of events the rate of each row.
  numbers <- if (is.numeric(predicted)) numbers_in(frame)
  exposure <- if (is.null(numbers$exposure)) 1 else numbers$exposure
  # Of times survival's own class, for its curves.
  times <- if (identical(numbers$loss, "survival")) structure(stats::model.response(frame), class = "Surv")
  fitted[["(response)"]] <- if (!is.null(times)) times else if (is.null(numbers)) as_classes(stats::model.response(frame), "") else numbers$values / exposure
  fitted[["(weights)"]] <- stats::model.weights(frame)
  if (is.null(fitted[["(response)"]])) fitted[["(response)"]] <- predicted # a policy: what it chooses
  fitted
}

party_node <- function(node, nodes, number, features, frame) {
  if (is.na(nodes$left[node])) return(partykit::partynode(number[node]))
  kids <- lapply(c(nodes$left[node], nodes$right[node]), party_node, nodes, number, features, frame)
  partykit::partynode(number[node], split = party_split(node, nodes, features, frame), kids = kids)
}

# Missing values go where treewright sends them: partykit draws the side by `prob`, of which one is 1. A threshold beyond all numbers parts
# them from the rows that have a value.
party_split <- function(node, nodes, features, frame) {
  name <- features$name[nodes$feature[node]]
  column <- match(name, names(frame))
  x <- frame[[column]]
  prob <- if (nodes$missing_left[node]) c(1, 0) else c(0, 1)
  threshold <- nodes$threshold[node]
  if (!is.na(threshold)) {
    # Ordered factors are cut between two levels; moments are seconds in R,
    # and a whole second is a whole number.
    if (is.ordered(x)) {
      return(partykit::partysplit(column, breaks = min(max(ceiling(threshold), 0), nlevels(x)), prob = prob))
    }
    if (inherits(x, "POSIXt")) threshold <- round(threshold * 86400, 6)
    if (is_duration(x)) threshold <- as.numeric(as.difftime(threshold, units = "days"), units = units(x))
    return(partykit::partysplit(column, breaks = threshold, right = FALSE, prob = prob))
  }
  left <- nodes$levels_left[[node]][match(levels(x), features$levels[[nodes$feature[node]]])]
  left[is.na(left)] <- nodes$missing_left[node]
  partykit::partysplit(column, index = ifelse(left, 1L, 2L), prob = prob)
}

predict.treewright_party <- function(object, newdata = NULL, ...) {
  if (!is.null(newdata)) {
    # Moments and factors as party_frame has them; levels that training did not see are missing values.
    for (name in intersect(names(newdata), names(object$data))) {
      known <- object$data[[name]]
      newdata[[name]] <- clock_of(newdata[[name]])
      if (is.factor(known)) {
        newdata[[name]] <- factor(as.character(newdata[[name]]), levels = levels(known), ordered = is.ordered(known))
      }
    }
  }
  utils::getS3method("predict", "party", envir = asNamespace("partykit"))(object, newdata, ...)
}

predict_party.treewright_party <- function(party, id, newdata = NULL, type = c("response", "prob", "node"), ...) {
  type <- match.arg(type)
  names <- row.names(if (is.null(newdata)) party$data else newdata)
  if (type == "node") return(structure(id, names = names))
  at <- match(id, party$info$leaves$id)
  value <- party$info$leaves$value
  if (!is.null(value) && type == "prob") refuse_at("type", "is \"prob\", and the tree predicts numbers", "use \"response\"")
  if (type == "response") return(structure(if (is.null(value)) party$info$leaves$class[at] else value[at], names = names))
  shares <- party$info$leaves$shares[at, , drop = FALSE]
  row.names(shares) <- names
  shares
}
