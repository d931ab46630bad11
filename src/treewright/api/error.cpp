// Errors and texts: the part of the C interface that everything else needs.

#include <cstdlib>
#include <new>

#include "treewright/api/handles.h"
#include "treewright/base/version.h"

namespace treewright::api {

namespace {

struct LastError {
  std::string message, where, what, fix;
};

tw_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return TW_BAD_OPTION;
    case ErrorKind::data:
      return TW_BAD_DATA;
    case ErrorKind::file:
      return TW_BAD_FILE;
    case ErrorKind::limit:
      break;
  }
  return TW_TOO_LARGE;
}

LastError& last_error() {
  thread_local LastError error;
  return error;
}

tw_status remember(tw_status status, const Error& error) {
  last_error() = {error.what(), error.where(), error.problem(), error.fix()};
  return status;
}

}  // namespace

tw_status store_error() noexcept {
  try {
    try {
      throw;
    } catch (const BadCall& error) {
      return remember(TW_BAD_CALL, error);
    } catch (const Error& error) {
      return remember(status_of(error.kind()), error);
    } catch (const std::bad_alloc&) {
      return remember(TW_OUT_OF_MEMORY,
                      Error("memory", "there is not enough", "use fewer rows or columns, or a machine with more memory"));
    } catch (const std::exception& error) {
      return remember(TW_INTERNAL, Error("treewright", error.what(), "this is a bug: please report it with the data and options"));
    }
  } catch (...) {
    // Not even the message could be stored.
    last_error() = {};
    return TW_INTERNAL;
  }
}

std::size_t need_struct_size(const void* pointer, const char* name) {
  // No struct will ever be as large as this; what is on an uninitialized stack often is.
  constexpr std::size_t kLargest = 4096;
  // Every struct begins with its size.
  std::size_t size = 0;
  std::memcpy(&size, &need(static_cast<const unsigned char*>(pointer), name), sizeof size);
  if (size < sizeof size || size > kLargest) {
    throw BadCall(name, "has struct_size " + std::to_string(size), "begin with TW_INIT, which sets it");
  }
  return size;
}

std::size_t need_index(std::int64_t index, std::size_t size, const char* name) {
  if (index < 0 || static_cast<std::uint64_t>(index) >= size) {
    throw BadCall(name, "is " + std::to_string(index), size == 0 ? "there are none" : "use 0.." + std::to_string(size - 1));
  }
  return static_cast<std::size_t>(index);
}

char* new_text(std::string_view text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

std::vector<std::string> names_from(const char* const* names, std::int64_t count, const char* argument) {
  if (count < 0) throw BadCall(argument, "there are fewer than none", "pass a count >= 0");
  std::vector<std::string> result;
  for (std::int64_t i = 0; i < count; ++i) result.emplace_back(&need(need(names, argument) == nullptr ? nullptr : names[i], argument));
  return result;
}

}  // namespace treewright::api

using treewright::api::last_error;

const char* tw_error_message(void) {
  return last_error().message.c_str();
}
const char* tw_error_where(void) {
  return last_error().where.c_str();
}
const char* tw_error_what(void) {
  return last_error().what.c_str();
}
const char* tw_error_fix(void) {
  return last_error().fix.c_str();
}

const char* tw_version(void) {
  return treewright::version();
}
int32_t tw_abi_version(void) {
  return TW_ABI_VERSION;
}

void tw_text_free(char* text) {
  std::free(text);
}
