// Does the work of `duomap map`, which maps a part of the input into a stored partial, and of `duomap merge`,
// which merges such partials into a result.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_arguments.hpp"
#include "core/error.hpp"
#include "core/partial/place_texts.hpp"
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

/// The outcome of run_selected_stage(): a result, or a stored partial.
template <class Task>
struct part_of_run {
  std::optional<result_for<Task>> result;  ///< nothing when a partial was written instead
  covered_input merged = {};               ///< for a merge: the input as it was mapped
  place_texts texts = {};                  ///< for a merge: the texts of the places in the result

  /// The name of a source. `from`: the input that run_selected_stage() got.
  [[nodiscard]] const std::string& name_of(std::uint32_t source, const input& from) const {
    return merged.sources().empty() ? from[source].name() : merged.sources()[source].name;
  }
};

/// Opens the stored partials that the user gave to `duomap merge`.
[[nodiscard]] std::vector<std::shared_ptr<const partial_reader>> open_partials(const run_arguments& options);

/// Writes into the report how many partials were merged, with a note on those that were left out.
void report_partials(const selected_partials& partials, std::uint64_t given, run_report& report);

/// The range [first, last) of partitions that the user's --keys selects, out of all `partitions`.
/// @throws usage_error when the user asks for more parts than there are partitions
[[nodiscard]] std::pair<unsigned, unsigned> asked_partitions(const run_arguments& options,
                                                             unsigned partitions);

/// Runs a task as the options ask: on the whole input, on a part of it, or as a merge of stored partials.
/// `identity`: the application, with those of its options that change the answer.
template <map_reduce_task Task>
[[nodiscard]] part_of_run<Task> run_selected_stage(const Task& task, const input& from, worker_pool& pool,
                                                   run_context& context, run_report& report,
                                                   task_identity identity) {
  const run_arguments& options = context.options;
  if (options.no_decompress) identity.parameters += " --no-decompress";
  const run_options how = run_options_for(options, context.control, &report);
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
  const shared_budget memory = duomap::detail::memory_of_run<registered_kinds>(task, how);
  if (options.keep_partial) {
    merge_stored(context.sink, partials, task, pool, memory);
    return {};
  }
  const auto [first, last] = asked_partitions(options, stored_partitions(task));
  auto merged = read_partitions(partials, task, first, last, pool, memory);
  place_texts texts = std::move(merged.texts);
  auto result = finish(task, std::move(merged), pool);
  if constexpr (requires { result.size(); }) report.results = result.size();
  return {std::move(result), partials.covers, std::move(texts)};
}

}  // namespace duomap::apps
