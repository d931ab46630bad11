// The check of a proof file, in words.

#include "verification.h"

#include <fmt/format.h>

#include <atomic>

#include "interrupt.h"
#include "read_rows.h"
#include "treewright/base/deadline.h"
#include "treewright/base/file.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/version.h"
#include "treewright/fit/check_proof.h"

namespace treewright::cli {

namespace {

// Of numbers optimal is a share of what the tree without splits loses, which may be large beside what this tree loses.
std::string up_to_rounding(const ProvedTree& proved) {
  const Claim::Loss loss = proved.of.loss;
  if (loss != Claim::Loss::squared_error && loss != Claim::Loss::deviance) return "; so this tree is optimal up to rounding";
  return fmt::format("; so this tree is optimal up to rounding: {} is at most {:.2g} above the least",
                     loss == Claim::Loss::deviance ? "half its deviance" : "its squared error", proved.above);
}

std::string short_of(const Result& result, const ProvedTree& proved) {
  return fmt::format("; this is less than the tree claims: its bound is {:.9g}, and the proof shows {:.9g}, {:.2g} less", result.bound,
                     proved.bound, result.bound - proved.bound);
}

}  // namespace

Verification verification(const std::string& path, const Result& result, const DataParts& parts) {
  const std::atomic<bool>* stop = stop_on_interrupt();
  const StopScope scope([stop] { return stop->load(std::memory_order_relaxed); });
  const Deadline clock;
  try {
    const ProvedTree proved = check_proof(result, parts.train, read_file(path), path);
    return {fmt::format("{}{}{} (treewright {} went through {} claims and recounted {} best splits in {:.3f} s)", proved.sentence,
                        proved.exactly        ? "; so this tree is optimal"
                        : proved.optimal      ? up_to_rounding(proved)
                        : proved.speaks_of_it ? ""
                                              : "; this tree is not of those that the proof speaks of",
                        proved.shows_bound ? "" : short_of(result, proved), version(), proved.claims, proved.stumps, clock.elapsed()),
            proved.optimal, proved.shows_bound};
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace treewright::cli
