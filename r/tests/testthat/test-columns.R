# Ordered factors, durations, moments, and text that should be something else.

test_that("an ordered factor is cut between two of its levels", {
  dose <- factor(rep(c(1, 3, 10, 25, 80), each = 6), ordered = TRUE)
  data <- data.frame(dose = dose, sick = ifelse(as.integer(dose) > 3, "yes", "no"))
  tree <- treewright(sick ~ dose, data, max_depth = 1)
  expect_match(format(tree), "^dose <= 10\\?")
  expect_equal(tree$summary$errors, 0)
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  write_tree(tree, file, data = data)
  again <- read_tree(file)
  number <- transform(data, dose = as.numeric(as.character(dose)))
  text <- transform(data, dose = as.character(dose))
  backwards <- transform(data, dose = factor(as.character(dose), rev(levels(dose)), ordered = TRUE))
  for (model in list(tree, again)) {
    for (new in list(data, number, text, backwards, transform(data, dose = factor(as.character(dose))))) {
      expect_equal(as.character(predict(model, new)), data$sick)
    }
  }
  for (format in c("rules", "sql", "pmml", "latex", "dot", "svg", "excel", "python", "javascript")) {
    write_tree(tree, file, format, data)
    expect_match(paste(readLines(file), collapse = " "), "10|25")
    expect_no_match(paste(readLines(file), collapse = " "), "3.5|2.5 ")
  }
  strange <- data.frame(dose = factor(c("81", "25"), c("25", "81"), ordered = TRUE))
  expect_warning(predict(tree, strange), "training did not see: '81'", class = "treewright_data")
})

test_that("durations are days, whatever their unit", {
  start <- as.POSIXct("2024-01-01", tz = "UTC")
  hours <- as.difftime(1:40, units = "hours")
  data <- data.frame(wait = hours, y = ifelse(1:40 <= 24, "short", "long"))
  tree <- treewright(y ~ wait, data, max_depth = 1)
  expect_match(format(tree), "wait < 1\\.0[0-9]* days\\?")
  for (unit in c("secs", "mins", "days", "weeks")) {
    new <- data
    units(new$wait) <- unit
    expect_equal(as.character(predict(tree, new)), data$y)
  }
  minutes <- data.frame(wait = (start + c(60, 600, 1800)) - start)
  expect_equal(attr(minutes$wait, "units"), "mins")
  expect_equal(as.character(predict(tree, minutes)), rep("short", 3))
  expect_error(predict(tree, data.frame(wait = 1:3)), "trained on durations", class = "treewright_error")
  if (requireNamespace("partykit", quietly = TRUE)) expect_equal(unname(predict(partykit::as.party(tree), data)), predict(tree, data))
})

test_that("times with a zone and times without one do not mix", {
  zone <- Sys.getenv("TZ", NA)
  on.exit(if (is.na(zone)) Sys.unsetenv("TZ") else Sys.setenv(TZ = zone))
  Sys.setenv(TZ = "America/New_York")
  times <- seq(as.POSIXct("2024-03-30 20:00", tz = "Europe/Berlin"), by = 3600, length.out = 48)
  y <- ifelse(seq_along(times) <= 20, "x", "z")
  rows <- function(t) data.frame(t = t, y = y)
  tree <- treewright(y ~ t, rows(times), max_depth = 1)
  expect_match(format(tree), "t < 2024-03-31 14:30:00 UTC?", fixed = TRUE)
  elsewhere <- times
  attr(elsewhere, "tzone") <- "Asia/Tokyo"
  expect_silent(expect_equal(as.character(predict(tree, rows(elsewhere))), y))
  clock <- format(times, tz = "UTC")
  expect_error(predict(tree, rows(as.POSIXct(clock))), "times without a zone.*as.POSIXct", class = "treewright_error")
  expect_error(predict(tree, rows(as.Date("2024-03-31"))), "times without a zone", class = "treewright_error")
  # Without a zone what the clock shows counts, in each session; UTC may be what a reader made of such times.
  naive <- treewright(y ~ t, rows(as.POSIXct(clock)), max_depth = 1)
  expect_match(format(naive), "t < 2024-03-31 14:30:00?", fixed = TRUE)
  file <- tempfile(fileext = ".json")
  write_tree(naive, file)
  Sys.setenv(TZ = "Asia/Tokyo")
  for (one in list(naive, read_tree(file))) {
    expect_equal(as.character(predict(one, rows(as.POSIXct(clock)))), y)
    expect_equal(as.character(predict(one, rows(as.POSIXct(clock, tz = "UTC")))), y)
    expect_error(predict(one, rows(times)), "times with a zone", class = "treewright_error")
  }
  if (requireNamespace("partykit", quietly = TRUE)) {
    party <- partykit::as.party(naive)
    expect_equal(unname(predict(party, rows(as.POSIXct(clock)))), predict(naive, rows(as.POSIXct(clock))))
  }
})

test_that("only columns that the tree asks are needed", {
  data <- data.frame(a = 1:40 + 0.5, b = rep(c(2.5, 1), 20), kind = factor(rep(c("u", "v"), 20)), y = ifelse(1:40 <= 24, "x", "z"))
  names(data)[2] <- "<b>"
  tree <- treewright(y ~ log(a) + `<b>` + kind, data, max_depth = 1)
  file <- tempfile(fileext = ".json")
  plain <- treewright(y ~ ., data, max_depth = 1)
  write_tree(plain, file)
  kept <- read_tree(file)
  for (rows in list(data["a"], data[c("kind", "a")])) {
    for (one in list(tree, plain, kept)) expect_equal(as.character(predict(one, rows)), data$y)
    expect_equal(dim(predict(tree, rows, type = "prob")), c(40L, 2L))
  }
  expect_error(predict(kept, data[c("<b>", "kind")]), "has no column 'a'.*that the tree asks", class = "treewright_error")
  expect_error(predict(plain, data[c("<b>", "kind")]), "has no column 'a'", class = "treewright_error")
  leaf <- treewright(y ~ a + `<b>`, data, max_depth = 0)
  expect_equal(as.character(predict(leaf, data["kind"])), rep("x", 40))
})

test_that("numbers and dates that are text are told", {
  set.seed(1)
  kids <- sample(0:11, 120, TRUE)
  y <- ifelse(kids > 4, "p", "q")
  expect_warning(treewright(y ~ kids, data.frame(kids = as.character(kids), y = y)), "holds numbers as text.*as.numeric", class = "treewright_data")
  days <- as.character(as.Date("2024-01-01") + kids)
  expect_warning(treewright(y ~ day, data.frame(day = days, y = y)), "holds dates as text.*as.Date", class = "treewright_data")
  expect_silent(treewright(y ~ kids, data.frame(kids = factor(kids), y = y)))
})

test_that("whole numbers that doubles do not tell apart are told of", {
  data <- data.frame(id = 1.7e18 + 37 * 1:40, y = rep(c("a", "b"), 20))
  expect_warning(treewright(y ~ id, data, max_depth = 1), "'id' holds only whole numbers above 2\\^53.*colClasses", class = "treewright_data")
  data$id <- structure(data$id, class = "integer64")
  expect_error(treewright(y ~ id, data, max_depth = 1), "'id': holds whole numbers of 64 bits", class = "treewright_error")
  tree <- treewright(y ~ I(x), data.frame(x = c(1.5, 2.5), y = c("a", "b")), max_depth = 1)
  rows <- data.frame(x = c(1, 2))
  class(rows$x) <- "integer64"
  expect_error(predict(tree, rows), "'I\\(x\\)': holds whole numbers of 64 bits", class = "treewright_error")
})
