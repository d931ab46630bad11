best_r2 <- function(X, y, depth) {
  least <- function(X, y, depth) {
    lost <- sum((y - mean(y))^2)
    if (depth == 0 || length(y) < 2) return(lost)
    for (x in X) {
      for (cut in sort(unique(x))[-1]) {
        left <- x < cut
        lost <- min(lost, least(X[left, , drop = FALSE], y[left], depth - 1) + least(X[!left, , drop = FALSE], y[!left], depth - 1))
      }
    }
    lost
  }
  1 - least(X, y, depth) / sum((y - mean(y))^2)
}

test_that("a numeric response is predicted by means, and no tree has a higher R2", {
  tree <- treewright(mpg ~ wt + hp, mtcars, max_depth = 2)
  expect_equal(tree$summary$status, "optimal")
  expect_equal(tree$summary$explained, best_r2(mtcars[c("wt", "hp")], mtcars$mpg, 2))
  expect_null(tree$summary$errors)
  predicted <- predict(tree)
  expect_equal(1 - sum((mtcars$mpg - predicted)^2) / sum((mtcars$mpg - mean(mtcars$mpg))^2), tree$summary$explained)
  expect_equal(predict(tree, mtcars[3, ]), predicted[3])
  expect_equal(as.numeric(tapply(mtcars$mpg, predict(tree, type = "node"), mean)[as.character(predict(tree, type = "node"))]), predicted)
  expect_equal(check_tree(tree), character(0))
  expect_match(paste(capture.output(print(tree)), collapse = "\n"), "R2 .*on the training rows")
  expect_output(print(summary(tree)), "asks")
  expect_error(predict(tree, type = "prob"), "predicts numbers", class = "treewright_error")
})

test_that("weights count rows of numbers", {
  set.seed(3)
  weights <- sample(0:2, 32, TRUE)
  weighted <- treewright(mpg ~ wt + hp, mtcars, weights = weights, max_depth = 2)
  repeated <- treewright(mpg ~ wt + hp, mtcars[rep(1:32, weights), ], max_depth = 2)
  expect_equal(weighted$summary$loss, repeated$summary$loss)
  expect_equal(check_tree(weighted), character(0))
})

events <- data.frame(
  years = c(1, 0.5, 2, 2, 3, 3, 2.5), claims = c(2, 1, 1, 1, 0, 1, 0), age = c(19, 22, 24, 37, 41, 58, 63),
  region = c("city", "city", "land", "city", "land", "land", "city")
)

test_that("events are predicted by their rate, in both notations", {
  tree <- treewright(cbind(years, claims) ~ age + region, events, max_depth = 1)
  same <- treewright(claims ~ age + region + offset(log(years)), events, max_depth = 1)
  expect_equal(tree$loss, "poisson")
  expect_equal(predict(tree), c(2, 2, rep(3 / 12.5, 5)))
  expect_equal(predict(same), predict(tree))
  expect_equal(predict(same, data.frame(age = c(20, 50), region = "city")), c(2, 3 / 12.5))
  expect_equal(check_tree(tree), character(0))
  expect_equal(check_tree(same), character(0))
  expect_error(treewright(cbind(years, claims) ~ age, transform(events, years = 0)), "exposure", class = "treewright_error")
  expect_error(treewright(cbind(years, claims) ~ age + offset(log(years)), events), "offset", class = "treewright_error")
})

test_that("few whole numbers are numbers with a note, and factor() makes them classes", {
  expect_warning(tree <- treewright(cyl ~ wt, mtcars, max_depth = 1), "predicted as a number", class = "treewright_data")
  expect_equal(tree$loss, "squared")
  expect_null(treewright(factor(cyl) ~ wt, mtcars, max_depth = 1)$loss)
})

test_that("files keep what is predicted", {
  tree <- treewright(mpg ~ wt, mtcars, max_depth = 1)
  file <- tempfile(fileext = ".json")
  write_tree(tree, file)
  again <- read_tree(file)
  expect_equal(predict(again, mtcars), predict(tree))
  expect_equal(check_tree(again, mtcars, mpg ~ wt), character(0))
})

test_that("depth and price are chosen by R2, or by the deviance", {
  set.seed(4)
  tree <- tune_tree(mpg ~ wt + hp, mtcars, max_depths = 1:2, folds = 4)
  expect_match(tree$tuning$chosen, "mean validation R2 0[.]")
  expect_true(all(tree$tuning$curve$R2 <= 1))
  small <- tune_tree(mpg ~ wt + hp, mtcars, max_depths = 1:2, folds = rep(1:4, 8), rule = "one-se")
  expect_match(small$tuning$chosen, "within one standard error")
  claims <- data.frame(years = rep(1:3, 20), age = rep(c(20, 50, 25, 70), 15))
  claims$count <- rpois(60, claims$years * ifelse(claims$age < 30, 2, 0.5))
  rates <- tune_tree(cbind(years, count) ~ age, claims, max_depths = 1, folds = 3, min_samples_leaf = 10)
  expect_match(rates$tuning$chosen, "least mean deviance")
})

test_that("partykit predicts the same numbers", {
  skip_if_not_installed("partykit")
  tree <- treewright(mpg ~ wt + hp, mtcars, max_depth = 2)
  party <- partykit::as.party(tree)
  expect_equal(as.numeric(predict(party)), predict(tree))
  expect_equal(as.numeric(predict(party, mtcars[5:9, ])), predict(tree, mtcars[5:9, ]))
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(tree))
  rates <- treewright(cbind(years, claims) ~ age + region, events, max_depth = 1)
  expect_equal(as.numeric(predict(partykit::as.party(rates))), predict(rates))
  expect_silent(plot(rates))
})
