// Notes on the data for other programs.

#include <nlohmann/json.hpp>
#include <string_view>

#include "treewright/data/read/notes.h"

namespace treewright {

namespace {

std::string_view to_string(NoteKind kind) {
  switch (kind) {
    case NoteKind::near_unique:
      return "near_unique";
    case NoteKind::unread_amounts:
      return "unread_amounts";
    case NoteKind::stray_cells:
      return "stray_cells";
    case NoteKind::row_numbers:
      return "row_numbers";
    case NoteKind::record_numbers:
      return "record_numbers";
    case NoteKind::constant:
      return "constant";
    case NoteKind::copies_target:
      return "copies_target";
    case NoteKind::many_classes:
      return "many_classes";
    case NoteKind::many_labels:
      return "many_labels";
    case NoteKind::rare_class:
      return "rare_class";
    case NoteKind::two_readings:
      return "two_readings";
    case NoteKind::how_read:
      return "how_read";
    case NoteKind::many_levels:
      return "many_levels";
    case NoteKind::mixed_cells:
      return "mixed_cells";
    case NoteKind::codes:
      return "codes";
    case NoteKind::large_numbers:
      return "large_numbers";
    case NoteKind::totals:
      return "totals";
    case NoteKind::number_texts:
      return "number_texts";
    case NoteKind::date_texts:
      return "date_texts";
    case NoteKind::spelling:
      return "spelling";
  }
  return "";
}

}  // namespace

std::string to_json(const std::vector<DataNote>& notes) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const DataNote& note : notes) {
    list.push_back({{"kind", to_string(note.kind)}, {"names", note.names}, {"problem", note.problem}, {"leave_out", note.leave_out()}});
  }
  // Bytes of other encodings are replaced.
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace treewright
