// 4-partitions and 6-partitions: the data sets with two features of d'Onofrio et al. 2023 (DGMP23), section 6.1, figures 3 and 4.
//
// The paper draws 108 and 96 random points in [0,1]^2 outside the margins of some lines, such that hyperplane trees of depth 2 and 3 make
// no errors. It shows its lines in figures only. Our lines are given by the angle of the normal and a point on the line:
//
// - 4-partitions (27 points in each region, margin 0.05 on each side of a line). A steep line cuts the square into left and right. One line
//   of opposite slope cuts each half into below and above. The classes are crossed (left: 0 below, 1 above; right: 1 below, 0 above), as in
//   the exclusive-or problem. No single line separates them, and no two parallel lines do.
// - 6-partitions (16 points in each region, margin 0.04). Two steep lines make three columns, and a line with another slope cuts each
//   column into below and above. Neighboring regions differ in class, like a chess board of 3 x 2 fields. The root separates the first
//   column, which is then cut at depth 2. The other two columns need depth 3. Depth 2 is not enough: the root would have to leave on each
//   side regions that one line separates. No line separates the classes of a block of 2 x 2 regions, an exclusive-or. So the root must cut
//   the middle column obliquely, because otherwise such a block stays on one side. Then one side holds three regions around a corner, and
//   no line separates the middle one of them from the other two if its points reach into the corner. (A test tries all lines for the actual
//   points.)
//
// Points are uniform in the square. A point too near to a line that it meets on its way down the tree, or in a region that is full, is
// drawn again.

#include <cmath>
#include <string>

#include "treewright/base/random.h"
#include "treewright/data/generate/generators.h"

namespace treewright {

namespace {

struct Plane {
  double normal_degrees, through_x, through_y;
  int below, above;  // the next plane, or -1 - label of the region
};

struct Layout {
  std::vector<Plane> planes;
  double half_margin;
  int points_per_region;
};

constexpr int region(int label) {
  return -1 - label;
}

const Layout& layout_of(int regions) {
  static const Layout four{{{15, 0.50, 0.50, 1, 2},  //
                            {70, 0.25, 0.55, region(0), region(1)},
                            {110, 0.75, 0.45, region(1), region(0)}},
                           0.05,
                           27};
  static const Layout six{{{8, 0.35, 0.50, 1, 2},  //
                           {100, 0.17, 0.55, region(0), region(1)},
                           {-8, 0.67, 0.50, 3, 4},
                           {80, 0.51, 0.45, region(1), region(0)},
                           {105, 0.84, 0.55, region(0), region(1)}},
                          0.04,
                          16};
  return regions == 4 ? four : six;
}

}  // namespace

Dataset generate_partitions(int regions, const GenerateOptions& options) {
  const Layout& layout = layout_of(regions);
  Dataset data;
  data.columns.resize(2);
  data.columns[0].name = "x1";
  data.columns[1].name = "x2";
  data.class_names = {"-1", "1"};
  std::vector<int> filled(2 * layout.planes.size(), 0);  // a region is a side of a plane
  Random random(options.seed);
  while (data.labels.size() < static_cast<std::size_t>(regions * layout.points_per_region)) {
    const double x = random.uniform(), y = random.uniform();
    int next = 0;
    std::size_t side = 0;
    bool in_margin = false;
    while (next >= 0) {
      const Plane& plane = layout.planes[next];
      const double angle = plane.normal_degrees * 3.14159265358979323846 / 180;
      const double distance = std::cos(angle) * (x - plane.through_x) + std::sin(angle) * (y - plane.through_y);
      in_margin |= std::abs(distance) < layout.half_margin;
      side = 2 * next + (distance > 0);
      next = distance > 0 ? plane.above : plane.below;
    }
    if (in_margin || filled[side] == layout.points_per_region) continue;
    ++filled[side];
    data.columns[0].values.push_back(x);
    data.columns[1].values.push_back(y);
    data.labels.push_back(-1 - next);
  }
  return data;
}

}  // namespace treewright
