#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"

namespace treewright::proof {

/// A sequence of the values of one column: a split sends a beginning of it left. Numbers ascend; missing ones come last, or first.
struct Ordering {
  std::int32_t column = 0;
  bool missing_first = false;
  std::vector<std::vector<std::int32_t>> levels;  ///< of a category: those of each rank, -1 = missing; others come last. Empty for numbers.
};

/// A proof that no tree of some depth costs less than `bound`: docs/proof-format.md. A tree costs the weight of its errors, without those
/// that every tree makes among rows of equal values, plus `price` for each split. All in units of row weight (data/whole_weights.h).
struct Proof {
  std::int32_t depth = 0;
  double price = 0;
  double bound = 0;
  double unit = 1;  ///< of the row weights; for readers that do not look for it themselves
  double grid = 1;  ///< the power of two that divides every cost
  std::vector<Ordering> orderings;
  std::string body;  ///< the reasons, as Writer writes them
};

/// The proof as a file. `made_by`: program and version.
std::string to_bytes(const Proof& proof, const Dataset& data, std::string_view made_by);

/// Reads a file of `to_bytes` for the rows that it speaks of. `origin` names it in messages. Throws Error if it is damaged, of another version, or
/// of columns that `data` lack.
Proof from_bytes(std::string_view bytes, const Dataset& data, const std::string& origin);

/// Whole numbers in as few bytes as they need: seven bits in each, the lowest first, and the high bit set where more follow.
class Writer {
 public:
  void number(std::uint64_t value);
  void append(std::string_view bytes) { bytes_ += bytes; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The largest power of two that divides 1 and `price`.
double grid_of(double price);

/// No tree of that depth costs less, whatever its splits: one with j leaves pays for j - 1 splits and errs on all classes but j.
/// `class_weights`: of the rows. Shape (classes).
double trivial_bound(std::vector<double> class_weights, int depth, double price);

}  // namespace treewright::proof
