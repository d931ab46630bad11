#pragma once

#include <cstdint>

namespace treewright {

/// Strong indices: a feature can never be passed where a node is meant. Unary plus gives the plain number.
enum class FeatureId : std::int32_t {};
enum class NodeId : std::int32_t {};

constexpr std::int32_t operator+(FeatureId id) {
  return static_cast<std::int32_t>(id);
}
constexpr std::int32_t operator+(NodeId id) {
  return static_cast<std::int32_t>(id);
}

/// "No node": the child of a leaf.
inline constexpr NodeId kNoNode{-1};

}  // namespace treewright
