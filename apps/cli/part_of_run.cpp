// Opens and counts the partials for `duomap merge`, and chooses the partitions to merge.
#include "apps/cli/part_of_run.hpp"

namespace duomap::apps {

std::vector<std::shared_ptr<const partial_reader>> open_partials(const run_arguments& options) {
  std::vector<std::shared_ptr<const partial_reader>> readers;
  for (const std::string& path : options.paths) readers.push_back(std::make_shared<partial_reader>(path));
  return readers;
}

void report_partials(const selected_partials& partials, std::uint64_t given, run_report& report) {
  report.sources = given;
  for (const auto& one : partials.readers) {
    report.results += one->entries();
    report.units += one->size();
  }
  report.notes.insert(report.notes.end(), partials.notes.begin(), partials.notes.end());
}

std::pair<unsigned, unsigned> asked_partitions(const run_arguments& options, unsigned partitions) {
  if (!options.partitions) return {0, partitions};
  const auto [index, count] = *options.partitions;
  if (count > partitions)
    throw usage_error("--keys asks for one of " + std::to_string(count) + " parts, and these partials have " +
                      std::to_string(partitions) +
                      (partitions == 1 ? ": their rows are in input order" : ""));
  const auto cut = [&, count = count](std::uint64_t at) {
    return static_cast<unsigned>(partitions * at / count);
  };
  return {cut(index - 1), cut(index)};
}

}  // namespace duomap::apps
