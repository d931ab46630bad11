#pragma once

#include <span>

#include "treewright/base/deadline.h"
#include "treewright/mip/solution.h"

namespace treewright::mip {

/// `solve` by another program. `options.solver` is a shell command; these words in it are replaced:
///   {lp} {mps}            the model in that format
///   {start} {cbc_start}   the start as "name value" lines, or as CBC wants it; without a start a file of one comment line
///   {solution}            the file the command must leave (see solution_file.h); without it nothing would be heard
///   {time} {threads} {seed}   whole seconds (at least 1), a number of threads (at least 1), the seed
/// The command runs in a folder of its own, which is removed afterwards, in a process group of its own, which is ended five
/// seconds after the deadline at the latest, or at once when the user interrupts. Throws Error (with the exit code and the last lines
/// the command printed) when it cannot be run, fails, or leaves no solution file that can be read, unless time ran out.
MipSolution solve_with_command(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline);

}  // namespace treewright::mip
