// The option and method tables, and option values by name.

#include <algorithm>
#include <deque>
#include <mutex>

#include "treewright/api/handles.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::guarded;
using treewright::api::need;
using treewright::api::need_index;

namespace {

// A copy that lives as long as the library and ends with a zero. The tables hold views, which may end inside a longer literal.
const char* text(std::string_view view) {
  static std::mutex mutex;  // two tables may be made at once
  static std::deque<std::string> kept;
  const std::lock_guard lock(mutex);
  return kept.emplace_back(view).c_str();
}

const char* name_of(OptionType type) {
  switch (type) {
    case OptionType::Integer:
      return "integer";
    case OptionType::Real:
      return "real";
    case OptionType::Choice:
      return "choice";
    case OptionType::Text:
      break;
  }
  return "text";
}

const std::vector<tw_option_info>& options_in_c() {
  static const std::vector<tw_option_info> table = [] {
    std::vector<tw_option_info> lines;
    for (const OptionEntry& info : option_entries()) {
      lines.push_back({sizeof(tw_option_info), text(info.name), name_of(info.type), text(info.default_text), text(info.range),
                       text(info.unit), text(info.methods), text(info.source), text(info.help)});
    }
    return lines;
  }();
  return table;
}

const std::vector<tw_method_info>& methods_in_c() {
  static const std::vector<tw_method_info> table = [] {
    std::vector<tw_method_info> lines;
    for (const MethodInfo& method : method_table()) {
      const auto read = [&method](std::string_view option) {
        return std::ranges::any_of(methods(), [&](const Method& entry) { return entry.name == method.name && entry.reads_option(option); });
      };
      std::string names;
      for (const OptionInfo& info : option_table()) {
        if (read(info.name)) names += (names.empty() ? "" : ",") + std::string(info.name);
      }
      lines.push_back({sizeof(tw_method_info), text(method.name), text(method.family), text(method.description), text(names),
                       method.exact ? 1 : 0, has_path(method.name) ? 1 : 0});
    }
    return lines;
  }();
  return table;
}

}  // namespace

int32_t tw_option_count(void) {
  return static_cast<int32_t>(option_table().size());
}

tw_status tw_option_at(int32_t index, tw_option_info* info) {
  return guarded([&] { api::write_struct(info, "info", options_in_c()[need_index(index, options_in_c().size(), "index")]); });
}

int32_t tw_method_count(void) {
  return static_cast<int32_t>(method_table().size());
}

tw_status tw_method_at(int32_t index, tw_method_info* info) {
  return guarded([&] { api::write_struct(info, "info", methods_in_c()[need_index(index, methods_in_c().size(), "index")]); });
}

tw_status tw_options_create(tw_options** options) {
  return answered(options, "options", [&] { return new tw_options; });
}

void tw_options_free(tw_options* options) {
  delete options;
}

tw_status tw_options_set(tw_options* options, const char* name, const char* value) {
  return guarded([&] { set_option(need(options, "options").options, &need(name, "name"), &need(value, "value")); });
}

tw_status tw_options_get(const tw_options* options, const char* name, char** value) {
  return answered(value, "value", [&] { return api::new_text(get_option(need(options, "options").options, &need(name, "name"))); });
}

tw_status tw_options_depth(const tw_options* options, int64_t classes, int64_t* depth) {
  return answered(depth, "depth", [&] {
    const Options& given = need(options, "options").options;
    return given.max_depth >= 0 ? given.max_depth : method_of(given).usual_depth(static_cast<std::size_t>(std::max<int64_t>(1, classes)));
  });
}
