#pragma once

#include <string>

#include "treewright/tree.h"

namespace treewright::exports {

/// The double as a literal of C, C++, Python and SQL that reads back to the same double.
std::string literal(double value);

/// A function from a row to a class as C, C++ (header), Python or an SQL expression. In C and C++ a row is an array of doubles, one for
/// each column, levels by their numbers and NaN if a value is missing; in Python a mapping from column names; in SQL the columns.
std::string to_c(const Tree& tree);
std::string to_cpp(const Tree& tree);
std::string to_python(const Tree& tree);
std::string to_sql(const Tree& tree);

}  // namespace treewright::exports
