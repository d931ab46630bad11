test_that("corners are optimal for their ratios", {
  data <- mixed()[c("number", "kind", "class")]
  found <- trade_off(class ~ ., data, positive = "yes")
  expect_equal(found$status, "optimal")
  at <- found$corners
  for (i in seq_len(nrow(at))) {
    predicted <- predict(found$trees[[i]])
    expect_equal(sum(predicted == "yes" & data$class == "no"), at$false_positives[i])
    expect_equal(sum(predicted == "no" & data$class == "yes"), at$false_negatives[i])
    ratio <- if (is.finite(at$ratio_high[i])) (at$ratio_low[i] + at$ratio_high[i]) / 2 else 2 * at$ratio_low[i] + 1
    best <- treewright(class ~ ., data, cost_matrix = matrix(c(0, ratio, 1, 0), 2))
    expect_equal(at$false_positives[i] + ratio * at$false_negatives[i], best$summary$cost)
    expect_lte(least_false_positives(found, at$false_negatives[i]), at$false_positives[i])
  }
  expect_output(print(found), "every corner is proved")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(found))
})

test_that("mistakes are told", {
  expect_error(trade_off(Species ~ ., iris), '\\(Species == "virginica"\\) ~ .', class = "treewright_error")
  expect_error(trade_off(class ~ number, mixed(), positive = "maybe"), "maybe", class = "treewright_error")
  found <- trade_off(class ~ number, mixed(), max_depth = 1)
  expect_error(least_false_positives(found, -1), "at least 0")
  again <- unserialize(serialize(found, NULL))
  expect_error(least_false_positives(again, 1), "earlier session")
  expect_equal(predict(again$trees[[1]]), predict(found$trees[[1]]))
})

test_that("levels without rows are no classes", {
  one <- trade_off(Species ~ ., iris[51:150, ], max_depth = 1)
  expect_equal(one$positive, "virginica")
  other <- trade_off((Species == "virginica") ~ ., iris[51:150, ], max_depth = 1)
  expect_equal(one$corners, other$corners)
  expect_false("Species" %in% attr(other$trees[[1]]$terms, "term.labels"))
})
