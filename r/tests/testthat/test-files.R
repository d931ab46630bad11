test_that("a file holds the tree with its claims", {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  data <- mixed()
  tree <- quietly(treewright(class ~ ., data, max_depth = 3))
  write_tree(tree, file)
  again <- read_tree(file)
  expect_equal(predict(again, data), predict(tree))
  expect_equal(again$summary, tree$summary)
  expect_equal(check_tree(again, data, class ~ .), character(0))
  expect_error(check_tree(again, data), "formula")
})

test_that("files are written whole or not at all", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  tree <- treewright(Species ~ ., iris)
  file <- file.path(folder, "tree.json")
  writeLines("what was there", file)
  expect_error(write_tree(tree, file, format = "nothing"), class = "treewright_error")
  expect_equal(readLines(file), "what was there")
  write_tree(tree, file)
  expect_equal(list.files(folder), "tree.json")
  expect_error(write_tree(tree, file.path(folder, "none", "tree.json")), "cannot be written")
  expect_error(read_tree(file.path(folder, "none")), "is not there")
  writeLines("{", file)
  expect_error(read_tree(file), "tree.json", class = "treewright_error")
})

test_that("the ending of a file names its format", {
  tree <- treewright(Species ~ ., iris)
  for (ending in c("sql", "svg", "py", "onnx", "txt")) {
    file <- tempfile(fileext = paste0(".", ending))
    write_tree(tree, file, data = iris)
    expect_gt(file.size(file), 100)
    unlink(file)
  }
})
