// Matrices of costs in CSV files, by names of classes, so that the order of lines and columns does not matter.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/data/read/csv_scanner.h"
#include "treewright/data/read/parse_number.h"
#include "treewright/error.h"

namespace treewright {

namespace {

constexpr const char* kLayout = "the first line names the labels, the first cell of each other line the true class";

class CostReader {
 public:
  CostReader(const Dataset& data, std::string_view text, const std::string& origin)
      : classes_(data.class_names), origin_(origin), scanner_(text, find_separator(text), origin_) {}

  std::vector<double> read() {
    std::vector<Cell> cells;
    if (!scanner_.next(cells)) throw Error(origin_, "is empty", kLayout);
    if (cells.size() < 2) throw Error(origin_, "has one column only", kLayout);
    std::vector<std::size_t> labels;
    for (std::size_t i = 1; i < cells.size(); ++i) labels.push_back(class_of(cells[i], "the label", labels));
    need_all(labels, "a column for the label");
    std::vector<double> costs(classes_.size() * classes_.size());
    std::vector<std::size_t> truths;
    while (scanner_.next(cells)) {
      if (cells.size() != labels.size() + 1) {
        throw Error(line(), fmt::format("has {} cells, and the first line has {}", cells.size(), labels.size() + 1), kLayout);
      }
      truths.push_back(class_of(cells[0], "the true class", truths));
      for (std::size_t i = 0; i < labels.size(); ++i) costs[truths.back() * classes_.size() + labels[i]] = cost(cells[i + 1], labels[i]);
    }
    need_all(truths, "a line for the true class");
    return costs;
  }

 private:
  std::string line() const { return fmt::format("{}, line {}", origin_, scanner_.line()); }

  std::size_t class_of(const Cell& cell, const char* what, const std::vector<std::size_t>& before) const {
    const std::string name(cell.text);
    const auto found = std::find(classes_.begin(), classes_.end(), name);
    if (found == classes_.end()) {
      throw Error(line(), fmt::format("{} '{}' is no class of the data{}", what, name, did_you_mean(name, classes_)),
                  fmt::format("the classes are {}", fmt::join(classes_, ", ")));
    }
    const auto index = static_cast<std::size_t>(found - classes_.begin());
    if (std::find(before.begin(), before.end(), index) != before.end())
      throw Error(line(), fmt::format("{} '{}' occurs twice", what, name), "name each class once");
    return index;
  }

  double cost(const Cell& cell, std::size_t label) const {
    double value = 0;
    if (parse_number(cell.text, value) == NumberText::number && std::isfinite(value)) return value;
    throw Error(fmt::format("{}, label '{}'", line(), classes_[label]), fmt::format("'{}' is no finite number", cell.text),
                "give what the label costs, with a decimal point; negative costs are gains");
  }

  void need_all(const std::vector<std::size_t>& named, const char* what) const {
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      if (std::find(named.begin(), named.end(), k) == named.end())
        throw Error(origin_, fmt::format("has not {} '{}'", what, classes_[k]), "give every class of the data a line and a column");
    }
  }

  const std::vector<std::string>& classes_;
  const std::string& origin_;
  CsvScanner scanner_;
};

}  // namespace

void take_cost_columns(Dataset& data, const std::string& origin) {
  const std::vector<std::string>& names = data.reading.costs;
  if (names.empty()) return;
  const std::size_t n = data.rows();
  std::vector<double> costs(n * names.size());
  for (std::size_t label = 0; label < names.size(); ++label) {
    const auto found = std::find_if(data.columns.begin(), data.columns.end(), [&](const Column& c) { return c.name == names[label]; });
    const std::string place = fmt::format("{}, column '{}'", origin, names[label]);
    if (found == data.columns.end()) throw Error(place, "is named twice as a column of costs", "name it once", ErrorKind::usage);
    if (found->kind != ColumnKind::numeric) throw Error(place, "holds texts", "columns of costs are numbers; negative ones are rewards");
    for (std::size_t row = 0; row < n; ++row) {
      if (found->missing(row)) {
        throw Error(fmt::format("{}, row {} of the data", place, row + 1), "the cost is missing", "give each row a cost for each label");
      }
      costs[row * names.size() + label] = found->values[row];
    }
    data.columns.erase(found);
  }
  if (names.size() < 2) throw Error(origin + ", cost columns", "there is one label only", "name two columns or more", ErrorKind::usage);
  data.class_names = names;
  data.target_name = "label";
  data.row_costs = std::move(costs);
  take_cheapest_labels(data);
}

void parse_costs(Dataset& data, std::string_view text, const std::string& origin) {
  data.costs = CostReader(data, text, origin).read();
}

void read_costs(Dataset& data, const std::string& path) {
  parse_costs(data, read_file(path), path);
}

}  // namespace treewright
