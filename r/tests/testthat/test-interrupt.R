# An interrupt as a user sends it: to an R of its own.
test_that("an interrupt returns the best tree", {
  skip_on_cran()
  skip_on_os("windows")
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(treewright)",
    "set.seed(1)",
    "data <- as.data.frame(matrix(rnorm(3000 * 20), 3000))",
    "data$y <- factor(sample(3, 3000, TRUE))",
    "system(sprintf('(sleep 1; kill -INT %d) &', Sys.getpid()))",
    "tree <- withCallingHandlers(treewright(y ~ ., data, max_depth = 4, time_limit = 60), warning = function(w) cat(class(w)[1], '\\n'))",
    "cat(tree$summary$status, length(check_tree(tree)), tree$summary$seconds < 30, '\\n')"
  ), script)
  printed <- system2(file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = TRUE, stderr = FALSE)
  expect_match(printed, "treewright_optimality", all = FALSE)
  expect_match(printed, "interrupted 0 TRUE", all = FALSE)
})
