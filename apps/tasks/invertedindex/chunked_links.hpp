// Finds the links of a text that is cut into chunks at chosen places, to check that cuts change nothing.
// host only
#pragma once

#include "apps/tasks/invertedindex/find_links.hpp"
#include "apps/tasks/invertedindex/link_index.hpp"
#include "core/boundary.hpp"
#include "core/input/slice.hpp"
#include "core/worker_pool.hpp"
#include "cpu/container/collecting_container.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace duomap::apps {

/// The index of an addressable source that is read in slices. The slices end at `cuts`, which ascend, and at
/// the end of the source.
[[nodiscard]] inline link_index index_in_chunks(const source& whole, const std::vector<std::uint64_t>& cuts) {
  const find_links task;
  const format_boundary<markup> records(format_of(task));
  cpu::collecting_container<find_links> container(task);
  const auto map_slice = [&](std::uint64_t from, std::uint64_t to) {
    const auto part = slice(whole, 0, from, to, records);
    if (!part) return;
    container.fill(*part, [&](auto& emit) {
      markup{}.for_each_record(*part, [&](const markup_fragment& fragment) { task.map(fragment, emit); });
    });
  };
  std::uint64_t from = 0;
  for (const std::uint64_t cut : cuts) {
    const std::uint64_t to = std::min(cut, whole.units());
    if (to > from) map_slice(std::exchange(from, to), to);
  }
  map_slice(from, whole.units());
  sequential here;
  return link_index(collected_result<find_links>(task, container.take(), here), here);
}

}  // namespace duomap::apps
