// Notes on new rows for other programs.

#include <nlohmann/json.hpp>

#include "treewright/explain/row_notes.h"

namespace treewright::explain {

std::string to_json(const std::vector<RowNote>& notes) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const RowNote& note : notes)
    list.push_back({{"kind", note.kind}, {"column", note.column}, {"problem", note.problem}, {"remedy", note.remedy}});
  // Bytes of other encodings are replaced.
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace treewright::explain
