skip_if_not_installed("partykit")

shuffled <- function(data, holes) {
  new <- data[sample(nrow(data), replace = TRUE), ]
  for (name in setdiff(names(data), "class")) new[[name]][sample(nrow(data), holes)] <- NA
  row.names(new) <- NULL
  new
}

test_that("partykit agrees in every row, with missing values too", {
  sets <- list(c("number", "kind"), c("size", "flag"), c("text", "flag", "size"), c("day", "time", "whole"), c("<script>", "kind", "text"))
  for (seed in 1:4) {
    for (columns in sets) {
      data <- mixed(seed = seed)[c(columns, "class")]
      tree <- quietly(treewright(class ~ ., data, max_depth = 4))
      party <- partykit::as.party(tree)
      new <- shuffled(data, 30)
      expect_equal(unname(predict(party)), predict(tree))
      expect_equal(unname(predict(party, new)), quietly(predict(tree, new)))
      expect_equal(predict(party, new, type = "prob"), quietly(predict(tree, new, type = "prob")))
    }
  }
})

test_that("a split on missing values alone is one of partykit", {
  data <- data.frame(x = c(1:10, rep(NA, 10)), f = factor(c(rep(c("a", "b"), 5), rep(NA, 10))), y = rep(c("p", "q"), each = 10))
  for (formula in list(y ~ x, y ~ f)) {
    tree <- treewright(formula, data, max_depth = 1)
    expect_equal(tree$summary$errors, 0)
    party <- partykit::as.party(tree)
    expect_equal(unname(predict(party, data)), factor(data$y))
    expect_output(print(party), "p \\(n = 10")
  }
})

test_that("levels that training did not see go the way of missing values", {
  tree <- treewright(class ~ kind, mixed())
  new <- data.frame(kind = c("purple", "red"))
  expect_equal(unname(predict(partykit::as.party(tree), new)), quietly(predict(tree, new)))
})

test_that("leaves have the cheapest label, also of a policy", {
  data <- mixed()
  tree <- treewright(class ~ number, data, cost_matrix = matrix(c(0, 9, 1, 0), 2))
  expect_equal(unname(predict(partykit::as.party(tree))), predict(tree))
  policy <- treewright(~number, data, costs = cbind(a = data$whole, b = 3))
  expect_equal(unname(predict(partykit::as.party(policy))), predict(policy))
})

test_that("plots are drawn, and hyperplanes are refused", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(quietly(plot(treewright(class ~ kind + size + number, mixed(), max_depth = 3))))
  expect_silent(plot(treewright(class ~ flag, mixed(), max_depth = 0)))
  expect_error(partykit::as.party(treewright(Species ~ ., iris, method = "oct-h")), "several columns")
  expect_error(partykit::as.party(treewright(Species ~ ., iris, model = FALSE)), "model = TRUE")
})

test_that("labels of edges are short, and moments are dates", {
  skip_if_not_installed("grid")
  levels <- c("bachelor degree", "secondary school", "primary school", "doctorate")
  data <- data.frame(education = rep(levels, 20), at = as.POSIXct("2024-01-01", tz = "UTC") + 3600 * 1:80)
  data$y <- ifelse(data$education == "doctorate", "no", ifelse(data$at < as.POSIXct("2024-01-03", tz = "UTC"), "yes", "no"))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(treewright(y ~ ., data, max_depth = 2))
  labels <- unlist(lapply(grid::grid.ls(grid::grid.force(), print = FALSE)$name, function(name) grid::grid.get(name)$label))
  expect_match(labels, "2024-01-03", fixed = TRUE, all = FALSE)
  expect_true(all(nchar(as.character(labels)) <= 24))
})

test_that("a tree from a file takes the rows to show", {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  data <- mixed()
  tree <- quietly(treewright(class ~ ., data, max_depth = 3))
  write_tree(tree, file)
  again <- read_tree(file)
  expect_error(partykit::as.party(again), "give data")
  expect_error(partykit::as.party(again, data), "class ~ .", fixed = TRUE)
  party <- partykit::as.party(again, data, class ~ .)
  expect_equal(unname(predict(party)), predict(tree))
  new <- shuffled(data, 30)
  expect_equal(predict(party, new, type = "prob"), quietly(predict(tree, new, type = "prob")))
  expect_equal(capture.output(print(party)), capture.output(print(partykit::as.party(tree))))
  # Fewer rows: each leaf keeps its class.
  few <- partykit::as.party(again, data[1:3, ], class ~ .)
  expect_equal(unname(predict(few, new)), quietly(predict(tree, new)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  expect_silent(plot(party))
})
