// Maps all records of a chunk, in the fastest order.
#pragma once

#include "core/chunk.hpp"
#include "core/record/index_range.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/row_unit.hpp"
#include "gpu/record/record_tile.cuh"

#include <cstdint>
#include <cstring>

namespace duomap::gpu {

/// Formats whose records are found in tiles of text; records of all other formats are numbered.
template <class Format>
concept text_format = requires {
  text_rule<Format>::most_starts;
};

/// Threads of a block: the number that a tile of text needs, else half of a multiprocessor's threads, which
/// share the block's accumulators.
template <class Format>
inline constexpr unsigned threads_of = text_format<Format> ? block_threads : 1024;

/// The shared memory in which a block finds records, and its bytes, a multiple of 16.
template <class Format>
struct tile_storage {
  struct type {};
  static constexpr std::uint64_t bytes = 0;
};
template <text_format Format>
struct tile_storage<Format> {
  using type = typename record_tile<Format>::storage;
  static constexpr std::uint64_t bytes = (sizeof(type) + 15) / 16 * 16;
};
template <class Format>
inline constexpr std::uint64_t storage_bytes = tile_storage<Format>::bytes;

/// The number of records in a chunk of a format with numbered records.
[[nodiscard]] DUOMAP_HD inline std::uint64_t record_count(const index_range&, const chunk& part) {
  return part.size;
}
template <class T>
[[nodiscard]] DUOMAP_HD std::uint64_t record_count(const rows<T>& format, const chunk& part) {
  return part.size / format.row_bytes();
}

/// Returns a record of a chunk by its number.
template <class Format>
class numbered_records;

template <>
class numbered_records<index_range> {
 public:
  __device__ numbered_records(const index_range&, const chunk& part) : first_(part.offset) {}
  [[nodiscard]] __device__ std::uint64_t operator[](std::uint64_t i) const { return first_ + i; }

 private:
  std::uint64_t first_;
};

template <class T>
class numbered_records<rows<T>> {
 public:
  __device__ numbered_records(const rows<T>& format, const chunk& part)
    : data_(part.data),
      width_(format.width),
      first_((part.offset - format.header_bytes) / format.row_bytes()) {}
  [[nodiscard]] __device__ row<T> operator[](std::uint64_t i) const {
    return {reinterpret_cast<const T*>(data_) + i * width_, width_, first_ + i};
  }
  [[nodiscard]] __device__ std::uint64_t first_index() const { return first_; }

 private:
  const char* data_;
  std::uint32_t width_;
  std::uint64_t first_;
};

/// This block's part in a group of blocks that share the records: block `index` of `count` blocks.
struct block_share {
  unsigned index;
  unsigned count;

  [[nodiscard]] __device__ static block_share of_grid() { return {blockIdx.x, gridDim.x}; }
};

namespace detail {

/// The rows that a thread loads at a time: row units in registers, with at least `Bytes` bytes together.
template <class Task, unsigned Bytes>
struct loaded_rows {
  using unit = row_unit<Task>;
  static constexpr unsigned units = unit::bytes < Bytes ? Bytes / unit::bytes : 1;
  static constexpr unsigned quads = unit::bytes / 16;

  uint4 words[units][quads];

  /// Loads the thread's row units of turn `step` of the loop. In one turn, the threads of all blocks that
  /// share the records read adjacent memory.
  __device__ void load(const char* data, std::uint64_t step, block_share share) {
    const auto* const from = reinterpret_cast<const uint4*>(data);
#pragma unroll
    for (unsigned u = 0; u < units; ++u) {
#pragma unroll
      for (unsigned q = 0; q < quads; ++q) words[u][q] = __ldcs(from + unit_at(step, u, share) * quads + q);
    }
  }

  [[nodiscard]] __device__ static std::uint64_t unit_at(std::uint64_t step, unsigned u, block_share share) {
    return ((step * share.count + share.index) * units + u) * blockDim.x + threadIdx.x;
  }

  template <class Emit>
  __device__ void map(const Task& task, std::uint64_t first_index, std::uint64_t step, block_share share,
                      Emit& emit) const {
    using element = typename unit::element;
#pragma unroll
    for (unsigned u = 0; u < units; ++u) {
      element values[unit::rows * unit::width];
      memcpy(values, words[u], unit::bytes);
      const std::uint64_t index = first_index + unit_at(step, u, share) * unit::rows;
      if constexpr (maps_batch<Task, unit::rows>) {
        row<element> several[unit::rows];
#pragma unroll
        for (unsigned r = 0; r < unit::rows; ++r)
          several[r] = {values + r * unit::width, unit::width, index + r};
        task.map_batch(several, emit);
      } else {
#pragma unroll
        for (unsigned r = 0; r < unit::rows; ++r)
          task.map(row<element>{values + r * unit::width, unit::width, index + r}, emit);
      }
    }
  }
};

}  // namespace detail

/// Maps every record of the chunk once, by all threads of the sharing blocks. `storage` is the block's.
/// `Bytes`: the bytes of rows of known width that a thread loads ahead. Contains barriers, so the block's
/// threads must do nothing else meanwhile.
template <unsigned Bytes = 32, class Task, class Emit>
__device__ void map_records(const Task& task, const typename Task::format& format, const chunk& part,
                            typename tile_storage<typename Task::format>::type& storage, Emit& emit,
                            block_share share) {
  using format_type = typename Task::format;
  if constexpr (text_format<format_type>) {
    const std::uint64_t tiles = record_tile<format_type>::tiles(part, format);
    record_tile<format_type> tile(storage, part, format);
    for (std::uint64_t t = share.index; t < tiles; t += share.count) {
      tile.load(t);
      __syncthreads();
      tile.find();
      for (std::uint32_t i = threadIdx.x; i < tile.count(); i += blockDim.x) {
        record_bytes bytes;
        task.map(tile.record(i, bytes), emit);
      }
    }
  } else {
    const numbered_records<format_type> records(format, part);
    const std::uint64_t count = record_count(format, part);
    std::uint64_t mapped = 0;
    if constexpr (has_row_units<Task>) {
      using batch = detail::loaded_rows<Task, Bytes>;
      constexpr unsigned rows = batch::units * batch::unit::rows;
      const std::uint64_t rows_per_step = std::uint64_t{share.count} * blockDim.x * rows;
      const bool aligned = reinterpret_cast<std::uintptr_t>(part.data) % 16 == 0;
      const std::uint64_t steps = aligned ? count / rows_per_step : 0;
      mapped = steps * rows_per_step;
      if (steps > 0) {
        batch next;
        next.load(part.data, 0, share);
        for (std::uint64_t step = 0; step < steps; ++step) {
          const batch now = next;
          if (step + 1 < steps) next.load(part.data, step + 1, share);
          now.map(task, records.first_index(), step, share, emit);
        }
      }
    }
    // Maps the remaining records, or all, one for each thread. Neighbouring warps are in different blocks.
    const std::uint64_t warp = std::uint64_t{threadIdx.x / 32} * share.count + share.index;
    for (std::uint64_t i = mapped + warp * 32 + threadIdx.x % 32; i < count;
         i += std::uint64_t{share.count} * blockDim.x) {
      task.map(records[i], emit);
    }
  }
}

}  // namespace duomap::gpu
