#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "treewright/error.h"

/// Runs `action`, which must throw treewright::Error, and looks for every one of `parts` in its message.
template <class Action>
void expect_error(Action action, const std::vector<std::string>& parts) {
  try {
    action();
  } catch (const treewright::Error& error) {
    const std::string message = error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    }
    EXPECT_FALSE(error.fix().empty());
    return;
  }
  ADD_FAILURE() << "no Error was thrown; expected one with '" << (parts.empty() ? "" : parts.front()) << "'";
}
