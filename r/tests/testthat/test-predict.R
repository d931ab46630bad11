test_that("a row finds its leaf by the columns' names", {
  data <- mixed()
  tree <- quietly(treewright(class ~ ., data, max_depth = 4))
  mixed_up <- data[sample(nrow(data)), rev(names(data))]
  expect_equal(predict(tree, mixed_up), predict(tree)[match(row.names(mixed_up), row.names(data))])
  shares <- predict(tree, type = "prob")
  expect_equal(dimnames(shares), list(row.names(data), c("no", "yes")))
  expect_equal(unname(rowSums(shares)), rep(1, nrow(data)))
})

test_that("levels in another order mean the same", {
  data <- mixed()
  tree <- treewright(class ~ kind + size, data, max_depth = 3)
  other <- data
  other$kind <- factor(other$kind, rev(levels(data$kind)))
  other$size <- factor(as.character(other$size))
  expect_equal(predict(tree, other), predict(tree))
  other$kind <- as.character(other$kind)
  expect_equal(predict(tree, other), predict(tree))
})

test_that("a level that training did not see is a missing value", {
  data <- mixed()
  tree <- treewright(class ~ kind, data)
  new <- data.frame(kind = c("purple", NA))
  expect_warning(classes <- predict(tree, new), "purple", class = "treewright_data")
  expect_equal(classes[1], classes[2])
})

test_that("classes that do not occur stay levels", {
  tree <- treewright(Species ~ ., iris[1:100, ])
  expect_equal(levels(predict(tree, iris)), levels(iris$Species))
})

test_that("trees live on in files of R", {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  tree <- treewright(Species ~ ., iris)
  saveRDS(tree, file)
  again <- readRDS(file)
  expect_equal(predict(again), predict(tree))
  expect_equal(check_tree(again), character(0))
})
