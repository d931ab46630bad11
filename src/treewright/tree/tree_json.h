#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// A name as text, or as bytes where it is no UTF-8: JSON holds nothing else, and the saved tree must find its columns.
nlohmann::ordered_json name_json(const std::string& name);
nlohmann::ordered_json names_json(const std::vector<std::string>& names);
/// Read what these wrote. Throw std::out_of_range or the JSON library's exceptions.
std::string name_from(const nlohmann::ordered_json& json);
std::vector<std::string> names_from(const nlohmann::ordered_json& json);

nlohmann::ordered_json tree_json(const Tree& tree);
/// Reads what `tree_json` wrote. Throws as `name_from` does, and Error where the nodes form no tree.
Tree tree_from(const nlohmann::ordered_json& json);

}  // namespace treewright
