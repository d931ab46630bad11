test_that("a mistake has place, problem and fix", {
  mistake <- expect_error(treewright(Species ~ ., iris, min_samples_leav = 3), class = "treewright_error")
  expect_match(mistake$where, "min_samples_leav")
  expect_match(conditionMessage(mistake), "did you mean 'min_samples_leaf'")
  expect_error(treewright(Species ~ ., iris, seed = 1), "did you mean 'random_state'")
  expect_error(treewright(Species ~ ., iris, method = "octt"), "did you mean 'oct'")
  expect_error(treewright(Species ~ ., iris, max_depth = 2.5), class = "treewright_error")
  expect_error(treewright(Species ~ ., iris, max_depth = NA), class = "treewright_error")
  expect_error(treewright(Species ~ ., iris, 3, restarts = list()), class = "error")
  expect_error(treewright(Species ~ ., iris, restarts = 3), "oct-h", class = "treewright_error")
})

test_that("what cannot be trained on is refused", {
  expect_error(treewright(Species ~ ., iris[1, ]), "too few rows")
  expect_error(treewright(Species ~ ., iris[1:50, ]), "only one class")
  expect_error(treewright(Species ~ 1, iris), "no feature column")
  expect_error(treewright(~Petal.Length, iris), "names no class")
  expect_error(treewright(Species ~ . + offset(log(Sepal.Length)), iris), "has an offset", class = "treewright_error")
  expect_silent(quietly(treewright(gear ~ mpg, mtcars, max_depth = 1)))
  expect_error(treewright("Species ~ .", iris), "is of class character")
  expect_error(treewright(Species ~ Petal.Length:Petal.Width, iris), "interaction")
  expect_error(treewright(Species ~ ., iris, weights = rep(-1, 150)), "negative")
  expect_error(treewright(Species ~ as.matrix(iris[1:2]), iris), "is a matrix")
  expect_error(treewright(Species ~ Petal.Length, transform(iris, Petal.Length = Inf)), "row 1: the value is infinite")
  large <- iris
  large[3, 1] <- 1.7e308
  mistake <- expect_error(treewright(Species ~ ., large), "row 3: the value 1.7e\\+308 is too large", class = "treewright_error")
  expect_match(mistake$where, "row 3$")
  expect_error(treewright(Species ~ ., iris, cost_matrix = diag(2)), "is 2 by 2")
  expect_error(treewright(Species ~ ., iris, cost_matrix = matrix(NA_real_, 3, 3)), "no finite number")
})

test_that("rows that the tree cannot read are refused", {
  tree <- treewright(Species ~ Petal.Length + Petal.Width, iris)
  Petal.Width <- 1:2
  expect_error(predict(tree, data.frame(Petal.Length = 1:2)), "no column 'Petal.Width'")
  expect_error(predict(tree, data.frame(Petal.Length = 1, Petal.Width = "a")), "knows it as numbers")
  expect_error(predict(tree, type = "nodes"))
})

test_that("trees without rows say so", {
  tree <- treewright(Species ~ ., iris, model = FALSE)
  expect_error(predict(tree), "model = TRUE")
  expect_equal(length(predict(tree, iris)), 150)
  expect_equal(check_tree(tree, iris), character(0))
})

test_that("tables name methods, options and formats", {
  expect_true(all(c("oct", "auto", "cart") %in% treewright_methods()$name))
  expect_true("ccp_alpha" %in% treewright_options("oct")$name)
  expect_false("svm_cost" %in% treewright_options("oct")$name)
  expect_error(treewright_options("nothing"), "is no method")
  expect_true(all(c("json", "sql", "svg") %in% treewright_formats()$name))
})

test_that("numbers are written as the library reads them, whatever R shows", {
  old <- options(digits = 3, OutDec = ",", scipen = 100)
  on.exit(options(old))
  for (x in c(1 / 3, 1e-7, 123456789, 1e20, 0.1, -5)) expect_identical(as.numeric(treewright:::number_text(x)), x)
  expect_equal(treewright(Species ~ ., iris, ccp_alpha = 0.01)$summary$alpha, 0.01)
  expect_equal(treewright:::option_text(c(yes = 2, no = 0.5), ""), "yes=2,no=0.5")
})
