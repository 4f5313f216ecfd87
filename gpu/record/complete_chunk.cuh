// Prepares a chunk's bytes in device memory for the engines.
#pragma once

#include "core/record/formats.hpp"
#include "core/task.hpp"
#include "gpu/record/chunk_padding.hpp"
#include "gpu/record/lower_case.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Queues the padding behind the bytes, and makes letters small if the format asks for it.
template <map_reduce_task Task>
void complete_chunk(const Task& task, char* data, std::uint64_t bytes, const stream& on) {
  using padding = chunk_padding<typename Task::format>;
  check(cudaMemsetAsync(data + bytes, padding::value, padding::bytes, on.get()),
        "writing the padding of a chunk");
  if constexpr (std::same_as<typename Task::format, words>) {
    if (format_of(task).lower_case) lower_case(data, bytes, on);
  }
}

}  // namespace duomap::gpu
