#pragma once

#include <string>

#include "treewright/tree.h"

namespace treewright::exports {

/// Functions from a row to a class and to probabilities as C, C++ (header), Python and JavaScript; in SQL an expression for the class, and
/// one for the probability of each class. In C and C++ a row is an array of doubles, one for each column, levels by their numbers and NaN
/// if a value is missing; in Python and JavaScript a mapping from column names; in SQL the columns.
/// `name`: of the prefix, the namespace or the object; "" = made of a checksum. Throws Error where it is no name there.
std::string to_c(const Tree& tree, const std::string& name);
std::string to_cpp(const Tree& tree, const std::string& name);
std::string to_python(const Tree& tree);
std::string to_javascript(const Tree& tree, const std::string& name);
/// `backquotes`: see ExportOptions.
std::string to_sql(const Tree& tree, bool backquotes);
std::string to_sql_probabilities(const Tree& tree, bool backquotes);

/// A formula for spreadsheets that says the class of row 2, columns in the order of the tree from A on. Throws Error if it is longer than a
/// cell may hold.
std::string to_excel(const Tree& tree);
/// The cells that this formula reads, with the names of their columns: "B2 = age, F2 = ward".
std::string cells_of_excel(const Tree& tree);
/// Digits of a number that a spreadsheet reads.
inline constexpr int kExcelDigits = 15;

}  // namespace treewright::exports
