#include "treewright/proof/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "treewright/base/hash.h"
#include "treewright/base/random.h"
#include "treewright/error.h"

namespace treewright::proof {
namespace {

// A file with this header and no body, with its checksum.
std::string file_of(const std::string& header) {
  const std::string bytes = fmt::format("treewright proof 1\n{}\n", header);
  return bytes + hash_text(hash(bytes));
}

const char* const kHeader =
    R"({"made_by":"test","table":"bf65e8a54874757d","unit":[1,0],"grid":0,"depth":1,"max_splits":3,"min_rows":1,"price":0,"bound":1,)"
    R"("orderings":[{"column":0},{"column":1,"missing":"last"},{"column":2,"levels":[[null,"a"],["\\xe9"]]},)"
    R"({"column":3,"level":"a"},{"column":3,"level":null}],"bytes":0})";

// "" where it is read, and else the refusal.
std::string said(const std::string& bytes) {
  try {
    const std::string again = to_bytes(from_bytes(bytes, "file"), "test");
    EXPECT_TRUE(again == bytes || bytes.find(R"({"made_by":"test",)") == bytes.npos) << bytes;
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "file");
    EXPECT_FALSE(error.fix().empty());
    return error.problem();
  }
}

TEST(ProofFile, IsReadAndWrittenAlike) {
  EXPECT_EQ(said(file_of(kHeader)), "");
}

// All values of the header, also inside lists, by their places.
std::vector<nlohmann::ordered_json::json_pointer> places(const nlohmann::ordered_json& header) {
  std::vector<nlohmann::ordered_json::json_pointer> found;
  const nlohmann::ordered_json flat = header.flatten();
  for (const auto& [place, value] : flat.items()) {
    for (nlohmann::ordered_json::json_pointer at(place); !at.empty(); at.pop_back()) found.push_back(at);
  }
  return found;
}

// Values of other kinds, and of the same kind but another size, at each place: lists of pairs hold what are no pairs, numbers are texts.
TEST(ProofFile, AnyValueAnywhereIsReadOrRefused) {
  using Json = nlohmann::ordered_json;
  const Json header = Json::parse(kHeader);
  const char* const values[] = {"null",
                                "true",
                                "0",
                                "1",
                                "-1",
                                "1.5",
                                "1e300",
                                "9007199254740992",
                                "-9223372036854775808",
                                "18446744073709551615",
                                "\"\"",
                                "\"a\"",
                                "\"\\u0000\"",
                                "[]",
                                "[0]",
                                "[0,0]",
                                "[\"a\"]",
                                "[\"a\",1]",
                                "[\"a\",[]]",
                                "[\"a\",[1]]",
                                "[\"a\",[1,0,0]]",
                                "[[]]",
                                "[[],[]]",
                                "[[[]]]",
                                "[[[1,0]]]",
                                "[null]",
                                "{}",
                                "{\"a\":0}",
                                "[{}]",
                                "[{\"column\":0}]",
                                "[{\"column\":0,\"levels\":[[0]]}]"};
  int refused = 0;
  for (const Json::json_pointer& place : places(header)) {
    for (const char* value : values) {
      Json changed = header;
      changed[place] = Json::parse(value);
      refused += !said(file_of(changed.dump())).empty();
    }
    if (place.to_string().starts_with("/orderings")) continue;  // some keys of orderings may be left out
    Json less = header;
    if (Json& parent = less[place.parent_pointer()]; parent.is_object()) {
      parent.erase(place.back());
      EXPECT_NE(said(file_of(less.dump())), "") << place;
    }
  }
  EXPECT_GT(refused, 1000);
}

// Bytes of a header are changed, left out or doubled, and lines are cut off.
TEST(ProofFile, ChangedBytesAreReadOrRefused) {
  Random random(1);
  const std::string header = kHeader;
  for (int round = 0; round < 20000; ++round) {
    std::string changed = header;
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
      const std::size_t at = random.below(changed.size()), length = 1 + random.below(8);
      const std::string piece = changed.substr(at, length);
      switch (random.below(4)) {
        case 0:
          changed[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          changed.erase(at, length);
          break;
        case 2:
          changed.insert(at, piece);
          break;
        case 3:
          changed.insert(random.below(changed.size()), piece);
      }
    }
    said(file_of(changed));
  }
  const std::string file = file_of(header);
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_NE(said(file.substr(0, size)), "");
  EXPECT_NE(said(file_of(std::string(100000, '['))), "");
  EXPECT_NE(said(file_of(header + "\n")), "");
}

}  // namespace
}  // namespace treewright::proof
