# What people of R expect of a model.

test_that("columns and classes do as well as a formula", {
  tree <- treewright(iris[1:4], iris$Species)
  expect_equal(format(tree), format(treewright(Species ~ ., iris)))
  expect_equal(predict(tree, iris), predict(tree))
  expect_equal(format(treewright(as.matrix(iris[1:4]), iris$Species)), format(tree))
  expect_equal(names(tree$call)[2:3], c("formula", "data"))
  expect_equal(check_tree(tree), character(0))
  odd <- data.frame(class = sqrt(1:40), b = rep(1:2, 20))
  expect_equal(treewright(odd, rep(c("x", "y"), each = 20), max_depth = 1)$summary$errors, 0)
})

test_that("weights are found where the call stands", {
  counted <- function(formula, data, w) treewright(formula, data, weights = w)
  weights <- rep(c(1, 3), 75)
  expect_equal(counted(Species ~ ., iris, weights)$summary$errors, treewright(Species ~ ., iris, weights = weights)$summary$errors)
  some <- function(formula, data, rows) treewright(formula, data, subset = rows)
  expect_equal(some(Species ~ ., iris, 1:120)$summary$rows, 120)
  expect_equal(treewright(Species ~ ., iris, weights = Sepal.Length)$summary$total_weight, sum(iris$Sepal.Length))
})

test_that("fitted, nobs and nodes agree with predictions", {
  data <- mixed()
  tree <- quietly(treewright(class ~ ., data, max_depth = 3))
  expect_equal(fitted(tree), predict(tree))
  expect_equal(nobs(tree), 120)
  nodes <- predict(tree, type = "node")
  expect_equal(length(unique(nodes)), tree$summary$leaves)
  expect_true(all(tapply(as.character(predict(tree)), nodes, function(x) length(unique(x))) == 1))
  if (requireNamespace("partykit", quietly = TRUE)) {
    expect_equal(unname(predict(partykit::as.party(tree), data, type = "node")), quietly(predict(tree, data, type = "node")))
  }
})

test_that("na.exclude keeps the places of the rows that it leaves out", {
  data <- transform(iris, Petal.Length = replace(Petal.Length, c(2, 77), NA))
  tree <- treewright(Species ~ Petal.Length, data, na.action = na.exclude)
  expect_equal(which(is.na(fitted(tree))), c(2, 77))
  expect_equal(nobs(tree), 148)
  expect_equal(dim(predict(tree, type = "prob")), c(150, 3))
  expect_equal(length(predict(tree, data)), 150)
  omitted <- treewright(Species ~ Petal.Length, data, na.action = na.omit)
  expect_equal(length(fitted(omitted)), 148)
})

test_that("programs have names", {
  file <- tempfile(fileext = ".c")
  on.exit(unlink(file))
  tree <- treewright(Species ~ ., iris)
  write_tree(tree, file, name = "flowers")
  expect_match(readLines(file), "int flowers_predict\\(", all = FALSE)
  write_tree(tree, file, "sql", backquotes = TRUE)
  expect_match(readLines(file), "`Petal.Length`", fixed = TRUE, all = FALSE)
  expect_error(write_tree(tree, file, "svg", name = "flowers"), "gives nothing a name", class = "treewright_error")
})
