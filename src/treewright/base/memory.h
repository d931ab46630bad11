#pragma once

#include <string>

namespace treewright {

/// Bytes that this process may still take, by whatever is least: the machine's free memory, the limit of its control group, its own (ulimit
/// -v).
double available_memory();

/// Gives the memory of what was freed back to the system, where the C library keeps it. Worth its time after a phase that has freed many
/// megabytes in pieces that the next phase does not ask for.
void return_freed_memory();

/// Throws Error of kind limit where `bytes` are more than `available`. `what`: what they are for, with its size.
void check_memory(double bytes, double available, const std::string& where, const std::string& what, const std::string& fix);

}  // namespace treewright
