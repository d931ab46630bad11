// Access to a result: its claims, and its tree as arrays.

#include <fmt/format.h>

#include <cmath>

#include "treewright/api/handles.h"
#include "treewright/explain/text.h"
#include "treewright/fit/check_origin.h"
#include "treewright/result.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::need;
using treewright::api::need_index;

namespace {

int32_t kind_of(const Node& node) {
  if (node.is_leaf()) return TW_LEAF;
  return match(
      node.split->rule, [](const AxisSplit&) { return TW_AXIS; }, [](const HyperplaneSplit&) { return TW_HYPERPLANE; },
      [](const CategorySplit&) { return TW_CATEGORIES; });
}

std::size_t term_count(const Node& node) {
  return node.plane() != nullptr ? node.plane()->terms.size() : 0;
}
std::size_t flag_count(const Node& node) {
  return node.set() != nullptr ? node.set()->left.size() : 0;
}

}  // namespace

tw_status tw_result_summary(const tw_result* result, tw_summary* summary) {
  return guarded([&] {
    const Result& from = need(result, "result").result;
    tw_summary s{};
    s.struct_size = sizeof s;
    s.objective = from.objective;
    s.bound = from.bound;
    s.gap = from.gap();
    s.errors = from.loss ? std::nan("") : from.errors;
    s.total_weight = from.total_weight;
    s.accuracy = from.loss ? std::nan("") : from.accuracy();
    s.seconds = from.seconds;
    s.alpha = from.objective_function->price();
    s.error_scale = from.objective_function->error_scale();
    s.rows = from.rows;
    s.features = static_cast<int64_t>(from.tree.features.size());
    s.classes = static_cast<int64_t>(from.tree.class_names.size());
    s.nodes = static_cast<int64_t>(from.tree.nodes().size());
    s.leaves = static_cast<int64_t>(from.tree.leaves());
    s.splits = static_cast<int64_t>(from.tree.splits());
    s.terms = static_cast<int64_t>(from.tree.terms());
    s.depth = from.tree.depth();
    s.seed = from.seed;
    s.threads = from.threads;
    for (const Node& node : from.tree.nodes()) {
      s.hyperplane_terms += static_cast<int64_t>(term_count(node));
      s.category_flags += static_cast<int64_t>(flag_count(node));
    }
    s.status = to_string(from.status);
    s.method = from.method.c_str();
    s.proved = from.proved.c_str();
    s.selection = from.selection.c_str();
    s.verified = from.verified ? 1 : 0;
    s.cost = from.cost.value_or(std::nan(""));
    s.loss = from.loss.value_or(std::nan(""));
    s.explained = from.loss ? from.explained() : std::nan("");
    s.loss_kind = from.tree.loss ? static_cast<int32_t>(*from.tree.loss) : TW_CLASSES;
    api::write_struct(summary, "summary", s);
  });
}

tw_status tw_result_feature(const tw_result* result, int64_t feature, tw_feature* info) {
  return guarded([&] {
    const std::vector<Feature>& features = need(result, "result").result.tree.features;
    const Feature& from = features[need_index(feature, features.size(), "feature")];
    const auto is = [&](Notation notation) { return from.notation == notation ? 1 : 0; };
    api::write_struct(
        info, "info",
        {sizeof(tw_feature), from.name.c_str(), static_cast<int64_t>(from.levels.size()), from.kind == ColumnKind::categorical ? 1 : 0,
         from.has_missing ? 1 : 0, is(Notation::date), is(Notation::days), is(Notation::ordered), from.zoned ? 1 : 0});
  });
}

tw_status tw_result_number_text(const tw_result* result, int64_t feature, double value, char** text) {
  return answered(text, "text", [&] {
    const std::vector<Feature>& features = need(result, "result").result.tree.features;
    return api::new_text(explain::number_text(value, features[need_index(feature, features.size(), "feature")]));
  });
}

tw_status tw_result_level(const tw_result* result, int64_t feature, int64_t level, const char** name) {
  return guarded([&] {
    const std::vector<Feature>& features = need(result, "result").result.tree.features;
    const Feature& from = features[need_index(feature, features.size(), "feature")];
    const char* const found = from.levels[need_index(level, from.levels.size(), "level")].c_str();
    need(name, "name") = found;
  });
}

tw_status tw_result_class(const tw_result* result, int64_t index, const char** name) {
  return guarded([&] {
    const std::vector<std::string>& names = need(result, "result").result.tree.class_names;
    const char* const found = names[need_index(index, names.size(), "index")].c_str();
    need(name, "name") = found;
  });
}

tw_status tw_result_nodes(const tw_result* result, const tw_nodes* nodes) {
  return guarded([&] {
    const Tree& tree = need(result, "result").result.tree;
    const tw_nodes to = api::read_struct(nodes, "nodes");
    const auto put = [](auto* array, std::size_t at, auto value) {
      if (array != nullptr) array[at] = static_cast<std::remove_pointer_t<decltype(array)>>(value);
    };
    const std::size_t classes = tree.class_names.size();
    std::size_t terms = 0, flags = 0;
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
      const Node& node = tree.nodes()[i];
      const AxisSplit* axis = node.axis();
      const HyperplaneSplit* plane = node.plane();
      const CategorySplit* set = node.set();
      put(to.kind, i, kind_of(node));
      put(to.children_left, i, +node.left);
      put(to.children_right, i, +node.right);
      put(to.feature, i, axis != nullptr ? +axis->feature : set != nullptr ? +set->feature : -2);
      put(to.threshold, i, axis != nullptr ? axis->threshold : plane != nullptr ? plane->threshold : -2.0);
      put(to.missing_go_to_left, i, node.split && node.split->missing_left);
      put(to.label, i, node.label);
      put(to.n_node_samples, i, node.rows);
      for (std::size_t c = 0; c < classes; ++c) put(to.class_weight, i * classes + c, node.class_weight[c]);
      put(to.value, i, node.estimate.value);
      put(to.weight, i, node.weight());
      put(to.exposure, i, node.estimate.exposure);
      put(to.loss, i, node.estimate.loss);
      put(to.term_begin, i, terms);
      put(to.set_begin, i, flags);
      for (std::size_t t = 0; t < term_count(node); ++t) {
        put(to.term_feature, terms, +plane->terms[t].feature);
        put(to.term_weight, terms, plane->terms[t].weight);
        put(to.term_level, terms, plane->terms[t].level);
        put(to.term_if_missing, terms++, plane->terms[t].if_missing.value_or(std::nan("")));
      }
      for (std::size_t l = 0; l < flag_count(node); ++l) put(to.left_set, flags++, set->left[l]);
    }
    put(to.term_begin, tree.nodes().size(), terms);
    put(to.set_begin, tree.nodes().size(), flags);
  });
}

tw_status tw_result_check(const tw_result* result, const tw_dataset* dataset, char** broken) {
  return answered(broken, "broken", [&] {
    const Result& claims = need(result, "result").result;
    const Dataset& given = need(dataset, "dataset").data;
    if (!given.has_target()) throw Error("dataset", "the rows have no labels", "set them with tw_dataset_set_labels");
    std::string lines;
    const Dataset rows = align(given, claims.tree);
    for (const std::string& sentence : check_all_claims(claims, rows)) lines += sentence + "\n";
    return api::new_text(lines);
  });
}

tw_status tw_result_read(const char* json, size_t length, tw_result** result) {
  return answered(result, "result", [&] { return new tw_result{from_json({&need(json, "json"), length}, "the given text"), true}; });
}
