#include "treewright/task/loss_objective.h"

#include <fmt/format.h>

#include "treewright/tree/measures.h"

namespace treewright {

namespace {

template <Loss kLoss>
ObjectiveKind named(std::string_view name) {
  return {name,
          [](const Options& options, const Dataset& data) -> ObjectivePtr {
            return std::make_shared<LossObjective>(kLoss, options.ccp_alpha, LossObjective::scale_of(data));
          },
          [](const Parameters& p) -> ObjectivePtr {
            const double scale = parameter<double>(p, "scale");
            if (!(scale > 0)) throw std::out_of_range("the scale of the loss is not above 0");
            return std::make_shared<LossObjective>(kLoss, parameter<double>(p, "alpha"), scale);
          }};
}

}  // namespace

const ObjectiveKind& LossObjective::kind_of(Loss loss) {
  static const std::array<ObjectiveKind, 3> kinds = {named<Loss::squared>("squared-error"), named<Loss::poisson>("poisson-deviance"),
                                                     named<Loss::survival>("survival-deviance")};
  return kinds[static_cast<std::size_t>(loss)];
}

double LossObjective::scale_of(const Dataset& data) {
  Tree leaf(data);
  leaf.tally(data);
  const double loss = leaf.node(Tree::root()).estimate.loss;
  double events = 0;
  for (std::size_t row = 0; row < data.rows() && data.response->loss != Loss::squared; ++row)
    events += data.weight(row) * data.response->values[row];
  return loss > 0x1p-50 * events ? loss : 1;
}

double LossObjective::of(const Tree& tree, const Dataset& data) const {
  return value(total_loss(tree, data), tree.splits());
}

std::string LossObjective::formula() const {
  return fmt::format("{} / {:.9g}{}", loss_ == Loss::squared ? "squared error" : "half the deviance", scale_,
                     alpha_ > 0 ? fmt::format(" + {:.9g} × splits", alpha_) : "");
}

}  // namespace treewright
