#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <treewright/treewright.h>
#include "treewright/column_worth.h"
#include "treewright/data.h"
#include "treewright/error.h"
#include "treewright/near_trees.h"
#include "treewright/options.h"
#include "treewright/result.h"
#include "treewright/trade_off.h"
#include "treewright/tune.h"

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
  bool of_file = false;  ///< it was read, not trained
};
struct tw_path {
  treewright::ComplexityPath path;
};
struct tw_trade_off {
  treewright::TradeOff trade_off;
};
struct tw_column_worth {
  treewright::ColumnWorths worths;
};
struct tw_near_trees {
  treewright::NearTrees near;
};

namespace treewright::api {

/// A mistake of the calling program, not of its user.
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

/// Writes what `make` returns to `*out`. Whatever goes wrong becomes a status, and `*out` stays as it was.
template <class T, class Make>
tw_status answered(T* out, const char* name, Make&& make) noexcept {
  return guarded([&] {
    T& to = need(out, name);
    to = make();
  });
}

/// struct_size of a caller's struct. Throws BadCall for NULL, and for a size that no caller can mean.
std::size_t need_struct_size(const void* pointer, const char* name);

/// A struct of `size` bytes of the caller's, who may know fewer of its members than we do (the others are 0) or more (those must be 0).
template <class Struct>
Struct read_struct(const Struct* from, std::size_t size, const char* name) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  if (std::any_of(bytes + std::min(size, sizeof(Struct)), bytes + size, [](unsigned char byte) { return byte != 0; })) {
    throw BadCall(name, "has members set that this version of treewright does not know", "use a version as new as the header");
  }
  Struct known{};
  std::memcpy(&known, from, std::min(size, sizeof(Struct)));
  return known;
}
template <class Struct>
Struct read_struct(const Struct* from, const char* name) {
  return read_struct(from, need_struct_size(from, name), name);
}

/// Writes as many members as the caller knows, `size` bytes; those that we do not know become 0.
template <class Struct>
void write_struct(Struct* to, std::size_t size, Struct value) noexcept {
  value.struct_size = size;
  std::memcpy(to, &value, std::min(size, sizeof(Struct)));
  if (size > sizeof(Struct)) std::memset(reinterpret_cast<unsigned char*>(to) + sizeof(Struct), 0, size - sizeof(Struct));
}

template <class Struct>
void write_struct(Struct* to, const char* name, const Struct& value) {
  write_struct(to, need_struct_size(to, name), value);
}

/// Element `index` of a caller's array, whose elements are `size` bytes each.
template <class Struct>
Struct* element(Struct* array, std::size_t index, std::size_t size) {
  using Byte = std::conditional_t<std::is_const_v<Struct>, const unsigned char, unsigned char>;
  return reinterpret_cast<Struct*>(reinterpret_cast<Byte*>(array) + index * size);
}

/// `index` if it is within 0..size-1.
std::size_t need_index(std::int64_t index, std::size_t size, const char* name);

/// The hooks of a run in the C interface; each may be NULL.
FitHooks hooks_of(tw_listener listener, void* context, const tw_stop* stop);

/// A copy for the caller to free with tw_text_free.
char* new_text(std::string_view text);

/// `count` names as strings.
std::vector<std::string> names_from(const char* const* names, std::int64_t count, const char* argument);

}  // namespace treewright::api
