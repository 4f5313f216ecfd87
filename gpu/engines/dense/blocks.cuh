// Chooses the number of blocks that map a chunk, and of their threads.
#pragma once

#include "core/chunk.hpp"
#include "gpu/engines/dense/record_loop.cuh"
#include "gpu/engines/dense/tuning.hpp"
#include "gpu/record/record_tile.cuh"
#include "gpu/runtime/device_limits.cuh"

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// The number of blocks for a chunk: all that run at once, or fewer, so that each gets a warp's records.
template <class Format>
[[nodiscard]] std::uint64_t blocks_for(const Format& format, const chunk& part, std::uint64_t at_once) {
  std::uint64_t most = 0;
  if constexpr (text_format<Format>) {
    most = record_tile<Format>::tiles(part, format);
  } else {
    most = (record_count(format, part) + 31) / 32;
  }
  return std::min(at_once, most);
}

/// The number of records (for text, bytes) of a block if each multiprocessor has one block.
template <class Format>
[[nodiscard]] std::uint64_t records_of_block(const Format& format, const chunk& part,
                                             const device_limits& has) {
  if constexpr (text_format<Format>) {
    return part.size / has.multiprocessors;
  } else {
    return record_count(format, part) / has.multiprocessors;
  }
}

template <class Format>
[[nodiscard]] constexpr unsigned threads_of_block(std::uint64_t records) {
  return text_format<Format> ? threads_of<Format> : threads_for(records, threads_of<Format>);
}

/// The number of blocks that a device runs at once. Blocks of few threads get a multiprocessor each, because
/// the second stage must fold the values of each block.
template <class Format, class... Parameters>
[[nodiscard]] std::uint64_t blocks_of_device(void (*kernel)(Parameters...), unsigned threads,
                                             std::uint64_t shared_bytes, const device_limits& has) {
  const unsigned each = blocks_at_once(kernel, threads, shared_bytes, has);
  return std::uint64_t{has.multiprocessors} * (threads < threads_of<Format> ? 1 : each);
}

}  // namespace duomap::gpu
