#pragma once

#include <cstddef>
#include <functional>

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"

namespace treewright {

/// Runs task(i, deadline of its own) for i = 0..count-1 side by side, under what `deadline` has left, and returns how many of them count:
/// those before the first, in order, with which their work together exceeds the limit on work. What later ones found must be dropped.
/// A task returns true when those after it are needless; then it is the last that counts.
///
/// The number returned, and what the tasks that count did, is the same for any number of threads (time and the stop flag aside).
std::size_t run_ordered(ThreadPool& pool, Deadline& deadline, std::size_t count, const std::function<bool(std::size_t, Deadline&)>& task);

}  // namespace treewright
