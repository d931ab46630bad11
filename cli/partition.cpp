// treewright partition: clusters of rows, each to be replaced by one row (AHL24 sec. 3).
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "flags.h"
#include "interrupt.h"
#include "outputs.h"
#include "treewright/base/deadline.h"
#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/data/scaling.h"
#include "treewright/reduce/data_partition.h"
#include "treewright/report/partition_svg.h"

namespace treewright::cli {

namespace {

struct PartitionArguments {
  std::string data, out, representatives, svg;
  ReadOptions read;
  Options options;
  bool json = false;
};

// "row,cluster", rows as in the file from 0.
std::string clusters_csv(const reduce::DataPartition& partition) {
  std::string out = "row,cluster\n";
  const std::vector<std::int32_t> cluster = partition.cluster_of_row();
  for (std::size_t row = 0; row < cluster.size(); ++row) out += fmt::format("{},{}\n", row, cluster[row]);
  return out;
}

int run(PartitionArguments& arguments) {
  for (const std::string& out : {arguments.out, arguments.representatives, arguments.svg}) check_output(out, {arguments.data});
  arguments.read.training = true;
  check_options(arguments.options);
  const Dataset data = read_dataset(arguments.data, arguments.read);
  data.validate_for_training();
  Deadline deadline(arguments.options.time_limit, std::numeric_limits<std::int64_t>::max(), stop_on_interrupt());
  const ScaledPoints points(data, Scaling::distance);
  const reduce::DataPartition partition =
      reduce::partition_named(arguments.options.partition, data, points, arguments.options.cluster_share, deadline);
  const double seconds = deadline.elapsed();
  const std::string picture = arguments.svg.empty() ? "" : report::to_svg(data, partition);
  const reduce::PartitionMeasures measured = reduce::measure(data, points, partition);
  if (!arguments.out.empty()) write_output(arguments.out, clusters_csv(partition));
  if (!arguments.representatives.empty()) write_output(arguments.representatives, write_csv(reduce::barycenters(data, partition)));
  if (!arguments.svg.empty()) write_output(arguments.svg, picture);
  if (arguments.out == "-" || arguments.representatives == "-" || arguments.svg == "-") return kOk;
  const char* form = arguments.json
                         ? "{{\n  \"rows\": {},\n  \"clusters\": {},\n  \"size_reduction\": {},\n  \"homogeneity\": {},\n"
                           "  \"exclusion\": {},\n  \"consistency\": {},\n  \"seconds\": {},\n  \"complete\": {}\n}}\n"
                         : "rows           {}\nclusters       {}\nsize reduction {:.4g}\nhomogeneity    {:.4g}\nexclusion      {:.4g}\n"
                           "consistency    {:.4g}\nseconds        {:.3f}\ncomplete       {}\n";
  write_output("", fmt::format(fmt::runtime(form), data.rows(), partition.size(), measured.size_reduction, measured.homogeneity,
                               measured.exclusion, measured.consistency, seconds, !deadline.stopped()));
  return kOk;
}

}  // namespace

void add_partition(CLI::App& app, int& code) {
  auto arguments = std::make_shared<PartitionArguments>();
  CLI::App* command = app.add_subcommand("partition", "group rows of one class into clusters, and measure the clusters");
  add_data_flags(*command, arguments->data, arguments->read);
  add_option_flags(*command, arguments->options, {{"partition", "cluster_share", "time_limit"}, {}});
  command->add_option("--out", arguments->out, "write the cluster of each row to this file (CSV; - is standard output)");
  command->add_option("--representatives", arguments->representatives, "write one weighted row for each cluster, its mean (CSV)");
  command->add_option("--svg", arguments->svg, "draw rows, clusters and their means; needs two numeric columns (SVG)");
  command->add_flag("--json", arguments->json, "print the measures as one JSON object");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
