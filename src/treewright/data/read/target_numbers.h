#pragma once

#include <string>

#include "treewright/data.h"

namespace treewright {

/// Makes a response of the labels where `options.loss` asks for it or `options.guess_numbers` allows it and the target looks
/// like a number; the column of exposures, or of events, becomes part of it. Throws Error on labels that are no numbers.
void take_numbers(Dataset& data, const std::string& origin, const ReadOptions& options);

}  // namespace treewright
