# What a user should know of data and of a run that was stopped: the library finds it, and here it becomes warnings.

# What to do about a note on the training data, by its kind; others are no reason to warn.
remedies <- c(
  near_unique = "it is left out (use as.numeric() for numbers, as.Date() for dates, or make it a factor to keep it)",
  unread_amounts = "it is left out (use as.numeric() or as.Date(), or make it a factor to keep it)",
  stray_cells = "it is left out (use as.numeric(), or make it a factor to keep it)",
  row_numbers = "new rows will have other numbers: it is left out (use as.numeric() to keep it)",
  copies_target = "it is left out as a copy of the class (make it a factor or numeric to keep it)",
  many_classes = "a numeric response is predicted as a number; for classes group the values with cut()",
  many_labels = "a class of one or two rows is never learned: is this the column that you mean?",
  rare_class = "a tree may never predict it: use class_weight = \"balanced\", or merge it with another class",
  many_levels = "a split may take any set of them, so a tree learns single rows by heart: group rare ones, or leave the column out",
  mixed_cells = "use as.numeric() if the others stand for missing values",
  large_numbers = "if these are identifiers, read them as text (colClasses = \"character\"), or leave the column out",
  totals = "if these are totals, leave the row out",
  number_texts = "use as.numeric(), or make it a factor if these are codes",
  date_texts = "use as.Date() or as.POSIXct()",
  spelling = "write them alike if they mean the same"
)
# The same of columns that stay, because their type was chosen.
remedies_of_kept <- c(
  row_numbers = "new rows will have other numbers: leave the column out",
  copies_target = "if it is not known before the class, leave the column out"
)

# The columns that training does better without: only text and whole numbers, whose type nobody has chosen. If those were all, they stay.
unwanted_columns <- function(notes, frame) {
  guessed <- names(frame)[vapply(frame, function(x) is.character(x) || (is.integer(x) && !is.factor(x)), NA)]
  unwanted <- unique(unlist(lapply(notes, function(note) if (note$leave_out) intersect(unlist(note$names), guessed))))
  if (length(unwanted) == length(frame)) character(0) else unwanted
}

remedy_for <- function(note, unwanted) {
  if (!note$leave_out || any(unlist(note$names) %in% unwanted)) remedies[note$kind] else remedies_of_kept[note$kind]
}

# Warns of what can spoil the tree, and returns the columns that are to be left out.
heed_notes <- function(rows) {
  notes <- jsonlite::fromJSON(.Call(C_data_notes, training_data(rows)), simplifyDataFrame = FALSE)
  unwanted <- unwanted_columns(notes, rows$predictors)
  for (note in notes) {
    remedy <- remedy_for(note, unwanted)
    if (!is.na(remedy)) warn("treewright_data", paste0(note$problem, "; ", remedy))
  }
  unwanted
}

# Warns of columns in new rows that are probably written otherwise than in training.
warn_of_rows <- function(result, data) {
  for (note in jsonlite::fromJSON(.Call(C_row_notes, result, data), simplifyDataFrame = FALSE)) {
    warn("treewright_data", paste0(note$problem, "; ", note$remedy))
  }
}

stopped_by <- c(time_limit = "the time limit was reached", node_limit = "the node limit was reached", interrupted = "it was interrupted")

warn_unless_proved <- function(summary) {
  methods <- treewright_methods()
  gap <- sprintf("the gap is %.3g %%. The best tree found is kept", 100 * summary$gap)
  if (summary$status %in% names(stopped_by)) {
    problem <- paste(stopped_by[[summary$status]], "before the tree was proved optimal")
    fix <- "give it more time, or accept the gap: see summary()"
  } else if (summary$status == "heuristic" && isTRUE(methods$exact[methods$name == summary$method])) {
    problem <- "the tree was not proved optimal"
    fix <- "relax the limits on leaves, or accept the gap: see summary()"
  } else {
    return(invisible())
  }
  warn("treewright_optimality", sprintf("%s; %s (%s)", problem, gap, fix))
}
