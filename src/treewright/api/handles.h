#pragma once

#include <atomic>
#include <cstring>
#include <string>
#include <string_view>

#include <treewright/treewright.h>
#include "treewright/base/error.h"
#include "treewright/base/options.h"
#include "treewright/data/dataset.h"
#include "treewright/select/complexity_path.h"
#include "treewright/tree/result.h"

struct tw_dataset {
  treewright::Dataset data;
  std::size_t rows;
};
struct tw_options {
  treewright::Options options;
};
struct tw_stop {
  std::atomic<bool> requested{false};
};
struct tw_result {
  treewright::Result result;
};
struct tw_path {
  treewright::ComplexityPath path;
};

namespace treewright::api {

/// The calling program's mistake, as against its user's.
class BadCall : public Error {
 public:
  BadCall(const std::string& where, const std::string& what, const std::string& fix) : Error(where, what, fix, ErrorKind::usage) {}
};

/// Stores what is being thrown as this thread's last error and names its kind. Call inside a catch block.
tw_status store_error() noexcept;

/// Runs `body`; whatever it throws becomes a status and the thread's last error.
template <class Body>
tw_status guarded(Body&& body) noexcept {
  try {
    body();
    return TW_OK;
  } catch (...) {
    return store_error();
  }
}

template <class T>
T& need(T* pointer, const char* name) {
  if (pointer == nullptr) throw BadCall(name, "is NULL", "pass a valid pointer");
  return *pointer;
}

/// `index` if it is within 0..size-1.
std::size_t need_index(std::int64_t index, std::size_t size, const char* name);

/// What a run hears and tells by way of the C interface; each may be NULL.
FitHooks hooks_of(tw_listener listener, void* context, const tw_stop* stop);

/// A copy for the caller to free with tw_text_free.
char* new_text(std::string_view text);

/// `count` names as strings.
std::vector<std::string> names_from(const char* const* names, std::int64_t count, const char* argument);

}  // namespace treewright::api
