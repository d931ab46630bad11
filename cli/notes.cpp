// Notes on the data, with what to do about them in the command's words.

#include "notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "treewright/base/name_list.h"
#include "treewright/data/read/notes.h"
#include "treewright/error.h"
#include "treewright/explain/text.h"

namespace treewright::cli {

namespace {

// A list of names as one argument of a shell.
std::string argument(const std::vector<std::string>& names) {
  std::string text;
  for (const char c : list_of_names(names)) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const bool plain = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,") == std::string::npos;
  return plain && !text.empty() ? text : "'" + text + "'";
}

bool all_hold_digits(const std::vector<std::string>& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [](const std::string& cell) { return cell.find_first_of("123456789") != std::string::npos; });
}

std::string remedy(const DataNote& note) {
  const std::string names = argument(note.names);
  switch (note.kind) {
    case NoteKind::near_unique:
      return fmt::format("it is left out (--categorical {} keeps it)", names);
    case NoteKind::unread_amounts:
      return fmt::format("it is left out; write amounts as 1234.5 and dates as 2020-03-25 (--categorical {} keeps the categories)", names);
    case NoteKind::stray_cells:
      // <0.5 and 12* are quantities, and 2020-02-30 is not.
      return fmt::format("it is left out ({}--missing {} reads the others, --categorical {} keeps the categories)",
                         all_hold_digits(note.cells) ? "write all cells in one way, or " : "", argument(note.cells), names);
    case NoteKind::row_numbers:
      return fmt::format("new rows will have other numbers: it is left out (--numeric {} keeps it)", names);
    case NoteKind::record_numbers:
      return fmt::format("if new rows will have other numbers, --drop {}", names);
    case NoteKind::constant:
      return fmt::format("no split can use {}: --drop {} silences this", note.names.size() == 1 ? "it" : "them", names);
    case NoteKind::copies_target:
      return fmt::format("it is left out as a copy of the target (--numeric or --categorical {} keeps it)", names);
    case NoteKind::many_classes:
      return "each is a class: --loss squared predicts the number, --bins 3 groups them";
    case NoteKind::many_labels:
      return "a class of one or two rows is never learned: name another column with --target";
    case NoteKind::rare_class:
      return "a tree may never predict it; --class-weight balanced weighs rare classes more, or merge it with another class";
    case NoteKind::two_readings:
      return "--decimal , or --decimal . says which is meant";
    case NoteKind::many_levels:
      return fmt::format("a split may take any set of them, so a tree learns single rows by heart: group rare ones, or --drop {}", names);
    case NoteKind::mixed_cells:
      return fmt::format("--missing {} reads it as numbers", argument(note.cells));
    case NoteKind::totals:
      return "if these are totals, take the row out of the file";
    case NoteKind::codes:
      if (note.problem.ends_with("times")) return "write months as 1990-07-01 and times as 8:15";
      return fmt::format("--categorical {} reads them as categories", names);
    case NoteKind::number_texts:
      return fmt::format("--numeric {} reads them as numbers", names);
    case NoteKind::date_texts:
      return "--dates says whether the day or the month comes first";
    case NoteKind::spelling:
      return "write them alike if they mean the same";
    case NoteKind::large_numbers:  // of data of other programs
    case NoteKind::how_read:
      break;
  }
  return "";
}

}  // namespace

std::string notes_text(const std::vector<DataNote>& notes) {
  std::string out;
  for (const DataNote& note : notes) {
    const std::string what_to_do = remedy(note);
    out += explain::printable(fmt::format("note: {}{}{}", note.problem, what_to_do.empty() ? "" : "; ", what_to_do)) + '\n';
  }
  return out;
}

void prepare(Dataset& data, const std::string& origin, bool quiet) {
  const std::vector<DataNote> notes = look_at(data);
  if (!quiet) fmt::print(stderr, "{}", notes_text(notes));
  const std::vector<std::string> unwanted = left_out(notes);
  if (unwanted.empty()) return;
  const bool number = data.columns.front().kind == ColumnKind::numeric;
  const std::string name = argument({data.columns.front().name});
  std::erase_if(data.columns, [&](const Column& column) { return is_in(unwanted, column.name); });
  // A proof names them.
  std::vector<std::string> without = data.reading.columns;
  std::erase_if(without, [&](const std::string& of) { return !is_in(unwanted, of) && !is_in(data.reading.left_out, of); });
  data.reading.left_out = std::move(without);
  if (data.columns.empty()) {
    throw Error(origin, "no column is left to train on", fmt::format("keep one with {} {}", number ? "--numeric" : "--categorical", name));
  }
}

}  // namespace treewright::cli
