// LIBSVM and ARFF.
#include <gtest/gtest.h>

#include "expect_error.h"
#include "treewright/data.h"

namespace treewright {
namespace {

using Names = std::vector<std::string>;
using Codes = std::vector<std::int32_t>;
using Values = std::vector<double>;

Dataset libsvm(const std::string& text, const ReadOptions& options = {}) {
  return parse_libsvm(text, "t.svm", options);
}
Dataset arff(const std::string& text, const ReadOptions& options = {}) {
  return parse_arff(text, "t.arff", options);
}

TEST(Libsvm, SparseRowsBecomeDenseColumns) {
  const Dataset data = libsvm("# a comment\n+1 1:0.5 3:-2 # tail\n\n-1 2:1e3\r\n+1\n");
  ASSERT_EQ(data.features(), 3u);
  EXPECT_EQ(data.columns[0].name, "x1");
  EXPECT_EQ(data.columns[0].values, (Values{0.5, 0, 0}));
  EXPECT_EQ(data.columns[1].values, (Values{0, 1000, 0}));
  EXPECT_EQ(data.columns[2].values, (Values{-2, 0, 0}));
  EXPECT_EQ(data.class_names, (Names{"-1", "+1"}));
  EXPECT_EQ(libsvm("+1 1:2\n-1 1:3\n1 1:4\n-1.0 1:4\nb 1:4\n").class_names, (Names{"+1", "-1", "b"})) << "equal numbers are one class";
  EXPECT_EQ(data.labels, (Codes{1, 0, 1}));
}

TEST(Libsvm, UnlabeledRows) {
  ReadOptions options;
  options.target.reset();
  const Dataset data = libsvm("1:2\n0 2:3\n", options);
  EXPECT_TRUE(data.reading.remarks.empty());
  const Dataset zeros = libsvm("1:2\n# a comment\n\n2:3\n", options);
  EXPECT_EQ(zeros.rows(), 2u);
  ASSERT_EQ(zeros.reading.remarks.size(), 1u);
  EXPECT_EQ(zeros.reading.remarks[0], "lines that are empty, and no rows: 1; a row of zeros is written as 1:0");
  EXPECT_FALSE(data.labeled());
  EXPECT_EQ(data.columns[1].values, (Values{0, 3}));
}

TEST(Libsvm, NanIsMissing) {
  EXPECT_TRUE(libsvm("1 1:nan\n2 1:3\n").columns[0].missing(0));
}

TEST(Libsvm, LeastNumberOfFeatures) {
  ReadOptions options;
  options.libsvm_features = 4;
  EXPECT_EQ(libsvm("1 1:2\n", options).features(), 4u);
  EXPECT_EQ(libsvm("1 6:2\n", options).features(), 6u);
}

TEST(Libsvm, WeightsDropAndKinds) {
  ReadOptions options;
  options.weights = "x1";
  options.drop = {"x2"};
  options.kinds["x3"] = ColumnKind::categorical;
  const Dataset data = libsvm("1 1:2 2:5 3:10\n2 3:nan\n1 1:1\n", options);
  ASSERT_EQ(data.features(), 1u);
  EXPECT_EQ(data.weights, (Values{2, 0, 1}));
  EXPECT_EQ(data.columns[0].levels, (Names{"0", "10"}));
  EXPECT_EQ(data.columns[0].codes, (Codes{1, -1, 0}));
}

TEST(Libsvm, Errors) {
  const auto fails = [](const std::string& text, const std::vector<std::string>& parts, const ReadOptions& options = {}) {
    expect_error([&] { libsvm(text, options); }, parts);
  };
  fails("", {"t.svm", "empty"});
  fails("# only a comment\n", {"t.svm", "no row"});
  fails("1 1:2\n1:2\n", {"t.svm, line 2", "instead of a label"});
  fails("1 2:1 2:2\n", {"t.svm, line 1", "index 2 comes after index 2"});
  fails("1 2:1 1:2\n", {"line 1", "ascending"});
  fails("1 0:1\n", {"line 1", "'0' is not an index", "from 1"});
  fails("1 qid:1 1:1\n", {"'qid' is not an index"});
  fails("1 5\n", {"line 1", "'5' is not index:value"});
  fails("1 1:2\n1 1:x\n", {"t.svm, line 2, column 'x1'", "'x' is not a number"});
  fails("1 1:inf\n", {"t.svm, line 1, column 'x1'", "infinite"});
  fails("1 99999999999:1\n", {"not an index"});
  fails("1 2000000000:1\n", {"do not fit"});
  fails("? 1:1\n", {"line 1", "label is missing"});
  fails(std::string("1 1:1\n\0", 7), {"line 2", "NUL"});
  ReadOptions options;
  options.target = "x1";
  fails("1 1:2\n", {"target", "x1", "leave the target out"}, options);
  options = {};
  options.weights = "x1";
  fails("1 1:2\n2 1:-3\n", {"column 'x1', row 1", "negative"}, options);
  options = {};
  options.training = true;
  fails("1 1:2\n1 1:3\n", {"t.svm, target 'class'", "only one class"}, options);
}

const std::string kHeader =
    "% weather\n@RELATION 'the weather'\n\n@Attribute temperature REAL\n@attribute 'wind \\'n\\' rain' "
    "{strong, weak, 'not at all'}"
    " % three\n@attribute note string\n@attribute play {yes,no}\n@DATA\n";

TEST(Arff, DenseRows) {
  const Dataset data = arff(kHeader + "% rows\n20.5, weak, 'a, \"b\"', yes\n?,'not at all',?,no % tail\r\n-3\tstrong\tx no\n");
  ASSERT_EQ(data.features(), 3u);
  EXPECT_EQ(data.columns[0].values[0], 20.5);
  EXPECT_TRUE(data.columns[0].missing(1));
  EXPECT_EQ(data.columns[1].name, "wind 'n' rain");
  EXPECT_EQ(data.columns[1].levels, (Names{"not at all", "strong", "weak"}));
  EXPECT_EQ(data.columns[1].codes, (Codes{2, 0, 1}));
  EXPECT_EQ(data.columns[2].levels, (Names{"a, \"b\"", "x"}));
  EXPECT_EQ(data.columns[2].codes, (Codes{0, -1, 1}));
  EXPECT_EQ(data.target_name, "play");
  EXPECT_EQ(data.class_names, (Names{"no", "yes"}));
  EXPECT_EQ(data.labels, (Codes{1, 0, 0}));
}

TEST(Arff, SparseRows) {
  const Dataset data = arff(kHeader + "{0 1.5, 3 no}\n{}\n{1 weak, 2 'a b'}\n");
  EXPECT_EQ(data.columns[0].values, (Values{1.5, 0, 0}));
  EXPECT_EQ(data.columns[1].codes, (Codes{1, 1, 2})) << "what is left out has the first declared level";
  EXPECT_EQ(data.labels, (Codes{0, 1, 1}));
}

TEST(Arff, DeclaredLevelsStayThoughTheyDoNotOccur) {
  EXPECT_EQ(arff("@attribute x integer\n@attribute y {c,a,b}\n@data\n1,a\n").class_names, (Names{"a", "b", "c"}));
}

TEST(Arff, ADeclaredLevelMayLookLikeAMissingMarker) {
  const Dataset data = arff("@attribute x {NA,u}\n@attribute y {a,b}\n@data\nNA,a\n?,b\n");
  EXPECT_EQ(data.columns[0].codes, (Codes{0, -1}));
}

TEST(Arff, ColumnOptions) {
  const std::string text =
      "@attribute x {1,2}\n@attribute d date\n@attribute w numeric\n@attribute n numeric\n@attribute y "
      "{a,b}\n@data\n"
      "2,x,3,7,a\n1,y,1,8,b\n";
  ReadOptions options;
  options.drop = {"d"};
  options.weights = "w";
  options.kinds = {{"x", ColumnKind::numeric}, {"n", ColumnKind::categorical}};
  const Dataset data = arff(text, options);
  EXPECT_EQ(data.weights, (Values{3, 1}));
  EXPECT_EQ(data.columns[0].values, (Values{2, 1}));
  EXPECT_EQ(data.columns[1].levels, (Names{"7", "8"}));
  options.target = "n";
  options.kinds.erase("n");
  EXPECT_EQ(arff(text, options).class_names, (Names{"7", "8"}));
  options.drop.clear();
  expect_error([&] { arff(text, options); }, {"t.arff, line 7, column 'd'", "'x' is not a number or a date"});
}

TEST(Arff, Dates) {
  const auto first = [](const std::string& type, const std::string& rows) {
    const Dataset data = arff("@attribute d " + type + "\n@attribute y {a,b}\n@data\n" + rows);
    EXPECT_EQ(data.columns[0].notation, Notation::date) << type;
    return data.columns[0].values;
  };
  EXPECT_EQ(first("date", "\"2020-03-01T12:00:00\",a\n?,b\n")[0], 18322.5);
  EXPECT_EQ(first("date 'yyyy-MM-dd HH:mm:ss'", "'2020-03-01 12:00:00',a\n")[0], 18322.5);
  EXPECT_EQ(first("date \"dd/MM/yyyy\"", "'03/04/2020',a\n")[0], 18355);
  EXPECT_EQ(first("DATE \"MM/dd/yyyy\"", "'03/04/2020',a\n")[0], 18325);
}

TEST(Arff, Errors) {
  const auto fails = [](const std::string& text, const std::vector<std::string>& parts) { expect_error([&] { arff(text); }, parts); };
  const std::string header = "@attribute x numeric\n@attribute y {a,b}\n@data\n";
  fails("", {"t.arff", "empty"});
  fails("@attribute x numeric\n", {"t.arff", "no @data"});
  fails("@data\n1\n", {"line 1", "@data comes before"});
  fails("@attribute\n@data\n", {"line 1", "no name"});
  fails("@attribute x\n@data\n", {"line 1", "no type"});
  fails("@attribute x {a,b\n@data\n", {"line 1", "not closed"});
  fails("@attribute x {a,,b}\n@data\n", {"line 1", "level is missing"});
  fails("@attribute x {a,a}\n@attribute y {a,b}\n@data\na,b\n", {"column 'x'", "'a' is declared twice"});
  fails("@attribute x numeric\n@attribute x {a,b}\n@data\n1,a\n", {"column 'x'", "columns 1 and 2"});
  fails("@atribute x numeric\n", {"line 1", "'@atribute'"});
  fails(header, {"no row of data"});
  fails(header + "1,a,b\n", {"t.arff, line 4", "3 values for 2 attributes"});
  fails(header + "1\n", {"line 4", "1 values"});
  fails(header + "u,a\n", {"t.arff, line 4, column 'x'", "'u' is not a number"});
  fails(header + "1,c\n", {"t.arff, line 4, column 'y'", "is not a declared level"});
  fails(header + "1,?\n", {"line 4, column 'y'", "label is missing"});
  fails(header + "inf,a\n", {"line 4, column 'x'", "infinite"});
  fails(header + "'1,a\n", {"line 4", "quote is never closed"});
  fails(header + "{0 1\n", {"line 4", "not closed"});
  fails(header + "{1 a, 0 1}\n", {"line 4", "ascending"});
  fails(header + "{2 a}\n", {"line 4", "'2' is not an index in 0..1"});
  fails(header + "{} 1\n", {"line 4", "something follows"});
  fails(header + "1,}a\n", {"line 4"});
  fails(std::string("@attribute x numeric\n\0", 22), {"line 2", "NUL"});
}

}  // namespace
}  // namespace treewright
