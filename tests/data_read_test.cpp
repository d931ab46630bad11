// Files of any format, by extension or as told; and the data sets that come with the project.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "expect_error.h"
#include "support/source_folder.h"
#include "treewright/data.h"

namespace treewright {
namespace {

using Names = std::vector<std::string>;
using Values = std::vector<double>;

std::vector<std::string> names_of(const Dataset& data) {
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  return names;
}

class ReadDataset : public ::testing::Test {
 protected:
  ReadDataset() : folder_(std::filesystem::temp_directory_path() / fmt::format("treewright_read_{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~ReadDataset() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    if (name.size() > 3 && name.substr(name.size() - 3) == ".gz") {
      gzFile packed = gzopen(path.c_str(), "wb");
      gzwrite(packed, text.data(), static_cast<unsigned>(text.size()));
      gzclose(packed);
    } else {
      std::ofstream(path, std::ios::binary) << text;
    }
    return path;
  }

  std::filesystem::path folder_;
};

// A zip archive that holds t.csv with the lines x,y and 1,a and 2,b.
constexpr std::string_view kZip =
    "504b03041400000000000000215079a36e5e0c0000000c00000005000000742e637376782c790a312c610a322c620a504b01"
    "0214031400000000000000215079a36e5e0c0000000c000000050000000000000000000000800100000000742e637376504b"
    "05060000000001000100330000002f0000000000";

TEST_F(ReadDataset, ZipArchivesOfOneFile) {
  std::string archive;
  for (std::size_t i = 0; i < kZip.size(); i += 2) archive += static_cast<char>(std::stoi(std::string(kZip.substr(i, 2)), nullptr, 16));
  const Dataset data = read_dataset(file("data.zip", archive));
  EXPECT_EQ(data.columns[0].values, (Values{1, 2}));
  EXPECT_EQ(data.class_names, (Names{"a", "b"}));
  expect_error([&] { read_dataset(file("cut.zip", archive.substr(0, 60))); }, {"cut.zip", "damaged"});
  expect_error([&] { read_dataset(file("t.csv", archive)); }, {"a spreadsheet or an archive"});
  expect_error([&] { read_dataset(file("t.csv.xz", "x")); }, {"unpack it first"});
}

TEST_F(ReadDataset, CtrlZEndsATextOfDos) {
  EXPECT_EQ(read_dataset(file("dos.csv", "x,y\r\n1,a\r\n2,b\r\n\x1A")).rows(), 2u);
}

TEST_F(ReadDataset, GoesByTheExtension) {
  for (const char* name : {"t.csv", "t.CSV", "t.txt", "t.data", "t.csv.gz"})
    EXPECT_EQ(read_dataset(file(name, "x,y\n1,a\n2,b\n")).rows(), 2u) << name;
  EXPECT_EQ(read_dataset(file("t.tsv", "x\ty\n1\ta\n2\tb\n")).rows(), 2u);
  for (const char* name : {"t.libsvm", "t.svm", "t.svm.gz"}) EXPECT_EQ(read_dataset(file(name, "1 1:2\n-1 2:3\n")).features(), 2u) << name;
  for (const char* name : {"t.arff", "t.arff.gz"}) {
    EXPECT_EQ(read_dataset(file(name, "@relation r\n@attribute x real\n@attribute y {a,b}\n@data\n1,a\n")).classes(), 2u) << name;
  }
  expect_error([&] { read_dataset(file("t.dat", "x,y\n1,a\n")); }, {"t.dat", "extension", "csv, libsvm or arff"});
}

TEST_F(ReadDataset, FormatMayBeGiven) {
  ReadOptions options;
  options.format = FileFormat::csv;
  EXPECT_EQ(read_dataset(file("t.xyz", "x,y\n1,a\n"), options).rows(), 1u);
  options.format = FileFormat::libsvm;
  EXPECT_EQ(read_dataset(file("t.csv", "1 3:1\n"), options).features(), 3u);
  options.format = FileFormat::arff;
  EXPECT_EQ(read_dataset(file("t.txt", "@attribute x real\n@attribute y {a,b}\n@data\n1,a\n"), options).features(), 1u);
}

TEST_F(ReadDataset, MessagesNameTheFile) {
  const std::string path = file("t.csv", "x,y\n1,a,b\n");
  expect_error([&] { read_dataset(path); }, {path + ", line 2"});
  expect_error([&] { read_dataset((folder_ / "absent.csv").string()); }, {"absent.csv"});
}

TEST_F(ReadDataset, BundledDataSets) {
  const std::string folder = testing::in_source("data/");
  ReadOptions training;
  training.training = true;
  const Dataset iris = read_dataset(folder + "iris.csv", training);
  EXPECT_EQ(iris.rows(), 150u);
  EXPECT_EQ(names_of(iris), (Names{"sepal_length", "sepal_width", "petal_length", "petal_width"}));
  EXPECT_EQ(iris.class_names, (Names{"setosa", "versicolor", "virginica"}));
  EXPECT_EQ(iris.class_totals(), (Values{50, 50, 50}));
  EXPECT_EQ(iris.columns[2].values[149], 5.1);
  // Fisher's values, where UCI's file has typing errors.
  EXPECT_EQ(iris.columns[3].values[34], 0.2);
  EXPECT_EQ(iris.columns[1].values[37], 3.6);
  const Dataset wine = read_dataset(folder + "wine.csv", training);
  EXPECT_EQ(wine.features(), 13u);
  EXPECT_EQ(wine.class_totals(), (Values{59, 71, 48}));
  EXPECT_EQ(wine.columns[12].values[0], 1065);
  const Dataset cancer = read_dataset(folder + "breast-cancer.csv", training);
  EXPECT_EQ(cancer.features(), 30u);
  EXPECT_EQ(cancer.class_names, (Names{"benign", "malignant"}));
  EXPECT_EQ(cancer.class_totals(), (Values{357, 212}));
  EXPECT_EQ(cancer.columns[0].values[0], 17.99);
  for (const Dataset* data : {&iris, &wine, &cancer}) {
    for (const Column& column : data->columns) {
      for (std::size_t row = 0; row < data->rows(); ++row) EXPECT_FALSE(column.missing(row));
    }
  }
}

}  // namespace
}  // namespace treewright
