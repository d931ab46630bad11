# What people call the columns, and the units of their numbers.

# A data frame of texts with the columns column, name and unit: of such a data frame, whose unit may be left out, or of a file.
names_frame <- function(names) {
  if (is.data.frame(names)) {
    found <- names
  } else if (is.character(names) && length(names) == 1 && file.exists(names)) {
    found <- utils::read.csv(names, header = FALSE, col.names = c("column", "name", "unit"), fill = TRUE, colClasses = "character",
                             na.strings = character(), encoding = "UTF-8", fileEncoding = "UTF-8-BOM")
    if (identical(unlist(found[1, 1:2], use.names = FALSE), c("column", "name"))) found <- found[-1, ]
  } else {
    refuse_at("names", "is neither a file nor a data frame", "give a CSV file with lines column,name,unit, or a data frame with these columns")
  }
  if (!all(c("column", "name") %in% names(found))) {
    refuse_at("names", "lacks the column 'column' or 'name'", "give a data frame with the columns column, name and, where there are units, unit")
  }
  if (is.null(found$unit)) found$unit <- rep("", nrow(found))
  found <- lapply(found[c("column", "name", "unit")], function(x) ifelse(is.na(x), "", as.character(x)))
  structure(as.data.frame(found, stringsAsFactors = FALSE), row.names = seq_along(found$column))
}

# The same as the library reads it: CSV.
names_text <- function(names) {
  if (is.null(names)) return(NULL)
  cells <- lapply(names_frame(names), function(x) paste0("\"", gsub("\"", "\"\"", enc2utf8(x), fixed = TRUE), "\""))
  paste0(do.call(paste, c(cells, sep = ",")), "\n", collapse = "")
}

# Columns of partykit's data as people call them.
shown_as <- function(columns, names) {
  if (is.null(names)) return(columns)
  known <- names_frame(names)
  at <- match(columns, known$column)
  shown <- ifelse(known$unit[at] == "", known$name[at], sprintf("%s (%s)", known$name[at], known$unit[at]))
  ifelse(is.na(at) | known$name[at] %in% "", columns, shown)
}
