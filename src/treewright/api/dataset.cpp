// Datasets from the caller's arrays.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "treewright/api/handles.h"
#include "treewright/data/read/notes.h"
#include "treewright/data/read/ordered_levels.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/proof/table_text.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::need;

namespace {

template <class Number>
void copy_columns(std::span<Column> columns, std::size_t rows, const Number* values, std::ptrdiff_t row_stride,
                  std::ptrdiff_t column_stride) {
  // Along memory: a row-major matrix is read row by row.
  if (row_stride > column_stride) {
    for (std::size_t row = 0; row < rows; ++row) {
      const Number* from = values + static_cast<std::ptrdiff_t>(row) * row_stride;
      for (std::size_t c = 0; c < columns.size(); ++c) columns[c].values[row] = from[static_cast<std::ptrdiff_t>(c) * column_stride];
    }
    return;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Number* from = values + static_cast<std::ptrdiff_t>(c) * column_stride;
    for (std::size_t row = 0; row < rows; ++row) columns[c].values[row] = from[static_cast<std::ptrdiff_t>(row) * row_stride];
  }
}

// 03/04/2020 and 03-04-2020 may begin with the day or with the month.
bool tells_its_order(const std::string& date, char order) {
  if (order == '\0') return true;
  const std::size_t sign = date.find_first_not_of("0123456789");
  const bool named = sign + 1 < date.size() && (date[sign + 1] < '0' || date[sign + 1] > '9');
  return date[sign] == '.' || sign == 0 || named;
}

}  // namespace

tw_status tw_read_dates(const char* const* texts, int64_t count, double* days, int32_t* zoned) {
  return guarded([&] {
    const std::vector<std::string> given = api::names_from(texts, count, "texts");
    if (given.empty()) return;
    double* const to = &need(days, "days");
    int32_t& has_zone = need(zoned, "zoned");
    std::optional<WrittenDates> first;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto read = read_written_dates({given[i]}, '\0');
      // Nobody would be told of a century.
      bool fits = read && !read->short_years && tells_its_order(given[i], read->order);
      if (fits && first) fits = read->order == first->order && read->zoned == first->zoned;
      if (fits && !first) first = read;
      to[i] = fits ? read->days.front() : std::nan("");
    }
    has_zone = first && first->zoned;
  });
}

tw_status tw_dataset_create(int64_t rows, tw_dataset** dataset) {
  return answered(dataset, "dataset", [&] {
    // Rows are counted in 32 bits inside the search.
    if (rows < 0 || rows > std::numeric_limits<std::int32_t>::max())
      throw BadCall("rows", "is " + std::to_string(rows), "use 0..2147483647");
    return new tw_dataset{{}, static_cast<std::size_t>(rows)};
  });
}

void tw_dataset_free(tw_dataset* dataset) {
  delete dataset;
}

tw_status tw_dataset_add_matrix(tw_dataset* dataset, const void* values, tw_number type, int64_t columns, int64_t row_stride,
                                int64_t column_stride, const char* const* names) {
  return guarded([&] {
    tw_dataset& to = need(dataset, "dataset");
    if (columns < 0) throw BadCall("columns", "is negative", "use 0 or more");
    if (type != TW_FLOAT64 && type != TW_FLOAT32) throw BadCall("type", "is " + std::to_string(type), "use TW_FLOAT64 or TW_FLOAT32");
    if (columns == 0) return;
    if (to.rows > 0 && values == nullptr) throw BadCall("values", "is NULL", "pass a valid pointer");
    // Built aside: an exception leaves the dataset as it was.
    const std::vector<std::string> given = names == nullptr ? std::vector<std::string>() : api::names_from(names, columns, "names");
    std::vector<Column> added(static_cast<std::size_t>(columns));
    for (std::size_t c = 0; c < added.size(); ++c) {
      added[c].name = names == nullptr ? "x" + std::to_string(to.data.columns.size() + c) : given[c];
      added[c].values.resize(to.rows);
    }
    if (type == TW_FLOAT64) copy_columns<double>(added, to.rows, static_cast<const double*>(values), row_stride, column_stride);
    if (type == TW_FLOAT32) copy_columns<float>(added, to.rows, static_cast<const float*>(values), row_stride, column_stride);
    to.data.columns.insert(to.data.columns.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  });
}

tw_status tw_dataset_add_categories(tw_dataset* dataset, const char* name, const int32_t* codes, int64_t levels,
                                    const char* const* level_names) {
  return guarded([&] {
    tw_dataset& to = need(dataset, "dataset");
    Column column;
    column.name = &need(name, "name");
    column.kind = ColumnKind::categorical;
    column.declared = true;
    column.levels = api::names_from(level_names, levels, "level_names");
    if (to.rows > 0) column.codes.assign(&need(codes, "codes"), codes + to.rows);
    to.data.columns.push_back(std::move(column));
  });
}

tw_status tw_dataset_mark(tw_dataset* dataset, int64_t column, tw_column_fact fact) {
  return guarded([&] {
    std::vector<Column>& columns = need(dataset, "dataset").data.columns;
    Column& chosen = columns[api::need_index(column, columns.size(), "column")];
    const bool numeric = chosen.kind == ColumnKind::numeric, of_levels = fact == TW_TEXTS || fact == TW_ORDERED;
    if (numeric == of_levels && fact != TW_LEFT_OUT)
      throw BadCall("column", "is of the other kind", "mark numbers as dates or durations, categories as texts or ordered");
    switch (fact) {
      case TW_DATES:
      case TW_ZONED:
        chosen.notation = Notation::date;
        chosen.zoned = fact == TW_ZONED;
        return;
      case TW_DAYS:
        chosen.notation = Notation::days;
        return;
      case TW_TEXTS:
        chosen.declared = false;
        return;
      case TW_ORDERED:
        chosen = in_order(std::move(chosen));
        return;
      case TW_LEFT_OUT:
        std::fill(chosen.values.begin(), chosen.values.end(), std::nan(""));
        std::fill(chosen.codes.begin(), chosen.codes.end(), -1);
        return;
    }
    throw BadCall("fact", "is " + std::to_string(fact), "use TW_DATES, TW_ZONED, TW_TEXTS, TW_LEFT_OUT, TW_DAYS or TW_ORDERED");
  });
}

tw_status tw_dataset_notes(const tw_dataset* dataset, char** json) {
  return answered(json, "json", [&] {
    const Dataset& data = need(dataset, "dataset").data;
    data.validate();
    return api::new_text(to_json(look_at(data)));
  });
}

tw_status tw_dataset_table(const tw_dataset* dataset, char** text) {
  return answered(text, "text", [&] {
    const Dataset& data = need(dataset, "dataset").data;
    data.validate();
    if (!data.has_target()) throw BadCall("dataset", "has no labels", "call tw_dataset_set_labels or tw_dataset_set_numbers first");
    return api::new_text(proof::table_text(data));
  });
}

tw_status tw_dataset_set_labels(tw_dataset* dataset, const int32_t* labels, int64_t classes, const char* const* class_names) {
  return guarded([&] {
    tw_dataset& to = need(dataset, "dataset");
    std::vector<std::string> names = api::names_from(class_names, classes, "class_names");
    std::vector<std::int32_t> copy;
    if (labels != nullptr) copy.assign(labels, labels + to.rows);
    to.data.class_names = std::move(names);
    to.data.labels = std::move(copy);
    to.data.response.reset();
  });
}

tw_status tw_dataset_set_numbers(tw_dataset* dataset, tw_loss loss, const double* values, const double* exposure) {
  return guarded([&] {
    tw_dataset& to = need(dataset, "dataset");
    if (loss < TW_SQUARED || loss > TW_SURVIVAL)
      throw BadCall("loss", "is " + std::to_string(loss), "use TW_SQUARED, TW_POISSON or TW_SURVIVAL");
    Response response{static_cast<Loss>(loss), {}, {}};
    if (to.rows > 0) response.values.assign(&need(values, "values"), values + to.rows);
    if (loss == TW_SURVIVAL && exposure == nullptr) throw BadCall("exposure", "is NULL", "give the time of each row");
    std::vector<double>& at_risk = loss == TW_SURVIVAL ? response.times : response.exposure;
    if (exposure != nullptr) at_risk.assign(exposure, exposure + to.rows);
    to.data.labels.clear();
    to.data.class_names.clear();
    to.data.response = std::move(response);
    if (loss == TW_SURVIVAL) set_hazards(to.data);
  });
}

tw_status tw_dataset_set_weights(tw_dataset* dataset, const double* weights) {
  return guarded([&] {
    tw_dataset& to = need(dataset, "dataset");
    if (to.rows > 0) to.data.weights.assign(&need(weights, "weights"), weights + to.rows);
    if (to.data.response && to.data.response->loss == Loss::survival) set_hazards(to.data);
  });
}

tw_status tw_dataset_set_costs(tw_dataset* dataset, const double* costs) {
  return guarded([&] {
    Dataset& to = need(dataset, "dataset").data;
    if (to.classes() == 0) throw BadCall("costs", "the rows have no labels yet", "call tw_dataset_set_labels first");
    to.costs.assign(&need(costs, "costs"), costs + to.classes() * to.classes());
  });
}

tw_status tw_dataset_set_row_costs(tw_dataset* dataset, const double* costs) {
  return guarded([&] {
    tw_dataset& to = need(dataset, "dataset");
    if (to.data.classes() == 0) throw BadCall("costs", "the labels have no names yet", "call tw_dataset_set_labels first");
    const auto size = static_cast<std::size_t>(to.rows) * to.data.classes();
    if (size > 0) to.data.row_costs.assign(&need(costs, "costs"), costs + size);
    to.data.costs.clear();
    if (!to.data.labeled()) take_cheapest_labels(to.data);
  });
}

tw_status tw_dataset_set_target_name(tw_dataset* dataset, const char* name) {
  return guarded([&] { need(dataset, "dataset").data.target_name = &need(name, "name"); });
}
