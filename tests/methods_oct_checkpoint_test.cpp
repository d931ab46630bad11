// Training with a checkpoint: what a kill leaves of it, whom it belongs to, and who reads the options.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "support/training.h"
#include "treewright/base/file.h"
#include "treewright/base/hash.h"
#include "treewright/base/journal.h"
#include "treewright/base/random.h"
#include "treewright/data/fingerprint.h"
#include "treewright/data/losses.h"
#include "treewright/methods/oct/checkpoint.h"
#include "treewright/result.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::iris;
using testing::ScratchFolder;
using testing::Settings;
using testing::train;

Dataset noisy(std::int64_t rows) {
  GenerateOptions options;
  options.rows = rows;
  options.features = 4;
  options.classes = 2;
  options.label_noise = 0.3;
  return generate("bd17-train", options);
}

// At depth four its tasks are long enough to be written.
const Dataset& long_work() {
  static const Dataset data = noisy(400);
  return data;
}

std::string told(Result result) {
  result.history.clear();
  result.seconds = 0;
  result.threads = 1;
  std::erase_if(result.options, [](const auto& option) { return option.first == "n_jobs"; });
  return to_json(result);
}

std::size_t lines_of(const std::string& path) {
  const std::string text = read_file(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class CheckpointTest : public ::testing::Test {
 protected:
  Settings with(Settings more) const {
    Settings settings{{"max_depth", "4"}, {"n_jobs", "1"}, {"checkpoint", path_}};
    for (const auto& [name, value] : more) settings[name] = value;
    return settings;
  }

  const ScratchFolder folder_;
  const std::string path_ = folder_ / "facts";
};

TEST_F(CheckpointTest, LengthyGoesOnFromEveryPrefix) {
  const std::string undisturbed = told(train(long_work(), {{"max_depth", "4"}, {"n_jobs", "1"}}));
  EXPECT_EQ(told(train(long_work(), with({}))), undisturbed);
  const std::string whole = read_file(path_);
  ASSERT_GT(lines_of(path_), 10);
  int threads = 0;
  for (std::size_t length = 0; length <= whole.size(); length += 1 + whole.size() / 5) {
    write_file(path_, whole.substr(0, length));
    const std::string jobs = std::to_string(1 + threads++ % 3);
    EXPECT_EQ(told(train(long_work(), with({{"on_existing", "resume"}, {"n_jobs", jobs}}))), undisturbed) << length << " bytes were left";
    EXPECT_TRUE(read_file(path_).starts_with(whole.substr(0, whole.substr(0, length).rfind('\n') + 1))) << "what was there stays";
  }
}

TEST_F(CheckpointTest, WhatALimitHasStoppedGoesOn) {
  const std::string undisturbed = told(train(long_work(), {{"max_depth", "4"}, {"n_jobs", "1"}}));
  // How much work it takes until a task was long enough to be written depends on the machine.
  std::size_t facts = 0;
  for (std::int64_t limit = 2000; facts <= 1; limit *= 2) {
    std::filesystem::remove(path_);
    ASSERT_EQ(train(long_work(), with({{"node_limit", std::to_string(limit)}})).status, Status::node_limit);
    facts = lines_of(path_);
  }
  EXPECT_EQ(told(train(long_work(), with({{"on_existing", "resume"}}))), undisturbed);
  EXPECT_GT(lines_of(path_), facts);
}

// Trees that predict numbers, too.
TEST_F(CheckpointTest, LengthyNumbersGoOnFromAnyPrefix) {
  for (const Loss loss : kLosses) {
    Dataset data = noisy(loss == Loss::squared ? 200 : 110);
    Random random(7);
    Response response{loss, {}, {}};
    for (const std::int32_t label : data.labels) {
      response.values.push_back(loss == Loss::squared    ? label + random.uniform()
                                : loss == Loss::survival ? static_cast<double>(random.below(3) > 0)
                                                         : static_cast<double>(random.below(2 + 2 * static_cast<std::uint64_t>(label))));
      if (loss == Loss::survival) response.times.push_back(random.uniform() * (1 + label));
    }
    data.labels.clear();
    data.class_names.clear();
    data.response = std::move(response);
    if (loss == Loss::survival) set_hazards(data);
    std::filesystem::remove(path_);
    const std::string undisturbed = told(train(data, {{"max_depth", "4"}, {"n_jobs", "1"}}));
    EXPECT_EQ(told(train(data, with({}))), undisturbed);
    const std::string whole = read_file(path_);
    ASSERT_GT(lines_of(path_), 5);
    for (const std::size_t length : {whole.size() / 3, whole.size() * 2 / 3, whole.size()}) {
      write_file(path_, whole.substr(0, length));
      EXPECT_EQ(told(train(data, with({{"on_existing", "resume"}}))), undisturbed) << length << " bytes were left";
    }
    data.response->values.front() += 1;
    expect_error([&] { train(data, with({{"on_existing", "resume"}})); }, {"belongs to a run with other data"});
  }
}

// With a limit on the weight of leaves there may be two searches.
TEST_F(CheckpointTest, LengthyKeepsBothSearchesOfALimitOnWeight) {
  Dataset data = noisy(30000);
  for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(data.columns[0].values[row] < 0.5 ? 1 : 3);
  const Settings limited{{"min_weight_fraction_leaf", "0.1"}, {"max_depth", "2"}, {"n_jobs", "1"}};
  const std::string undisturbed = told(train(data, limited));
  EXPECT_EQ(told(train(data, with(limited))), undisturbed);
  const std::string whole = read_file(path_);
  EXPECT_GE(lines_of(path_), 2) << "the header and a fact of each search, unless it takes no time\n" << whole;
  write_file(path_, whole.substr(0, whole.size() - 10));
  Settings resumed = with(limited);
  resumed["on_existing"] = "resume";
  EXPECT_EQ(told(train(data, resumed)), undisturbed);
  EXPECT_GE(lines_of(path_), 2);
}

TEST_F(CheckpointTest, RefusesAnotherRunAndNamesWhatDiffers) {
  train(iris(), with({}));
  const std::string whole = read_file(path_);
  expect_error([&] { train(iris(), with({})); }, {path_, "exists already", "on_existing=resume"});
  const auto refused = [&](const Dataset& data, const Settings& settings, const std::vector<std::string>& parts) {
    Settings resumed = with(settings);
    resumed["on_existing"] = "resume";
    expect_error([&] { train(data, resumed); }, parts);
  };
  Dataset other = iris();
  other.columns[2].values[77] += 1;
  refused(other, {}, {path_ + ", line 1", "other data ("});
  other = iris();
  other.weights.assign(150, 1);
  other.weights[3] = 2;
  refused(other, {}, {"other data ("});
  refused(iris(), {{"max_depth", "3"}}, {"other max_depth (4 there, 3 here)"});
  refused(iris(), {{"max_depth", "5"}}, {"other max_depth (4 there, 5 here)"});
  refused(iris(), {{"min_samples_leaf", "2"}, {"ccp_alpha", "0.1"}}, {"min_samples_leaf (not set there, 2 here), ccp_alpha"});
  for (const auto& [name, value] : Settings{{"max_splits", "7"}, {"disable", "lipschitz"}, {"alpha_scale", "rows"}}) {
    refused(iris(), {{name, value}}, {"other " + name});
  }
  std::filesystem::remove(path_);
  { const Journal journal(path_, {{"treewright_fit", "0"}}, Journal::Existing::refused); }
  refused(iris(), {}, {"another command or version"});
  write_file(path_, whole);
  // Limits and threads may be others.
  train(iris(), with({{"on_existing", "resume"},
                      {"n_jobs", "2"},
                      {"time_limit", "100"},
                      {"stall_limit", "100"},
                      {"node_limit", "1000000000"},
                      {"proof", path_ + ".proof"}}));
  EXPECT_TRUE(read_file(path_).starts_with(whole));
  std::filesystem::remove(path_ + ".proof");
}

// Such rows are not in the table of gains that the search sees. The price of a split is a share of their weight all the same.
TEST_F(CheckpointTest, RefusesOtherRowsWhoseLabelsAllCostTheSame) {
  Dataset data = iris();
  data.weights.assign(150, 1);
  for (std::size_t row = 0; row < 150; ++row) {
    for (std::int32_t label = 0; label < 3; ++label) data.row_costs.push_back(row < 10 || label != data.labels[row]);
  }
  Settings settings = with({{"alpha_scale", "rows"}, {"ccp_alpha", "0.01"}});
  train(data, settings);
  data.weights[3] = 50;
  settings["on_existing"] = "resume";
  expect_error([&] { train(data, settings); }, {path_ + ", line 1", "other data ("});
}

TEST_F(CheckpointTest, RowCountsArePartOfTheData) {
  Dataset once = iris(), twice = iris();
  once.counts.assign(150, 1);
  twice.counts.assign(150, 2);
  EXPECT_NE(fingerprint(once), fingerprint(twice));
}

TEST_F(CheckpointTest, RefusesAPipe) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  expect_error([&] { train(iris(), with({{"on_existing", "resume"}})); }, {path_, "is a pipe or a device"});
}

TEST_F(CheckpointTest, RefusesDamage) {
  train(long_work(), with({}));
  const std::string whole = read_file(path_);
  std::string edited = whole;
  edited[edited.find("\"cost\"", edited.size() / 2) + 7] ^= 1;
  write_file(path_, edited);
  expect_error([&] { train(long_work(), with({{"on_existing", "resume"}})); }, {path_ + ", line", "was changed"});
  EXPECT_EQ(read_file(path_), edited);
  // Lines of the right sum and the wrong content.
  const std::string head = whole.substr(0, whole.find('\n') + 1);
  for (const char* line : {"{}", "[]", "1", "{\"work\":1,\"seconds\":1,\"results\":[],\"min_rows\":1,\"task\":[[\"cut\"]]}",
                           "{\"work\":1,\"seconds\":1,\"results\":[],\"min_rows\":1,\"task\":[]}",
                           "{\"work\":1,\"seconds\":1,\"results\":[],\"min_rows\":1,\"task\":[[\"guess\",1,1,1,1,1,1,1,false]]}"}) {
    write_file(path_, head + hash_text(hash(line)) + " " + line + "\n");
    expect_error([&] { train(long_work(), with({{"on_existing", "resume"}})); }, {path_ + ", line 2", "not a line of a checkpoint"});
  }
}

// A line that someone has changed together with its sum may be believed, but it does no harm: the tree is recounted.
TEST_F(CheckpointTest, LengthyAForgedLineDoesNoHarm) {
  train(long_work(), with({}));
  const std::string whole = read_file(path_);
  std::vector<std::string> lines;
  std::istringstream text(whole);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  Random random(41);
  int refused = 0, taken = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::string> forged = lines;
    std::string& line = forged[1 + random.below(lines.size() - 1)];
    const std::string characters = "0123456789-,.[]e";
    line[17 + random.below(line.size() - 17)] = characters[random.below(characters.size())];
    line = hash_text(hash(line.substr(17))) + line.substr(16);
    std::string content;
    for (const std::string& each : forged) content += each + "\n";
    write_file(path_, content);
    try {
      const Result result = train(long_work(), with({{"on_existing", "resume"}, {"node_limit", "20000"}}));
      EXPECT_EQ(check_claims(result, long_work()), std::vector<std::string>{});
      ++taken;
    } catch (const Error& error) {
      EXPECT_FALSE(error.fix().empty());
      ++refused;
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(taken, 20);
}

TEST_F(CheckpointTest, IsLockedDuringTheRun) {
  FitHooks hooks;
  int tried = 0;
  hooks.listener = [&](const Progress&) {
    if (tried++ > 0) return;
    expect_error([&] { train(long_work(), with({{"on_existing", "resume"}})); }, {path_, "in use by another run"});
  };
  const Result first = fit(long_work(), testing::options_of(with({})), hooks);
  EXPECT_EQ(first.status, Status::optimal);
  EXPECT_GT(tried, 0);
  EXPECT_EQ(told(train(long_work(), with({{"on_existing", "resume"}}))), told(first));
}

TEST_F(CheckpointTest, IsOverwrittenWhereThatIsAskedFor) {
  train(iris(), with({}));
  const std::string first = read_file(path_);
  train(long_work(), with({{"on_existing", "overwrite"}}));
  EXPECT_NE(read_file(path_).substr(0, 40), first.substr(0, 40));
  EXPECT_EQ(told(train(long_work(), with({{"on_existing", "resume"}}))), told(train(long_work(), with({{"on_existing", "overwrite"}}))));
  expect_error([&] { train(iris(), {{"on_existing", "overwrite"}}); }, {"on_existing", "no checkpoint to overwrite"});
  write_file(path_, "a,b\n1,2\n");
  expect_error([&] { train(iris(), with({{"on_existing", "overwrite"}})); }, {path_, "not a checkpoint"});
  EXPECT_EQ(read_file(path_), "a,b\n1,2\n");
}

// With the parts of its proof.
TEST_F(CheckpointTest, KeepsTheProof) {
  const std::string proof = folder_ / "proof";
  const Settings settings = with({{"max_depth", "3"}, {"proof", proof}});
  train(long_work(), settings);
  const std::string bytes = read_file(proof);
  const Options options = testing::options_of(settings);
  Deadline deadline;
  Options resumed = options;
  resumed.on_existing = "resume";
  const Task task{long_work(), resumed, plain_errors(), 1, {}, deadline};
  const search::ProofPart part{2, 17, true, 2, 3, 1.5};
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  {
    oct::Checkpoint checkpoint(task);
    EXPECT_EQ(checkpoint.parts()->find(part), nullptr);
    checkpoint.parts()->add(part, "short", 0.001);
    checkpoint.parts()->add(part, every_byte, 10);
  }
  {
    oct::Checkpoint checkpoint(task);
    ASSERT_NE(checkpoint.parts()->find(part), nullptr);
    EXPECT_EQ(*checkpoint.parts()->find(part), every_byte);
  }
  Settings again = settings;
  again["on_existing"] = "resume";
  std::filesystem::remove(proof);
  train(long_work(), again);
  EXPECT_EQ(read_file(proof), bytes);
}

TEST_F(CheckpointTest, ServesOneTree) {
  expect_error([&] { train(iris(), {{"on_existing", "resume"}}); }, {"on_existing", "no checkpoint to resume"});
  expect_error([&] { train(iris(), {{"method", "cart"}, {"checkpoint", path_}}); }, {"checkpoint", "cart", "oct"});
  expect_error([&] { complexity_path(iris(), testing::options_of(with({}))); }, {"checkpoint", "one tree"});
  TunePlan plan;
  plan.folds = k_folds(iris(), 3);
  expect_error([&] { tune(iris(), testing::options_of(with({})), plan); }, {"checkpoint", "one tree"});
  EXPECT_FALSE(std::filesystem::exists(path_));
  expect_error([&] { train(iris(), with({{"checkpoint", "/no-such-folder/facts"}})); }, {"/no-such-folder/facts"});
}

TEST_F(CheckpointTest, LeavesNoTraceInTheResult) {
  for (const auto& [name, value] : train(iris(), with({})).options) EXPECT_NE(name, "checkpoint") << value;
}

}  // namespace
}  // namespace treewright
