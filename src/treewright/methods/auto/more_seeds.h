#pragma once

#include "treewright/methods/method.h"

namespace treewright::automatic {

/// Tries other seeds where `result`, trained with the chosen options, is worse than `chosen.promised`, and keeps the best tree. Adds to
/// the reasons of the choice what was tried.
void try_more_seeds(const Dataset& data, ChosenOptions& chosen, Deadline& deadline, const Trainer& trainer, Result& result);

}  // namespace treewright::automatic
