# Data with everything that a column can be, and a tree's least errors by trying all.

mixed <- function(n = 120, seed = 1) {
  set.seed(seed)
  holes <- function(x, k) replace(x, sample(n, k), NA)
  data <- data.frame(
    number = holes(round(rnorm(n), 1), 15), kind = holes(factor(sample(c("red", "green", "a,b"), n, TRUE)), 15),
    size = holes(factor(sample(c("low", "mid", "high"), n, TRUE), c("low", "mid", "high"), ordered = TRUE), 10),
    flag = holes(sample(c(TRUE, FALSE), n, TRUE), 20), text = holes(sample(c("x", "y", "z"), n, TRUE), 10),
    day = as.Date("2024-01-01") + sample(100, n, TRUE), time = as.POSIXct("2024-01-01", tz = "UTC") + round(runif(n) * 1e6),
    whole = sample(5L, n, TRUE)
  )
  data[["<script>"]] <- rnorm(n)
  data$class <- ifelse(data$number %in% seq(0.3, 5, 0.1) | data$kind %in% "a,b" & data$flag %in% TRUE | data$size %in% "high", "yes", "no")
  data
}

# The fewest errors of a tree of axis splits on numbers without missing values.
brute_force <- function(X, y, depth) {
  fewest <- length(y) - max(c(0, table(y)))
  if (depth == 0 || fewest == 0) return(fewest)
  for (x in X) {
    for (cut in sort(unique(x))[-1]) {
      left <- x < cut
      fewest <- min(fewest, brute_force(X[left, , drop = FALSE], y[left], depth - 1) +
                      brute_force(X[!left, , drop = FALSE], y[!left], depth - 1))
    }
  }
  fewest
}

quietly <- function(code) suppressWarnings(code, classes = "treewright_data")
