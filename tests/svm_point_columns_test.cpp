#include "treewright/svm/point_columns.h"

#include <gtest/gtest.h>

#include "treewright/base/random.h"

namespace treewright {
namespace {

TEST(PointColumns, ProductsHaveTheBitsOfOneRowAtATime) {
  Random random(9);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 1 + random.below(40), all = 1 + random.below(20);
    PointMatrix points{all, {}};
    for (std::size_t i = 0; i < rows * all; ++i) points.x.push_back(random.uniform(-1, 1));
    std::vector<std::uint32_t> axes;
    for (std::uint32_t j = 0; j < all; ++j) {
      if (random.below(3) > 0) axes.push_back(j);
    }
    std::vector<double> direction, products;
    for (std::size_t j = 0; j < axes.size(); ++j) direction.push_back(random.normal());
    svm::PointColumns(points, axes).products(direction, products);
    for (std::size_t row = 0; row < rows; ++row) {
      ASSERT_EQ(products[row], svm::sum_of_products(direction, [&](std::size_t j) { return points.row(row)[axes[j]]; }));
    }
  }
}

}  // namespace
}  // namespace treewright
