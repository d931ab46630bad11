#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright {

/// The JSON of a top. Throws Error where it is none, or has a key twice in one place.
nlohmann::ordered_json top_json(const std::string& text);

/// The splits that a tree begins with, the leaves that stay, and the places where others may follow: the option top. As JSON, a split names
/// its column, what goes left, and its two sides: {"column": "age", "below": 40, "left": "leaf", "right": "..."}. "levels" of a category,
/// or the first levels of an ordered column, stand in place of "below"; "missing" is "left" or "right". {"column": "age"} alone is a place
/// where any split asks this column, and others may follow.
class TreeTop {
 public:
  /// Among these columns. Throws Error that names the place in the text.
  TreeTop(const std::string& json, const std::vector<Feature>& features);

  /// Its splits as a tree of these rows, with their counts. Throws Error where a split parts none of them.
  Tree tree(const Dataset& data) const;
  /// Leaves of `tree` where splits may follow.
  const std::vector<NodeId>& open() const { return open_; }
  /// Leaves of `tree` where a split asks this column.
  const std::vector<std::pair<NodeId, FeatureId>>& asked() const { return asked_; }
  bool has_splits() const { return parts_.front().split.has_value(); }
  std::vector<FeatureId> columns() const;
  /// Whether the tree begins so.
  bool begins(const Tree& tree) const;
  /// The thresholds of a tree that begins so, up to their digits, as they were given.
  void restore(Tree& tree) const;

 private:
  struct Part {
    std::optional<Split> split;
    bool says_missing = false;  // which side rows without the value go
  };

  template <class Visit>
  bool walk(const Tree& tree, Visit visit) const;

  std::vector<Part> parts_;  // numbered as the nodes of `tree`: level by level
  std::vector<NodeId> open_;
  std::vector<std::pair<NodeId, FeatureId>> asked_;

  friend class TopReader;
};

/// `tree`, with the nodes of another tree in the place of a leaf.
void graft(Tree& tree, NodeId leaf, const Tree& below);

/// A split as the option top names it, without its sides.
nlohmann::ordered_json top_split(const Split& split, const Tree& tree);

/// The node and all below it, as splits and leaves that stay.
nlohmann::ordered_json top_from(const Tree& tree, NodeId id);

}  // namespace treewright
