test_that("the tree of iris is the one that is known", {
  tree <- treewright(Species ~ ., iris, max_depth = 2)
  expect_equal(tree$summary$status, "optimal")
  expect_equal(tree$summary$errors, 6)
  expect_true(tree$summary$verified)
  expect_equal(sum(predict(tree) != iris$Species), 6)
  expect_match(paste(capture.output(print(tree)), collapse = "\n"), "Petal.Length < 2.45.*status    optimal \\(verified\\)")
})

test_that("no tree has fewer errors, by brute force", {
  for (seed in 1:15) {
    set.seed(seed)
    data <- data.frame(a = sample(6, 30, TRUE), b = sample(3, 30, TRUE) / 3, y = sample(c("p", "q", "r"), 30, TRUE))
    for (depth in 0:2) {
      errors <- quietly(treewright(y ~ a + b, data, max_depth = depth))$summary$errors
      expect_equal(errors, brute_force(data[1:2], data$y, depth))
    }
  }
})

test_that("every claim holds, whatever the columns are", {
  data <- mixed()
  for (method in c("oct", "cart", "tao")) {
    tree <- quietly(treewright(class ~ ., data, max_depth = 3, method = method))
    expect_equal(check_tree(tree), character(0))
    expect_equal(check_tree(tree, data), character(0))
    expect_equal(sum(predict(tree) != data$class), tree$summary$errors)
  }
})

test_that("a tree that is not what it claims is found out", {
  tree <- treewright(Species ~ ., iris)
  expect_match(check_tree(tree, iris[-1, ]), "150", all = FALSE)
})

test_that("weights count rows", {
  set.seed(2)
  weights <- sample(0:2, 150, TRUE)
  weighted <- treewright(Species ~ ., iris, weights = weights)
  repeated <- treewright(Species ~ ., iris[rep(1:150, weights), ])
  expect_equal(weighted$summary$errors, repeated$summary$errors)
  expect_equal(check_tree(weighted, iris, weights = weights), character(0))
  expect_equal(nrow(weighted$model), sum(weights > 0))
})

test_that("subset, na.action and terms are those of R", {
  data <- mixed()
  expect_equal(treewright(class ~ number, data, subset = which(number > 0))$summary$rows, sum(data$number > 0, na.rm = TRUE))
  expect_equal(treewright(class ~ number, data, na.action = na.omit)$summary$rows, sum(!is.na(data$number)))
  tree <- treewright(class ~ . - number + log(whole), data)
  expect_false("number" %in% summary(tree)$columns)
  expect_equal(predict(tree, data), predict(tree))
})

test_that("rows without a class are left out", {
  data <- iris
  data$Species[1:3] <- NA
  expect_warning(tree <- treewright(Species ~ ., data), "3 rows have no class", class = "treewright_data")
  expect_equal(tree$summary$rows, 147)
})

test_that("costs of classes and of rows agree", {
  data <- mixed()
  costs <- matrix(c(0, 5, 1, 0), 2, dimnames = list(c("no", "yes"), c("no", "yes")))
  by_class <- treewright(class ~ number + kind, data, cost_matrix = costs)
  by_name <- treewright(class ~ number + kind, data, cost_matrix = costs[2:1, 2:1])
  by_row <- treewright(class ~ number + kind, data, costs = costs[data$class, ])
  cost <- sum(costs[cbind(data$class, as.character(predict(by_class)))])
  expect_equal(c(by_class$summary$cost, by_name$summary$cost, by_row$summary$cost), rep(cost, 3))
  expect_equal(check_tree(by_class), character(0))
  expect_equal(check_tree(by_row), character(0))
})

test_that("without a class the tree is a policy", {
  data <- mixed()
  set.seed(1)
  costs <- cbind(wait = rnorm(120), treat = rnorm(120), send = rnorm(120))
  policy <- treewright(~ number + kind, data, costs = costs)
  expect_equal(levels(predict(policy)), colnames(costs))
  expect_equal(policy$summary$cost, sum(costs[cbind(1:120, as.integer(predict(policy)))]))
  expect_equal(check_tree(policy), character(0))
  expect_output(print(summary(policy)), "get their cheapest label")
})

test_that("names of rows and their numbers are left out", {
  data <- data.frame(id = 1:60, name = paste("n", 1:60), x = rep(1:2, 30), y = rep(c("a", "b"), 30))
  data$x <- as.numeric(data$x)
  warnings <- capture_warnings(tree <- treewright(y ~ ., data))
  expect_match(warnings, "left out", all = FALSE)
  expect_equal(summary(tree)$columns, "x")
})

test_that("a limit returns the best tree with its bound", {
  set.seed(1)
  data <- as.data.frame(matrix(rnorm(2000 * 20), 2000))
  data$y <- factor(sample(3, 2000, TRUE))
  expect_warning(tree <- treewright(y ~ ., data, max_depth = 4, node_limit = 20), class = "treewright_optimality")
  expect_equal(tree$summary$status, "node_limit")
  expect_equal(check_tree(tree), character(0))
})
