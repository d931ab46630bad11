#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <string>

#include "treewright/base/deadline.h"
#include "treewright/proof/proof.h"
#include "treewright/search/root/exact_options.h"

namespace treewright::search {

/// A part of a proof: one side of a cut of the root, or all items one level shallower, and what is claimed of it.
struct ProofPart {
  std::size_t ordering = 0;
  std::uint32_t rank = 0;  ///< items of a lower rank are left; 0 = all items
  bool left = false;
  int depth = 0;
  std::int64_t splits = 0;
  double claim = 0;
  double of_all = 0;  ///< with a limit on the rows of leaves: the claim of all trees on the side

  auto operator<=>(const ProofPart&) const = default;
};

/// Parts of the same proof that an earlier run has written, and where those of this run go. Its functions may be called from several
/// threads at once.
class ProofParts {
 public:
  virtual ~ProofParts() = default;
  /// Its bytes, or nullptr if they are not known. They stay where they are.
  virtual const std::string* find(const ProofPart& part) = 0;
  /// `seconds`: that it took.
  virtual void add(const ProofPart& part, const std::string& bytes, double seconds) = 0;
};

/// Hears how many parts of how many are written; never called from two threads at once.
using ProofListener = std::function<void(std::size_t written, std::size_t parts)>;

/// A proof of the bound that search_exact has found: ExactSearchResult::exact. `searched`: the rows that it was given, those of `data` or
/// their table of gains. `parts`: may be null.
/// Takes about as long as the search. Empty if the deadline ends it; its work is visits of an item in an ordering. Throws Error if it sees
/// that the bound is false. With min_rows it speaks of trees within that limit.
std::optional<proof::Proof> prove(const Dataset& data, const Dataset& searched, const ExactSearchOptions& options,
                                  const ExactSearchResult& found, Deadline& deadline, ProofParts* parts = nullptr,
                                  const ProofListener& listener = {});

}  // namespace treewright::search
