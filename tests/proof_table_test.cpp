#include "treewright/proof/table.h"

#include <gtest/gtest.h>

namespace treewright::proof {
namespace {

TEST(ProofTable, WhatLooksLikeANumber) {
  for (const char* number :
       {"0", "7", "-3", "+3", "1.", ".5", "-.5", "1.5", "1e5", "1E5", "1e-5", "1e+5", ".5e0", "inf", "-Inf", "INFINITY", "nan", "+NaN"})
    EXPECT_TRUE(looks_like_number(number)) << number;
  for (const char* text : {"",      "-",  "+",  ".",  "-.",  "e",   "e5",  "1e",   "1e-", "1e+", "1e5.5",
                           "1.5.2", "1 ", " 1", "1a", "--1", "+-1", "1,5", "infi", "na",  "0x1", "@NF"})
    EXPECT_FALSE(looks_like_number(text)) << text;
}

}  // namespace
}  // namespace treewright::proof
