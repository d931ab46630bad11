#include "treewright/search/node/worker.h"

#include <cassert>
#include <utility>

namespace treewright::search {

Worker::Level& Worker::level(int depth) {
  assert(depth >= 0);
  while (levels.size() <= static_cast<std::size_t>(depth)) levels.push_back(std::make_unique<Level>());
  return *levels[static_cast<std::size_t>(depth)];
}

std::unique_ptr<Worker> Crew::borrow() {
  std::unique_ptr<Worker> worker;
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      worker = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!worker) worker.reset(new Worker{DepthTwo(problem_, limits_), {}});
  worker->deadline = nullptr;
  worker->ledger = nullptr;
  worker->path.clear();
  worker->evidence_depth = -1;
  worker->solved_sets = nullptr;
  worker->crew = this;
  return worker;
}

std::unique_ptr<Worker> Crew::borrow(Worker& other, int depth, Deadline& until) {
  std::unique_ptr<Worker> worker = borrow();
  worker->deadline = &until;
  worker->ledger = other.ledger;
  worker->path = other.path;
  worker->evidence_depth = other.evidence_depth;
  worker->solved_sets = other.solved_sets;
  if (other.solved_sets != nullptr) worker->level(depth).set = other.level(depth).set;
  return worker;
}

void Crew::give_back(std::unique_ptr<Worker> worker) {
  assert(worker->path.empty() || worker->ledger != nullptr);
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(worker));
}

}  // namespace treewright::search
