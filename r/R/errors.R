# Mistakes as conditions of R: an error of the library has its place, its problem and its fix as members.

# Raises what the library says; called by the glue with these four texts. The library counts rows from 0, and R from 1.
refuse <- function(texts) {
  row <- regmatches(texts[2], regexpr("(?<=, row )[0-9]+$", texts[2], perl = TRUE))
  if (length(row) == 1) {
    where <- sub("[0-9]+$", format(as.numeric(row) + 1, scientific = FALSE), texts[2])
    if (startsWith(texts[1], texts[2])) texts[1] <- paste0(where, substring(texts[1], nchar(texts[2]) + 1))
    texts[2] <- where
  }
  raise(texts)
}

raise <- function(texts) {
  stop(structure(
    class = c("treewright_error", "error", "condition"),
    list(message = texts[1], call = NULL, where = texts[2], what = texts[3], fix = texts[4])
  ))
}

refuse_at <- function(where, what, fix) {
  raise(c(sprintf("%s: %s (%s)", where, what, fix), where, what, fix))
}

# A warning that handlers can tell from others by its class: "treewright_optimality" or "treewright_data".
warn <- function(kind, message) {
  warning(structure(class = c(kind, "warning", "condition"), list(message = message, call = NULL)))
}

# Names of columns, levels and classes inside messages.
quoted <- function(names) paste0("'", names, "'", collapse = ", ")

need_tree <- function(tree) {
  if (!inherits(tree, "treewright")) refuse_at("tree", paste("is of class", class(tree)[1]), "give one of treewright() or read_tree()")
}
