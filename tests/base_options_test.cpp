#include "treewright/options.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "treewright/error.h"

namespace treewright {
namespace {

TEST(Options, EveryDefaultIsInItsOwnRangeAndReadsBack) {
  Options options;
  check_options(options);
  for (const OptionInfo& info : option_table()) {
    const std::string text = get_option(options, info.name);
    EXPECT_NO_THROW(set_option(options, info.name, text)) << info.name;
    EXPECT_EQ(get_option(options, info.name), text) << info.name;
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_TRUE(info.flags.starts_with("--")) << info.name;
  }
}

TEST(Options, RejectsUnknownNamesAndBadValues) {
  Options options;
  EXPECT_THROW(set_option(options, "max_deph", "3"), Error);
  for (const char* flag : {"seed", "--seed"}) expect_error([&] { set_option(options, flag, "1"); }, {"did you mean 'random_state'?"});
  expect_error([&] { set_option(options, "min_leaf", "1"); }, {"did you mean 'min_samples_leaf'?"});
  EXPECT_THROW(set_option(options, "max_depth", "-2"), Error);
  EXPECT_THROW(set_option(options, "max_depth", "3.5"), Error);
  EXPECT_THROW(set_option(options, "max_depth", ""), Error);
  EXPECT_THROW(set_option(options, "max_depth", "3x"), Error);
  EXPECT_THROW(set_option(options, "ccp_alpha", "nan"), Error);
  EXPECT_THROW(set_option(options, "ccp_alpha", "-0.1"), Error);
  EXPECT_THROW(set_option(options, "criterion", "gin"), Error);
  EXPECT_THROW(set_option(options, "criterion", ""), Error);
  EXPECT_EQ(options.max_depth, -1) << "a rejected value must not be stored";
  options.ccp_alpha = -1;
  EXPECT_THROW(check_options(options), Error);
}

TEST(Options, AnUnknownNameIsRefused) {
  EXPECT_THROW(option_name(""), Error);
}

TEST(Options, SetsEveryType) {
  Options options;
  set_option(options, "max_depth", "5");
  set_option(options, "ccp_alpha", "0.25");
  set_option(options, "method", "cart");
  set_option(options, "class_weight", "a=1,b=2");
  set_option(options, "time_limit", "inf");
  EXPECT_EQ(options.max_depth, 5);
  EXPECT_EQ(options.ccp_alpha, 0.25);
  EXPECT_EQ(options.method, "cart");
  EXPECT_EQ(options.class_weight, "a=1,b=2");
  EXPECT_EQ(options.time_limit, Options::Real{std::numeric_limits<double>::infinity()});
}

}  // namespace
}  // namespace treewright
