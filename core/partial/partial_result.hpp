// A partial, with the part of the input whose records are in it.
// host only
#pragma once

#include "core/error.hpp"
#include "core/partial/all.hpp"
#include "core/partial/covered_input.hpp"
#include "core/partial/place_texts.hpp"
#include "core/result.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <utility>
#include <vector>

namespace duomap {

/// The answer of map_partial() for a part of an input. It can be stored
/// (core/partial/stored/stored_partial.hpp), and merged with the answers for other parts. Once all parts are
/// merged, finish() makes the result.
template <map_reduce_task Task>
struct partial_result {
  partial_for<Task> values;
  covered_input covers;
  place_texts texts = {};  ///< the texts at the places in its keys and values
};

/// Adds the answer for another part of the same input. Does nothing if `all` covers that part already.
/// @throws input_error when `more` belongs to another input, or when `all` covers some but not all of its
/// part; out_of_memory, and `all` is lost then
template <map_reduce_task Task>
void merge_into(partial_result<Task>& all, partial_result<Task> more, const Task& task, worker_pool& pool) {
  if (all.covers.contains(more.covers)) return;
  if (all.covers.overlaps(more.covers))
    throw input_error(
        "a part of the input is in two partials of which neither holds the other; "
        "map parts that do not overlap");
  all.values = within_memory([&] {
    std::vector<partial_for<Task>> both;
    both.push_back(std::move(all.values));
    both.push_back(std::move(more.values));
    return merge_partials(std::move(both), task, pool);
  });
  all.texts.add(std::move(more.texts), "a part");
  all.covers.add(more.covers);
}

/// The result of a task, the same as run() would give. `all` must cover the whole input.
/// @throws input_error naming the first part that is missing; out_of_memory
template <map_reduce_task Task>
[[nodiscard]] result_for<Task> finish(const Task& task, partial_result<Task> all, worker_pool& pool) {
  if (const std::string missing = all.covers.missing(); !missing.empty())
    throw input_error("the partials do not cover " + missing + "; map that part, too");
  return within_memory([&] { return make_result(task, std::move(all.values), pool); });
}

}  // namespace duomap
