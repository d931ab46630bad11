// Rows through a tree, into the caller's buffers.

#include <algorithm>
#include <optional>

#include "treewright/api/handles.h"
#include "treewright/explain/row_notes.h"
#include "treewright/probabilities.h"

using namespace treewright;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::need;

namespace {

// Whether the tree may route the rows as they are, without finding columns and levels by name.
bool matches(const Dataset& data, const Tree& tree) {
  return std::equal(data.columns.begin(), data.columns.end(), tree.features.begin(), tree.features.end(),
                    [](const Column& column, const Feature& feature) {
                      return column.kind == feature.kind && column.notation == feature.notation && column.zoned == feature.zoned &&
                             column.name == feature.name && column.levels == feature.levels;
                    });
}

template <class Use>
void with_rows(const tw_result* result, const tw_dataset* dataset, Use&& use) {
  const Tree& tree = need(result, "result").result.tree;
  const Dataset& data = need(dataset, "dataset").data;
  if (data.rows() != dataset->rows) throw BadCall("dataset", "has no column", "add one, be it of missing values");
  if (matches(data, tree)) {
    data.validate();
    use(tree, data);
  } else {
    use(tree, align(data, tree));
  }
}

// No shrinkage: the tree's own.
tw_status write_probabilities(const tw_result* result, const tw_dataset* dataset, std::optional<double> shrinkage, double* probabilities) {
  return guarded([&] {
    with_rows(result, dataset, [&](const Tree& tree, const Dataset& data) {
      const std::vector<double> shares = shrinkage ? predict_proba(tree, data, *shrinkage) : tree.predict_proba(data);
      std::copy(shares.begin(), shares.end(), shares.empty() ? probabilities : &need(probabilities, "probabilities"));
    });
  });
}

}  // namespace

tw_status tw_row_notes(const tw_result* result, const tw_dataset* dataset, char** json) {
  return guarded([&] {
    const Dataset& read = need(dataset, "dataset").data;
    with_rows(result, dataset, [&](const Tree& tree, const Dataset& data) {
      char*& to = need(json, "json");
      to = api::new_text(explain::to_json(explain::look_at_rows(read, data, tree)));
    });
  });
}

tw_status tw_predict(const tw_result* result, const tw_dataset* dataset, int32_t* classes) {
  return guarded([&] {
    with_rows(result, dataset, [&](const Tree& tree, const Dataset& data) {
      const std::vector<std::int32_t> labels = tree.predict(data);
      std::copy(labels.begin(), labels.end(), labels.empty() ? classes : &need(classes, "classes"));
    });
  });
}

tw_status tw_predict_values(const tw_result* result, const tw_dataset* dataset, double* values) {
  return guarded([&] {
    with_rows(result, dataset, [&](const Tree& tree, const Dataset& data) {
      const std::vector<double> predicted = tree.predict_values(data);
      std::copy(predicted.begin(), predicted.end(), predicted.empty() ? values : &need(values, "values"));
    });
  });
}

tw_status tw_predict_proba(const tw_result* result, const tw_dataset* dataset, double* probabilities) {
  return write_probabilities(result, dataset, std::nullopt, probabilities);
}

tw_status tw_predict_shrunk_proba(const tw_result* result, const tw_dataset* dataset, double shrinkage, double* probabilities) {
  return write_probabilities(result, dataset, shrinkage, probabilities);
}

tw_status tw_result_shrinkage(const tw_result* result, double* shrinkage) {
  return guarded([&] { need(shrinkage, "shrinkage") = need(result, "result").result.tree.shrinkage; });
}

tw_status tw_result_set_shrinkage(tw_result* result, double shrinkage) {
  return guarded([&] {
    Tree& tree = need(result, "result").result.tree;
    node_probabilities(tree, shrinkage);  // refuses what is no shrinkage
    tree.shrinkage = shrinkage;
    tree.probability_model.reset();
  });
}

tw_status tw_apply(const tw_result* result, const tw_dataset* dataset, int64_t* leaves) {
  return guarded([&] {
    with_rows(result, dataset, [&](const Tree& tree, const Dataset& data) {
      const std::vector<NodeId> reached = tree.apply(data);
      std::transform(reached.begin(), reached.end(), reached.empty() ? leaves : &need(leaves, "leaves"), [](NodeId leaf) { return +leaf; });
    });
  });
}

tw_status tw_decision_path(const tw_result* result, const tw_dataset* dataset, int64_t* begin, int64_t* visited) {
  return guarded([&] {
    with_rows(result, dataset, [&](const Tree& tree, const Dataset& data) {
      need(begin, "begin");
      need(visited, "visited");
      int64_t written = 0;
      for (std::size_t row = 0; row < data.rows(); ++row) {
        begin[row] = written;
        NodeId at = Tree::root();
        for (; !tree.node(at).is_leaf(); at = goes_left(*tree.node(at).split, data, row) ? tree.node(at).left : tree.node(at).right) {
          visited[written++] = +at;
        }
        visited[written++] = +at;
      }
      begin[data.rows()] = written;
    });
  });
}
