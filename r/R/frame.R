# A data frame as rows of the library: factors, text and logicals have levels, all else are numbers.

facts <- c(date = 0L, text = 1L, left_out = 2L, days = 3L, ordered = 4L, zoned = 5L)

is_date <- function(x) inherits(x, c("Date", "POSIXt"))

is_duration <- function(x) inherits(x, "difftime")

# A column's numbers. Of dates the days since 1970-01-01, of durations days, whatever their unit.
numbers_of <- function(x) {
  if (inherits(x, "POSIXt")) as.numeric(clock_of(x)) / 86400 else if (is_duration(x)) as.numeric(x, units = "days") else as.numeric(x)
}

# The time zone of a column of moments; "" where nobody has named one, and for all other columns.
zone_of <- function(x) {
  zone <- if (inherits(x, "POSIXt")) attr(x, "tzone")[1]
  if (is.null(zone)) "" else zone
}

# Moments without a zone as what the clock showed, as if that were UTC: the zone of the session that read them does not count.
clock_of <- function(x) {
  if (!inherits(x, "POSIXt")) x else if (nzchar(zone_of(x))) as.POSIXct(x) else as.POSIXct(as.POSIXlt(x), tz = "UTC")
}

# UTC is also what readers give times whose zone they do not know. A tree of times without a zone takes such, as days.
without_utc <- function(x) {
  if (zone_of(x) %in% c("UTC", "GMT")) structure(numbers_of(x), class = "Date") else x
}

# Whether a column has levels.
is_category <- function(x) is.factor(x) || is.character(x) || is.logical(x)

# A category's levels, those of a factor in its order.
levels_of <- function(x) {
  if (is.factor(x)) levels(x) else if (is.logical(x)) c("FALSE", "TRUE") else sort(unique(as.character(x)))
}

need_column <- function(x, name) {
  if (!is.null(dim(x))) {
    refuse_at(sprintf("column '%s'", name), "is a matrix or a data frame", "give each of its columns a name of its own in the data")
  }
  if (!(is.numeric(x) || is_category(x) || is_date(x) || is_duration(x))) {
    refuse_at(sprintf("column '%s'", name), paste("is of class", class(x)[1]), "make it numbers, a factor or a date")
  }
}

# Their bytes are those of whole numbers, which R without their package takes for doubles, once a row is left out.
refuse_integer64 <- function(frame) {
  for (name in names(frame)[vapply(frame, inherits, NA, "integer64")]) {
    refuse_at(sprintf("column '%s'", name), "holds whole numbers of 64 bits (integer64), which are no numbers of R",
              "load bit64 and convert it: as.numeric() for amounts, as.character() for identifiers")
  }
}

# Adds a column; `category`: whether the tree, or its training, takes it as one.
add_column <- function(data, x, name, category) {
  need_column(x, name)
  if (category) {
    # A number that the tree knows as a category is its text.
    known <- levels_of(x)
    .Call(C_add_categories, data, enc2utf8(name), match(as.character(x), known, nomatch = 0L) - 1L, enc2utf8(known))
  } else if (is_category(x) && !is.logical(x)) {
    refuse_at(sprintf("column '%s'", name), "holds text or categories, and the tree knows it as numbers", "convert it with as.numeric()")
  } else {
    values <- numbers_of(x)
    if (any(is.infinite(values))) {
      refuse_at(sprintf("column '%s', row %d", name, which(is.infinite(values))[1]), "the value is infinite",
                "use NA if it means a missing value; otherwise another unit for the column")
    }
    .Call(C_add_numbers, data, enc2utf8(name), values)
  }
}

# Rows of the library. `categories`: for each column whether it is one; by default as the column says.
as_dataset <- function(frame, categories = vapply(frame, is_category, NA)) {
  refuse_integer64(frame)
  data <- .Call(C_dataset, nrow(frame))
  for (i in seq_along(frame)) {
    add_column(data, frame[[i]], names(frame)[i], categories[[i]])
    x <- frame[[i]]
    is_fact <- c(
      date = !categories[[i]] && is_date(x), zoned = !categories[[i]] && nzchar(zone_of(x)), text = is.character(x), days = !categories[[i]] && is_duration(x), ordered = is.ordered(x)
    )
    for (fact in names(is_fact)[is_fact]) .Call(C_mark, data, i, facts[[fact]])
  }
  data
}
