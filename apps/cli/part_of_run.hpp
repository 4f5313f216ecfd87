// `duomap map` and `duomap merge`: a part of a run's input as a stored partial, and the result of such parts.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_options.hpp"
#include "core/error.hpp"
#include "core/partial/stored/stored_partial.hpp"
#include "duomap.hpp"
#include "scheduler/map_partial.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

/// What came of a run or of a part of one.
template <class Task>
struct part_of_run {
  std::optional<result_for<Task>> result;  ///< nothing when a partial was written instead
  covered_input merged = {};               ///< of a merge: the input as it was mapped

  /// What a source was called; `from`: as run_as_asked() got it.
  [[nodiscard]] const std::string& name_of(std::uint32_t source, const input& from) const {
    return merged.sources().empty() ? from[source].name() : merged.sources()[source].name;
  }
};

/// The stored partials that `duomap merge` is given.
[[nodiscard]] std::vector<std::shared_ptr<const partial_reader>> open_partials(const run_options& options);

/// Says in the report what is merged and what is left out.
void report_partials(const selected_partials& partials, std::uint64_t given, run_report& report);

/// Which partitions of so many `duomap merge` is asked for: [first, last).
/// @throws usage_error when there are fewer than parts
[[nodiscard]] std::pair<unsigned, unsigned> asked_partitions(const run_options& options, unsigned partitions);

/// Runs a task as the options ask: whole, a part of its input, or the merge of such parts. `identity`: the
/// application, and what of its options changes the answer.
template <map_reduce_task Task>
[[nodiscard]] part_of_run<Task> run_as_asked(const Task& task, const input& from, worker_pool& pool,
                                             run_context& context, run_report& report,
                                             task_identity identity) {
  const run_options& options = context.options;
  if (options.no_decompress) identity.parameters += " --no-decompress";
  const job_options how = job_options_for(options, context.control, report);
  if (options.stage == run_stage::map) {
    const auto slices = part_of_input(from, options.slice.index - 1, options.slice.count);
    const auto found = map_partial(task, from, slices, pool, how);
    write_partial(context.sink, task, found, identity);
    return {};
  }
  if (options.stage == run_stage::whole) return {run(task, from, pool, how)};

  const auto readers = open_partials(options);
  const selected_partials partials = select_partials(readers, task, identity);
  report_partials(partials, readers.size(), report);
  if (options.keep_partial) {
    merge_stored(context.sink, partials, task, pool);
    return {};
  }
  const auto [first, last] = asked_partitions(options, stored_partitions(task));
  auto merged = read_partitions(partials, task, first, last, pool);
  auto result = finish(task, std::move(merged), pool);
  if constexpr (requires { result.size(); }) report.results = result.size();
  return {std::move(result), partials.covers};
}

}  // namespace duomap::apps
