#include "treewright/svm/gram.h"

#include <gtest/gtest.h>

#include <vector>

#include "treewright/base/random.h"

namespace treewright {
namespace {

TEST(Gram, HasTheBitsOfTheLoop) {
  Random random(12);
  for (int round = 0; round < 200; ++round) {
    const std::size_t rows = random.below(70), axes = 1 + random.below(30);
    const std::size_t stride = (axes + svm::kGramLanes - 1) / svm::kGramLanes * svm::kGramLanes;
    std::vector<double> z(rows * stride, 0.0), scaled(rows * stride, 0.0), gram(stride * stride, 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < axes; ++j) {
        z[i * stride + j] = random.normal();
        scaled[i * stride + j] = random.normal();
      }
    }
    for (std::size_t j = 0; j < axes; ++j) gram[j * stride] = random.normal();
    std::vector<double> wanted = gram;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < axes; ++j) {
        for (std::size_t k = 0; k <= j; ++k) wanted[j * stride + k] += scaled[i * stride + j] * z[i * stride + k];
      }
    }
    svm::add_gram(z.data(), scaled.data(), rows, stride, gram.data());
    for (std::size_t j = 0; j < axes; ++j) {
      for (std::size_t k = 0; k <= j; ++k) ASSERT_EQ(gram[j * stride + k], wanted[j * stride + k]);
    }
  }
}

}  // namespace
}  // namespace treewright
