#pragma once

#include <cstddef>
#include <functional>

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"

namespace treewright {

/// Runs task(i, deadline of the task) for i = 0..count-1 in parallel, within the limits of `deadline`. Returns how many tasks count: in
/// order of i, those before the one at which their total work exceeds the work limit. The results of later ones must be dropped. A task
/// returns true if the tasks after it are not needed; then it is the last one that counts.
///
/// The number returned, and the results of the tasks that count, are the same for any number of threads (except for the time limit and the
/// stop flag).
std::size_t run_ordered(ThreadPool& pool, Deadline& deadline, std::size_t count, const std::function<bool(std::size_t, Deadline&)>& task);

}  // namespace treewright
