# Of two classes, an optimal tree for every ratio of the prices of both kinds of errors.

trade_off <- function(formula, data, weights, subset, na.action = na.pass, positive = NULL, max_depth = NULL, time_limit = Inf, n_jobs = 1,
                     model = TRUE, verbose = FALSE, ...) {
  call <- match.call()
  rows <- two_classes(labeled_rows(model_rows(call, parent.frame()), of_classes = TRUE))
  rows$left_out <- heed_notes(rows)
  data <- training_data(rows)
  options <- option_set(list(method = "oct", max_depth = max_depth, time_limit = time_limit, n_jobs = n_jobs, ...))
  positive <- if (is.null(positive)) "" else as.character(positive)
  found <- .Call(C_trade_off, data, options, enc2utf8(positive), isTRUE(verbose))
  if (found$status %in% names(stopped_by)) {
    warn("treewright_optimality", paste(stopped_by[[found$status]], "before every corner was proved; corners may be missing"))
  }
  corners <- as.data.frame(found[c("false_positives", "false_negatives", "ratio_low", "ratio_high")])
  structure(class = "treewright_trade_off", list(
    corners = corners, trees = lapply(found$trees, tree_of, rows, data, call, model), status = found$status,
    positive = if (nzchar(positive)) positive else rows$classes[2], handle = found$handle
  ))
}

# Levels without rows are no classes here.
two_classes <- function(rows) {
  rows$y <- droplevels(rows$y)
  rows$classes <- levels(rows$y)
  if (length(rows$classes) > 2) {
    refuse_at(sprintf("class '%s'", rows$target), sprintf("has %d levels, and a trade-off has two", length(rows$classes)),
              sprintf("write for example (%s == \"%s\") ~ .", rows$target, rows$classes[length(rows$classes)]))
  }
  rows
}

ratio_text <- function(low, high) {
  if (is.infinite(high)) return(if (low == 0) "any" else sprintf("from %.4g", low))
  if (low == 0) sprintf("to %.4g", high) else sprintf("%.4g to %.4g", low, high)
}

print.treewright_trade_off <- function(x, ...) {
  table <- data.frame(
    `false positives` = x$corners$false_positives, missed = x$corners$false_negatives,
    ratio = mapply(ratio_text, x$corners$ratio_low, x$corners$ratio_high), splits = vapply(x$trees, function(tree) tree$summary$splits, 0L),
    check.names = FALSE
  )
  print(table)
  cat(sprintf("ratio: what a missed row of '%s' costs, in false positives, where the corner is the best tree\n", x$positive))
  meaning <- if (x$status == "optimal") "every corner is proved, and none is missing" else "corners may be missing or not the best"
  cat(sprintf("status    %s: %s\n", x$status, meaning))
  invisible(x)
}

# No tree within the limits gets below the line through the corners, if all is proved.
plot.treewright_trade_off <- function(x, xlab = "false positives", ylab = sprintf("false negatives (%s missed)", x$positive), ...) {
  at <- x$corners
  graphics::plot(at$false_positives, at$false_negatives, type = "n", xlab = xlab, ylab = ylab, xlim = c(0, max(at$false_positives)),
                 ylim = c(0, max(at$false_negatives)), ...)
  if (x$status == "optimal") {
    graphics::polygon(c(at$false_positives, max(at$false_positives), 0, 0),
                      c(at$false_negatives, 0, 0, max(at$false_negatives)), col = "#f4e3da", border = NA)
  }
  graphics::lines(at$false_positives, at$false_negatives, type = "o", pch = 19, col = "#0b62a8")
  invisible(x)
}

least_false_positives <- function(trade_off, missed) {
  if (!is.numeric(missed) || length(missed) != 1 || !isTRUE(missed >= 0)) refuse_at("missed", "is no number of at least 0", "give one")
  .Call(C_trade_off_least, trade_off$handle, missed)
}
