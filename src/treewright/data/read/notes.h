#pragma once

#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// What can be wrong with data before any tree is trained.
enum class NoteKind {
  near_unique,     ///< categories with nearly as many levels as rows: names, identifiers
  unread_amounts,  ///< the same of cells that look like amounts or dates, in no way of writing that is known
  stray_cells,     ///< numbers with a few cells of text among them, which make the column categorical
  row_numbers,     ///< 0, 1, 2, ... or 1, 2, 3, ... down the rows, or another whole number in each row: identifiers
  record_numbers,  ///< whole numbers of many digits, another one in each row: perhaps identifiers
  constant,        ///< one value only
  copies_target,   ///< one value for each class: the target under another name
  many_classes,    ///< a target with nearly as many classes as rows, or with many numbers: a quantity
  many_labels,     ///< a target of nearly as many texts as rows
  rare_class,      ///< very few rows of a class
  two_readings,    ///< numbers such as 1,234, which may be read in two ways
  how_read,        ///< what was done so that the text could be read
  many_levels,     ///< a category of very many levels
  mixed_cells,     ///< numbers and a few cells of text, of so few levels that they do as categories
  codes,           ///< numbers such as 00501 or 07.1990
  large_numbers,   ///< whole numbers above 2^53 only, of a program that may have rounded them: identifiers
  totals,          ///< the last row holds the sums of columns
  number_texts,    ///< texts of which all are numbers, in data whose program knows numbers
  date_texts,      ///< texts of which all are dates, likewise
  spelling         ///< categories or classes that differ in capital letters, blanks or zeros of a number only
};

struct DataNote {
  NoteKind kind{};
  std::vector<std::string> names;  ///< columns; of rare_class the classes
  std::string problem;             ///< what was found, in words, without the remedy
  /// Of stray_cells: the texts among the numbers; of two_readings: one of the cells of each column.
  std::vector<std::string> cells = {};

  /// Whether training does better without the columns: they are no categories, or say nothing about new rows.
  bool leave_out() const {
    return kind == NoteKind::near_unique || kind == NoteKind::unread_amounts || kind == NoteKind::stray_cells ||
           kind == NoteKind::row_numbers || kind == NoteKind::copies_target;
  }
};

/// Whether the target holds so many different numbers that it is a quantity rather than a class.
bool is_quantity(const Dataset& data);

/// How a column was read whose numbers may be read in two ways: "decimal commas", "points between thousands". Expects `doubtful`.
std::string words_of_reading(const Column& column);
/// The same of one such cell, where this is the decimal mark.
std::string words_of_reading(const std::string& cell, char point);

/// Whether a cell is a number, however it is written.
bool is_number(const std::string& text);

/// Looks at all columns and labels. One pass over each column.
std::vector<DataNote> look_at(const Dataset& data);

/// The columns that training does better without.
std::vector<std::string> left_out(const std::vector<DataNote>& notes);

/// A list of objects with "kind" (the name above), "names", "problem" and "leave_out".
std::string to_json(const std::vector<DataNote>& notes);

}  // namespace treewright
