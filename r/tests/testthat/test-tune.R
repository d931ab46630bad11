test_that("the choice is the best mean score of the folds", {
  fold_of <- rep(1:3, 50)
  tree <- tune_tree(Species ~ ., iris, max_depths = 1:2, folds = fold_of)
  curve <- tree$tuning$curve
  expect_equal(tree$tuning$max_depth, 2)
  # What the curve says of alpha 0 at depth 2, trained fold by fold.
  right <- vapply(1:3, function(fold) {
    part <- treewright(Species ~ ., iris[fold_of != fold, ], max_depth = 2)
    mean(predict(part, iris[fold_of == fold, ]) == iris$Species[fold_of == fold])
  }, 0)
  # The path may end in another tree of as few errors.
  expect_equal(curve$accuracy[curve$max_depth == 2 & curve$alpha_low == 0], mean(right), tolerance = 0.03)
  expect_equal(max(curve$accuracy), as.numeric(sub(".*accuracy ([0-9.]+).*", "\\1", tree$tuning$chosen)), tolerance = 1e-4)
  expect_equal(check_tree(tree), character(0))
})

test_that("seeds repeat the folds, and each has all classes", {
  set.seed(5)
  one <- tune_tree(Species ~ ., iris, max_depths = 1)
  set.seed(5)
  expect_equal(tune_tree(Species ~ ., iris, max_depths = 1)$tuning, one$tuning)
  rows <- list(frame = iris, y = iris$Species)
  expect_true(all(table(treewright:::fold_numbers(rows, 5), iris$Species) == 10))
})

test_that("costs, weights and methods without a path are tuned", {
  data <- mixed()
  set.seed(1)
  tree <- tune_tree(class ~ number + kind, data, cost_matrix = matrix(c(0, 5, 1, 0), 2), weights = whole, folds = 3, rule = "sparse")
  expect_match(tree$tuning$chosen, "mean validation cost")
  expect_null(tune_tree(Species ~ ., iris, method = "local", max_depths = 1, folds = 2)$tuning$ccp_alpha)
  expect_error(tune_tree(Species ~ ., iris, folds = 1), "whole number of 2 to 150")
  expect_error(tune_tree(Species ~ ., iris, max_depths = integer(0)), "no depth")
})

test_that("many classes get the depth that they need", {
  data <- data.frame(x = rep(1:9, each = 6), class = factor(rep(letters[1:9], each = 6)))
  expect_equal(quietly(treewright(class ~ x, data))$summary$errors, 0)
  expect_equal(quietly(tune_tree(class ~ x, data, folds = 2))$tuning$max_depth, 5)
})
