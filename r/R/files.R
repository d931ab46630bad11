# Tree files, which the command and the other packages read as well, and trees in other formats.

# The format that a file's name ends in, whatever its capitals; a tree file where the name has no ending.
format_of <- function(file) {
  formats <- treewright_formats()
  name <- basename(file)
  if (!grepl(".", name, fixed = TRUE)) return("json")
  ending <- sub(".*\\.", "", name)
  found <- formats$name[formats$extension == tolower(ending)]
  if (length(found) > 0) return(found[1])
  if (tolower(ending) == "json") return("json")
  refuse_at(file, sprintf("'.%s' is the ending of no format", ending),
            paste0("give `format`, or one of the endings ", paste0(".", unique(formats$extension), collapse = ", ")))
}

write_tree <- function(tree, file, format = NULL, data = NULL, name = "", backquotes = FALSE, names = NULL) {
  need_tree(tree)
  if (is.null(format)) format <- format_of(file)
  rows <- if (!is.null(data)) dataset_for(tree, rows_for(tree, data))
  write_whole(file, .Call(C_write, tree$result, enc2utf8(format), rows, enc2utf8(name), isTRUE(backquotes), names_text(names)))
  invisible(tree)
}

# Writes the file whole or not at all, through a link if it is one.
write_whole <- function(file, bytes) {
  force(bytes)
  goal <- normalizePath(file, mustWork = FALSE)
  unfinished <- tempfile(paste0(basename(goal), "."), dirname(goal))
  on.exit(unlink(unfinished))
  wrote <- tryCatch(
    {
      writeBin(bytes, unfinished)
      file.size(unfinished) == length(bytes) && file.rename(unfinished, goal)
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
  if (!isTRUE(wrote)) refuse_at(file, "cannot be written", "is the folder there, may you write to it, and has the disk room?")
}

read_tree <- function(file) {
  size <- file.size(file)
  if (is.na(size)) refuse_at(file, "is not there", "give the file of a tree, from write_tree() or treewright fit --out")
  result <- tryCatch(.Call(C_read, readBin(file, "raw", size)), treewright_error = function(e) refuse_at(file, e$what, e$fix))
  tree_of(result, list(classes = .Call(C_classes, result), predictors = list()), NULL, NULL, model = FALSE)
}
