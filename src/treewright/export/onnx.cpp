// ONNX, operator TreeEnsembleRegressor (ai.onnx.ml version 3, whose thresholds may be doubles: attribute nodes_values_as_tensor).
//
// The operator asks "x < threshold" of a column and knows where missing values go. Everything else becomes a column in front of it:
// the terms of a hyperplane are gathered and go through a Gemm (its weights) - gathered first, because 0 * NaN would carry a missing
// value of another column into the sum; a set of levels is a table lookup that gives 0 for left and 1 for right, missing levels
// included. The columns so made are joined to the row, and every split is a threshold.
//
// The file is a protocol buffer. Its encoding is small enough to write here: a message is a sequence of fields, each a number and
// a kind, then a variable-length integer or a length with bytes (onnx.proto names the numbers).

#include "treewright/export/onnx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>

#include "treewright/base/bytes.h"
#include "treewright/base/version.h"
#include "treewright/error.h"
#include "treewright/explain/markup.h"
#include "treewright/export/language.h"
#include "treewright/tree/distances.h"

namespace treewright::exports {

namespace {

class Message {
 public:
  void number(int field, std::int64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(static_cast<std::uint64_t>(value));
  }
  void bytes(int field, const std::string& content) {
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(content.size());
    text_ += content;
  }
  void message(int field, const Message& inner) { bytes(field, inner.text_); }
  const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

enum TensorType { kInt64 = 7, kString = 8, kFloat = 1, kDouble = 11 };
enum AttributeType { kInt = 2, kText = 3, kTensor = 4, kInts = 7, kTexts = 8 };

Message tensor(const std::string& name, TensorType type, const std::vector<std::int64_t>& shape, const std::string& content) {
  Message out;
  for (const std::int64_t d : shape) out.number(1, d);
  out.number(2, type);
  if (!name.empty()) out.bytes(8, name);
  out.bytes(9, content);
  return out;
}

Message attribute(const std::string& name, AttributeType type) {
  Message out;
  out.bytes(1, name);
  out.number(20, type);
  return out;
}
Message whole(const std::string& name, std::int64_t value) {
  Message out = attribute(name, kInt);
  out.number(3, value);
  return out;
}
Message wholes(const std::string& name, const std::vector<std::int64_t>& values) {
  Message out = attribute(name, kInts);
  for (const std::int64_t v : values) out.number(8, v);
  return out;
}
Message texts(const std::string& name, const std::vector<std::string>& values) {
  Message out = attribute(name, kTexts);
  for (const std::string& v : values) out.bytes(9, v);
  return out;
}
Message doubles(const std::string& name, const std::vector<double>& values) {
  Message out = attribute(name, kTensor);
  out.message(5, tensor(name, kDouble, {static_cast<std::int64_t>(values.size())}, bytes_of_all<std::string>(values)));
  return out;
}

// A named value of a graph's edge: `columns` < 0 = one dimension.
Message value_info(const std::string& name, TensorType type, std::int64_t columns) {
  Message rows, shape, of, kind, out;
  rows.bytes(2, "rows");
  shape.message(1, rows);
  if (columns >= 0) {
    Message size;
    size.number(1, columns);
    shape.message(1, size);
  }
  of.number(1, type);
  of.message(2, shape);
  kind.message(1, of);
  out.bytes(1, name);
  out.message(2, kind);
  return out;
}

class Graph {
 public:
  explicit Graph(const Tree& tree) : tree_(tree) {}

  std::string model() {
    std::vector<std::string> columns = {"X"};
    for (std::size_t i = 0; i < tree_.nodes().size(); ++i) split_column(i, columns);
    std::string row = "X";
    if (columns.size() > 1) {
      row = "row";
      node("Concat", columns, {row}, {whole("axis", 1)});
    }
    tree_.loss ? ensemble_of_leaves(row) : ensemble(row);
    graph_.bytes(2, "tree");
    graph_.message(11, value_info("X", kDouble, static_cast<std::int64_t>(tree_.features.size())));
    if (tree_.loss) {
      graph_.message(12, value_info("value", kDouble, 1));
    } else {
      graph_.message(12, value_info("label", kString, -1));
      graph_.message(12, value_info("probabilities", kFloat, static_cast<std::int64_t>(tree_.class_names.size())));
    }
    Message out;
    out.number(1, 8);
    out.bytes(2, "treewright");
    out.bytes(3, version());
    for (const auto& [domain, opset] : {std::pair{"", 15}, std::pair{"ai.onnx.ml", 3}}) {
      Message set;
      set.bytes(1, domain);
      set.number(2, opset);
      out.message(8, set);
    }
    out.message(7, graph_);
    for (std::size_t f = 0; f < tree_.features.size(); ++f) {
      Message entry;
      std::string about = explain::utf8(tree_.features[f].name);
      if (tree_.features[f].notation == Notation::date) about += "\ndays since 1970-01-01";
      if (tree_.features[f].notation == Notation::days) about += "\ndays";
      for (std::size_t i = 0; i < tree_.features[f].levels.size(); ++i)
        about += fmt::format("\n{}: {}", i, explain::utf8(tree_.features[f].levels[i]));
      entry.bytes(1, fmt::format("column {}", f));
      entry.bytes(2, about);
      out.message(14, entry);
    }
    return out.text();
  }

 private:
  void node(const std::string& kind, const std::vector<std::string>& in, const std::vector<std::string>& out,
            const std::vector<Message>& attributes, const std::string& domain = "") {
    Message message;
    for (const std::string& name : in) message.bytes(1, name);
    for (const std::string& name : out) message.bytes(2, name);
    message.bytes(3, out[0] + "_" + kind);
    message.bytes(4, kind);
    for (const Message& a : attributes) message.message(5, a);
    message.bytes(7, domain);
    graph_.message(1, message);
  }
  std::string constant(const std::string& name, const std::vector<std::int64_t>& shape, const std::vector<double>& values) {
    graph_.message(5, tensor(name, kDouble, shape, bytes_of_all<std::string>(values)));
    return name;
  }
  std::string constant(const std::string& name, const std::vector<std::int64_t>& values) {
    graph_.message(5, tensor(name, kInt64, {static_cast<std::int64_t>(values.size())}, bytes_of_all<std::string>(values)));
    return name;
  }

  // Makes the column that node i uses, unless it is a column of the row, and stores column and threshold.
  void split_column(std::size_t i, std::vector<std::string>& columns) {
    const Node& here = tree_.nodes()[i];
    asked_.push_back({});
    if (here.is_leaf()) return;
    const auto next = [&] { return static_cast<std::int64_t>(tree_.features.size() + columns.size() - 1); };
    const std::string id = std::to_string(i);
    const auto by_axis = [&](const AxisSplit& axis) { asked_[i] = {+axis.feature, axis.threshold, here.split->missing_left}; };
    const auto by_plane = [&](const HyperplaneSplit& plane) {
      if (plane.terms.empty()) {  // all rows go one way
        const double infinity = std::numeric_limits<double>::infinity();
        asked_[i] = {0, 0 < plane.threshold ? infinity : -infinity, 0 < plane.threshold};
        return;
      }
      asked_[i] = {next(), plane.threshold, here.split->missing_left};
      std::vector<std::string> terms;
      std::vector<double> weights;
      for (const auto& term : plane.terms) {
        terms.push_back(term_column(term, id + "_" + std::to_string(terms.size())));
        weights.push_back(term.weight);
      }
      node("Concat", terms, {"terms" + id}, {whole("axis", 1)});
      node("Gemm", {"terms" + id, constant("weights" + id, {static_cast<std::int64_t>(weights.size()), 1}, weights)}, {"sum" + id}, {});
      columns.push_back("sum" + id);
    };
    const auto by_set = [&](const CategorySplit& set) {
      asked_[i] = {next(), 0.5, false};
      std::vector<double> table;
      for (const bool left : set.left) table.push_back(left ? 0 : 1);
      table.push_back(here.split->missing_left ? 0 : 1);
      columns.push_back(lookup(set.feature, table, id));
    };
    match(here.split->rule, by_axis, by_plane, by_set);
  }

  std::string column(FeatureId feature, const std::string& id) {
    node("Gather", {"X", constant("place" + id, {+feature})}, {"column" + id}, {whole("axis", 1)});
    return "column" + id;
  }
  std::string instead_of_missing(const std::string& value, double stand_in, const std::string& id) {
    node("IsNaN", {value}, {"lacks" + id}, {});
    node("Where", {"lacks" + id, constant("instead" + id, {1}, {stand_in}), value}, {"whole" + id}, {});
    return "whole" + id;
  }
  // The table's entry for the row's level; its last entry is for a missing one.
  std::string lookup(FeatureId feature, const std::vector<double>& table, const std::string& id) {
    const std::string code = instead_of_missing(column(feature, id), static_cast<double>(table.size() - 1), id);
    node("Cast", {code}, {"index" + id}, {whole("to", kInt64)});
    node("Gather", {constant("table" + id, {static_cast<std::int64_t>(table.size())}, table), "index" + id}, {"entry" + id},
         {whole("axis", 0)});
    return "entry" + id;
  }
  std::string term_column(const HyperplaneSplit::Term& term, const std::string& id) {
    if (term.level >= 0) {
      std::vector<double> table(tree_.features[+term.feature].levels.size() + 1, 0.0);
      table[term.level] = 1;
      table.back() = term.if_missing.value_or(std::numeric_limits<double>::quiet_NaN());
      return lookup(term.feature, table, id);
    }
    const std::string value = column(term.feature, id);
    return term.if_missing ? instead_of_missing(value, *term.if_missing, id) : value;
  }

  using Give = std::function<void(std::int64_t target, double value)>;

  // One tree with a target for each class, its share of the leaf, and one for the leaf's label. (The operator for classifiers would choose
  // the label itself: of two classes onnxruntime names the second wherever it has any share.)
  void ensemble(const std::string& row) {
    const auto classes = static_cast<std::int64_t>(tree_.class_names.size());
    const LogitTable logits(tree_);
    const LeafTable leaves(tree_);
    const std::int64_t label_target = classes * static_cast<std::int64_t>(1 + logits.planes.size());
    std::size_t at = 0;  // the tables have the leaves in the order of the nodes
    evaluate(row, label_target + 1, [&](std::size_t, const Give& give) {
      std::int64_t target = 0;
      const auto give_row = [&](const std::vector<double>& values) {
        for (const double value : values) give(target++, value);
      };
      if (logits.empty()) {
        give_row(leaves.shares[at]);
      } else {
        std::for_each(logits.of_leaves[at].begin(), logits.of_leaves[at].end(), give_row);
      }
      give(label_target, leaves.labels[at++]);
    });
    const auto targets = [&](std::size_t block, const std::string& name) {
      std::vector<std::int64_t> places(classes);
      std::iota(places.begin(), places.end(), static_cast<std::int64_t>(block) * classes);
      node("Gather", {"leaf", constant(name + "_places", places)}, {name}, {whole("axis", 1)});
    };
    if (!logits.empty()) {
      targets(0, "logits0");
      for (std::size_t j = 0; j < logits.planes.size(); ++j) {
        const std::string id = std::to_string(j + 1);
        targets(j + 1, "slopes" + id);
        node("Mul", {"slopes" + id, distance(logits.planes[j])}, {"gains" + id}, {});
        node("Add", {"logits" + std::to_string(j), "gains" + id}, {"logits" + id}, {});
      }
    } else {
      targets(0, "probabilities");
    }
    node("Gather", {"leaf", constant("label_target", {label_target})}, {"label_value"}, {whole("axis", 1)});
    node("Cast", {"label_value"}, {"label_indices"}, {whole("to", kInt64)});
    if (!logits.empty()) keep_label_ahead("logits" + std::to_string(logits.planes.size()));
    node("Squeeze", {"label_indices", constant("last", {1})}, {"label_index"}, {});
    Message labels;
    labels.number(1, classes);
    labels.number(2, kString);
    for (const std::string& name : tree_.class_names) labels.bytes(6, explain::utf8(name));
    labels.bytes(8, "labels");
    graph_.message(5, labels);
    node("Gather", {"labels", "label_index"}, {"label"}, {whole("axis", 0)});
  }

  // The probabilities of these logits, where the label of the leaf has the largest.
  void keep_label_ahead(const std::string& logits) {
    std::vector<std::int64_t> classes(tree_.class_names.size());
    std::iota(classes.begin(), classes.end(), 0);
    node("Equal", {"label_indices", constant("classes", classes)}, {"is_label"}, {});
    const auto single = [&](const std::string& name, double value) {
      node("Cast", {constant(name + "_double", {1}, {value})}, {name}, {whole("to", kFloat)});
      return name;
    };
    node("Where", {"is_label", single("least", std::numeric_limits<float>::lowest()), logits}, {"others"}, {});
    node("ReduceMax", {"others"}, {"most_of_others"}, {wholes("axes", {1}), whole("keepdims", 1)});
    node("Add", {"most_of_others", single("lead", kLeadOfLabel)}, {"ahead"}, {});
    node("Max", {logits, "ahead"}, {"raised"}, {});
    node("Where", {"is_label", "raised", logits}, {"final_logits"}, {});
    node("Softmax", {"final_logits"}, {"probabilities"}, {whole("axis", 1)});
  }
  // To the hyperplane of this node, as a ProbabilityModel counts it, as a float.
  std::string distance(NodeId of) {
    const std::string id = std::to_string(+of);
    const HyperplaneSplit& plane = *tree_.node(of).plane();
    const double reach = tree_.probability_model->reach[+of];
    if (plane.terms.empty()) {  // that of 0
      const double there = std::clamp(-plane.threshold / reach, -1.0, 1.0);
      node("Cast", {constant("there" + id, {1}, {there})}, {"distance" + id}, {whole("to", kFloat)});
      return "distance" + id;
    }
    node("Sub", {"sum" + id, constant("threshold" + id, {1}, {plane.threshold})}, {"beyond" + id}, {});
    node("Div", {"beyond" + id, constant("reach" + id, {1}, {reach})}, {"units" + id}, {});
    const std::string known = instead_of_missing("units" + id, 0, "_distance" + id);
    node("Min", {known, constant("one" + id, {1}, {1})}, {"below" + id}, {});
    node("Max", {"below" + id, constant("minus_one" + id, {1}, {-1})}, {"within" + id}, {});
    node("Cast", {"within" + id}, {"distance" + id}, {whole("to", kFloat)});
    return "distance" + id;
  }

  // The operator says floats: the tree has the number of the leaf, and a table its value as a double.
  void ensemble_of_leaves(const std::string& row) {
    std::vector<double> table;
    evaluate(row, 1, [&](std::size_t leaf, const Give& give) {
      give(0, static_cast<double>(table.size()));
      table.push_back(tree_.nodes()[leaf].estimate.value);
    });
    node("Cast", {"leaf"}, {"leaf_index"}, {whole("to", kInt64)});
    node("Gather", {constant("values", {static_cast<std::int64_t>(table.size())}, table), "leaf_index"}, {"value"}, {whole("axis", 0)});
  }

  // The output "leaf" of one tree with so many targets, to which `give_all` gives values for each leaf.
  void evaluate(const std::string& row, std::int64_t targets_of_leaf, const std::function<void(std::size_t, const Give&)>& give_all) {
    std::vector<std::int64_t> zeros, ids, features, yes, no, missing, leaf_zeros, leaves, targets;
    std::vector<std::string> modes;
    std::vector<double> thresholds, values;
    for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
      const Node& here = tree_.nodes()[i];
      zeros.push_back(0);
      ids.push_back(static_cast<std::int64_t>(i));
      modes.push_back(here.is_leaf() ? "LEAF" : "BRANCH_LT");
      features.push_back(asked_[i].column);
      thresholds.push_back(asked_[i].threshold);
      missing.push_back(asked_[i].missing_left);
      yes.push_back(here.is_leaf() ? 0 : +here.left);
      no.push_back(here.is_leaf() ? 0 : +here.right);
      if (!here.is_leaf()) continue;
      give_all(i, [&](std::int64_t target, double value) {
        leaf_zeros.push_back(0);
        leaves.push_back(static_cast<std::int64_t>(i));
        targets.push_back(target);
        values.push_back(value);
      });
    }
    Message sum = attribute("aggregate_function", kText), transform = attribute("post_transform", kText);
    sum.bytes(4, "SUM");
    transform.bytes(4, "NONE");
    node("TreeEnsembleRegressor", {row}, {"leaf"},
         {wholes("nodes_treeids", zeros), wholes("nodes_nodeids", ids), texts("nodes_modes", modes), wholes("nodes_featureids", features),
          doubles("nodes_values_as_tensor", thresholds), wholes("nodes_truenodeids", yes), wholes("nodes_falsenodeids", no),
          wholes("nodes_missing_value_tracks_true", missing), wholes("target_treeids", leaf_zeros), wholes("target_nodeids", leaves),
          wholes("target_ids", targets), doubles("target_weights_as_tensor", values), whole("n_targets", targets_of_leaf), sum, transform},
         "ai.onnx.ml");
  }

  struct Asked {
    std::int64_t column = 0;
    double threshold = 0;
    bool missing_left = false;
  };
  const Tree& tree_;
  Message graph_;
  std::vector<Asked> asked_;  // of each node
};

}  // namespace

std::string to_onnx(const Tree& tree) {
  return Graph(tree).model();
}

}  // namespace treewright::exports
