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

times <- data.frame(age = c(19, 22, 31, 47, 52, 60, 23, 58), months = c(1, 2, 8, 9, 12, 7, 2, 11), seen = c(1, 1, 1, 0, 1, 0, 1, 1))

test_that("times to an event are predicted by their hazard, without the package survival", {
  tree <- treewright(Surv(months, seen) ~ age, times, max_depth = 1)
  expect_equal(tree$loss, "survival")
  expect_equal(tree$summary$status, "optimal")
  # Nelson and Aalen, of all rows: what a row expects that is like them.
  hazard <- vapply(times$months, function(at) {
    steps <- unique(times$months[times$seen == 1 & times$months <= at])
    sum(vapply(steps, function(t) sum(times$seen[times$months == t]) / sum(times$months >= t), 0))
  }, 0)
  node <- predict(tree, type = "node")
  expect_gt(length(unique(node)), 1)
  expect_equal(predict(tree), as.numeric(ave(times$seen, node, FUN = sum) / ave(hazard, node, FUN = sum)))
  expect_equal(predict(tree, data.frame(age = 20)), predict(tree)[1])
  expect_equal(check_tree(tree), character(0))
  again <- treewright(Surv(months, seen + 1) ~ ., times, max_depth = 1)
  expect_equal(predict(again), predict(tree))
  expect_equal(predict(treewright(Surv(months, seen == 1) ~ age, times, max_depth = 1)), predict(tree))
  file <- tempfile(fileext = ".json")
  write_tree(tree, file)
  expect_equal(check_tree(read_tree(file), times, Surv(months, seen) ~ age), character(0))
  unknown <- transform(times, months = replace(months, 3, NA))
  expect_warning(treewright(Surv(months, seen) ~ age, unknown, max_depth = 1), "1 row has no time or status", class = "treewright_data")
  expect_error(treewright(Surv(months, seen + 3) ~ age, times), "status", class = "treewright_error")
  expect_error(treewright(Surv(months, seen * 0) ~ age, times), "censored", class = "treewright_error")
})

test_that("survival's own Surv is read in the same way, and partykit draws its curves", {
  skip_if_not_installed("survival")
  tree <- treewright(survival::Surv(months, seen) ~ age, times, max_depth = 1, weights = 1:8)
  same <- treewright(Surv(months, seen) ~ age, times, max_depth = 1, weights = 1:8)
  expect_equal(predict(tree), predict(same))
  expect_equal(check_tree(tree), character(0))
  expect_equal(concordance_of(predict(tree), times$months, times$seen, 1:8),
               survival::concordance(survival::Surv(months, seen) ~ predict(tree), times, weights = 1:8, reverse = TRUE)$concordance)
  expect_error(treewright(survival::Surv(months, months + 1, seen) ~ age, times), "type", class = "treewright_error")
  skip_if_not_installed("partykit")
  expect_equal(as.numeric(predict(partykit::as.party(tree))), predict(tree))
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(tree))
})

test_that("depth and price are chosen by the concordance of times", {
  set.seed(5)
  many <- data.frame(age = rep(c(20, 50, 25, 70), 15), x = rnorm(60))
  many$months <- round(rexp(60, ifelse(many$age < 30, 1, 0.2)), 1)
  many$seen <- rbinom(60, 1, 0.8)
  tree <- tune_tree(Surv(months, seen) ~ ., many, max_depths = 1:2, folds = 3, min_samples_leaf = 8, rule = "one-se")
  expect_match(tree$tuning$chosen, "mean validation concordance 0[.]")
  expect_true(all(tree$tuning$curve$concordance <= 1))
})
