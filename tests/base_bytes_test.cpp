// Numbers in files and messages have the same bytes on every machine.

#include "treewright/base/bytes.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/training.h"
#include "treewright/data/fingerprint.h"

namespace treewright {
namespace {

TEST(Bytes, TheLowestIsFirst) {
  EXPECT_EQ(bytes_of(std::int32_t{0x01020304}), (std::array<std::uint8_t, 4>{4, 3, 2, 1}));
  EXPECT_EQ(bytes_of(-2.0), (std::array<std::uint8_t, 8>{0, 0, 0, 0, 0, 0, 0, 0xC0}));
}

TEST(Bytes, GiveTheNumberBack) {
  for (const double number : {0.1, -0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(bytes_of(number_of<double>(bytes_of(number))), bytes_of(number));
  EXPECT_EQ(number_of<std::uint32_t>({4, 3, 2, 1}), 0x01020304u);
}

TEST(Bytes, AFingerprintOfDataIsTheSameOnEveryMachine) {
  EXPECT_EQ(fingerprint(testing::iris()), "1fd139ea44c149d9");
}

}  // namespace
}  // namespace treewright
