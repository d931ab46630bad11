#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <treewright/treewright.h>
#include "support/compared_fit.h"
#include "treewright/options.h"

namespace treewright::testing {

/// The same data and options through the C interface.
class ThroughC {
 public:
  explicit ThroughC(const Case& c) : data_(nullptr, tw_dataset_free), options_(nullptr, tw_options_free), result_(nullptr, tw_result_free) {
    const auto rows = static_cast<std::int64_t>(c.data.rows());
    data_.reset(made<tw_dataset>([&](auto** out) { return tw_dataset_create(rows, out); }));
    for (const Column& column : c.data.columns) {
      const char* name = column.name.c_str();
      if (column.kind == ColumnKind::numeric) {
        ok(tw_dataset_add_matrix(data_.get(), column.values.data(), TW_FLOAT64, 1, 1, rows, &name));
      } else {
        const std::vector<const char*> levels = pointers(column.levels);
        ok(tw_dataset_add_categories(data_.get(), name, column.codes.data(), static_cast<std::int64_t>(levels.size()), levels.data()));
      }
    }
    const std::vector<const char*> classes = pointers(c.data.class_names);
    ok(tw_dataset_set_labels(data_.get(), c.data.labels.data(), static_cast<std::int64_t>(classes.size()), classes.data()));
    if (!c.data.weights.empty()) ok(tw_dataset_set_weights(data_.get(), c.data.weights.data()));
    if (!c.data.costs.empty()) ok(tw_dataset_set_costs(data_.get(), c.data.costs.data()));
    if (!c.data.row_costs.empty()) ok(tw_dataset_set_row_costs(data_.get(), c.data.row_costs.data()));
    options_.reset(made<tw_options>([](auto** out) { return tw_options_create(out); }));
    for (const OptionInfo& info : option_table()) {
      ok(tw_options_set(options_.get(), std::string(info.name).c_str(), get_option(c.options, info.name).c_str()));
    }
    ++counts.fits;
    result_.reset(made<tw_result>([&](auto** out) { return tw_fit(data_.get(), options_.get(), nullptr, nullptr, nullptr, out); }));
    labels_.resize(c.data.rows());
    if (status_ == TW_OK) ok(tw_predict(result_.get(), data_.get(), labels_.data()));
    if (status_ == TW_OK) ok(tw_result_summary(result_.get(), &summary_));
  }

  tw_status status() const { return status_; }
  const std::vector<std::int32_t>& labels() const { return labels_; }
  const tw_summary& summary() const { return summary_; }

 private:
  static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> result;
    for (const std::string& text : texts) result.push_back(text.c_str());
    return result;
  }
  void ok(tw_status status) { status_ = status_ == TW_OK ? status : status_; }
  template <class Handle, class Make>
  Handle* made(const Make& make) {
    Handle* handle = nullptr;
    if (status_ == TW_OK) ok(make(&handle));
    return handle;
  }

  tw_status status_ = TW_OK;
  std::unique_ptr<tw_dataset, void (*)(tw_dataset*)> data_;
  std::unique_ptr<tw_options, void (*)(tw_options*)> options_;
  std::unique_ptr<tw_result, void (*)(tw_result*)> result_;
  std::vector<std::int32_t> labels_;
  tw_summary summary_ = TW_INIT(tw_summary);
};

inline std::string compare_c(const Case& c, const Result& base) {
  const ThroughC other(c);
  if (other.status() != TW_OK) return sentence("C interface: ", tw_error_message());
  // Two runs that the clock stops need not agree.
  const std::string_view stopped = to_string(Status::time_limit);
  if (to_string(base.status) == stopped || other.summary().status == stopped) return "";
  if (other.labels() != base.tree.predict(c.data)) return "C interface: other predictions";
  if (other.summary().objective != base.objective || other.summary().bound != base.bound)
    return sentence("C interface: objective ", other.summary().objective, " and bound ", other.summary().bound, ", in C++ ", base.objective,
                    " and ", base.bound);
  return "";
}

}  // namespace treewright::testing
