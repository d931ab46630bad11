# The library's tables of methods, options and formats, and values of R as the library's texts.

treewright_methods <- function() {
  table <- as.data.frame(.Call(C_method_table))
  table$exact <- table$exact == "yes"
  table$has_path <- table$has_path == "yes"
  table
}

treewright_options <- function(method = NULL) {
  table <- as.data.frame(.Call(C_option_table))
  if (is.null(method)) return(table)
  methods <- treewright_methods()
  if (!method %in% methods$name) refuse_at("method", paste0(quoted(method), " is no method"), paste("use one of", quoted(methods$name)))
  table[table$name %in% options_read_by(method, methods), ]
}

treewright_formats <- function() as.data.frame(.Call(C_format_table))

options_read_by <- function(method, methods = treewright_methods()) {
  strsplit(methods$options[methods$name == method], ",", fixed = TRUE)[[1]]
}

# A number with as many digits as it needs.
number_text <- function(x) {
  if (is.na(x)) return("NA")
  if (is.infinite(x)) return(if (x > 0) "inf" else "-inf")
  short <- sprintf("%.15g", x)
  if (as.numeric(short) == x) short else sprintf("%.17g", x)
}

# A value as the library reads it: numbers, "yes" and "no", and lists with commas; of a vector with names "name=value,...".
option_text <- function(value, name) {
  if (!is.atomic(value)) refuse_at(name, paste("is of class", class(value)[1]), "give a number, a text, a logical, or a vector of these")
  text <- if (is.logical(value)) {
    ifelse(is.na(value), "NA", ifelse(value, "yes", "no"))
  } else if (is.numeric(value)) {
    vapply(value, number_text, "", USE.NAMES = FALSE)
  } else {
    as.character(value)
  }
  if (!is.null(names(value))) text <- paste0(names(value), "=", text)
  paste(text, collapse = ",")
}

# The library's options. A value of NULL is the default; so are threads for a method that has none.
option_set <- function(values) {
  values <- values[!vapply(values, is.null, NA)]
  if (length(values) > 0 && (is.null(names(values)) || !all(nzchar(names(values))))) {
    refuse_at("options", "one has no name", "write name = value; treewright_options() lists the names")
  }
  methods <- treewright_methods()
  known <- is.character(values$method) && values$method %in% methods$name
  if (known && !"n_jobs" %in% options_read_by(values$method, methods)) values$n_jobs <- NULL
  if (identical(values$time_limit, Inf)) values$time_limit <- NULL
  .Call(C_options, enc2utf8(names(values)), enc2utf8(vapply(names(values), function(name) option_text(values[[name]], name), "")))
}
