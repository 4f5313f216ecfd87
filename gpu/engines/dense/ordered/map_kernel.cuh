// Defines the dense engine's kernel for reductions that do not commute. Every thread takes consecutive
// records. Values are folded in the order of the input: first over lanes, then over warps and tiles, then
// over blocks.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/combine.cuh"
#include "gpu/engines/dense/record_loop.cuh"
#include "gpu/engines/dense/task_parameter.cuh"

#include <cstdint>

namespace duomap::gpu {

template <class Task, bool InParameters>
struct ordered_arguments {
  using value_type = typename Task::reduce::value_type;

  typename Task::format format;
  typename Task::reduce reduce;
  chunk part;
  std::uint64_t keys;
  unsigned* bad_keys;
  unsigned mappers;               ///< threads of a block that map; 1: the thread folds into `found` itself
  value_table<value_type> found;  ///< the blocks' values of each key

  task_parameter<Task, InParameters> task;
};

/// A value for each key and each mapping thread of a block, in shared memory.
template <class V>
class mapper_cells {
 public:
  [[nodiscard]] DUOMAP_HD static constexpr std::uint64_t bytes(std::uint64_t keys, std::uint64_t mappers) {
    return (1 + words_of<V>)*4 * keys * mappers;
  }

  __device__ mapper_cells(void* memory, unsigned mappers)
    : memory_(static_cast<std::uint32_t*>(memory)), mappers_(mappers) {}

  [[nodiscard]] __device__ maybe<V> get(std::uint64_t key, unsigned mapper) const {
    const std::uint32_t* const cell = memory_ + key * (1 + words_of<V>)*mappers_ + mapper;
    maybe<V> found{};
    found.present = *cell != 0;
    value_words<V> words;
#pragma unroll
    for (unsigned w = 0; w < words_of<V>; ++w) words.word[w] = cell[(w + 1) * mappers_];
    if (found.present) found.value = words.value();
    return found;
  }
  __device__ void put(std::uint64_t key, unsigned mapper, const V& value) const {
    std::uint32_t* const cell = memory_ + key * (1 + words_of<V>)*mappers_ + mapper;
    const value_words<V> words(value);
#pragma unroll
    for (unsigned w = 0; w < words_of<V>; ++w) cell[(w + 1) * mappers_] = words.word[w];
    *cell = 1;
  }
  __device__ void clear(std::uint64_t key, unsigned mapper) const {
    memory_[key * (1 + words_of<V>)*mappers_ + mapper] = 0;
  }

 private:
  std::uint32_t* memory_;
  unsigned mappers_;
};

/// The emitter of this kernel: emit(key, value), or emit(value) without a key.
template <class Task, bool InParameters>
class ordered_emitter {
 public:
  using value_type = typename Task::reduce::value_type;

  __device__ ordered_emitter(const ordered_arguments<Task, InParameters>& with,
                             const mapper_cells<value_type>& cells)
    : with_(with), cells_(cells) {}

  using emitted_type = emit_type<typename Task::reduce>;
  DUOMAP_HD void operator()(const emitted_type& emitted) const { (*this)(0, emitted); }
  DUOMAP_HD void operator()(std::uint64_t key, const emitted_type& emitted) const {
#if defined(__CUDA_ARCH__)
    if (key >= with_.keys) {
      *with_.bad_keys = 1;
      return;
    }
    const std::uint64_t place = key * gridDim.x + blockIdx.x;
    maybe<value_type> mine = with_.mappers == 1 ? with_.found.get(place) : cells_.get(key, threadIdx.x);
    mine.append({value_of_emit(with_.reduce, emitted), true}, with_.reduce);
    if (with_.mappers == 1) {
      with_.found.put(place, mine);
    } else {
      cells_.put(key, threadIdx.x, mine.value);
    }
#endif
  }

 private:
  const ordered_arguments<Task, InParameters>& with_;
  const mapper_cells<value_type>& cells_;
};

namespace detail {

/// Called by all threads, between barriers: appends the values of the mapping threads since the last call to
/// the block's values, and clears them.
template <class V, class R>
__device__ void append_mappers(const mapper_cells<V>& cells, unsigned mappers, std::uint64_t keys,
                               const value_table<V>& found, const R& reduce) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned width = min(mappers, 32u);
  const unsigned each = mappers / width;
  for (std::uint64_t key = threadIdx.x / 32; key < keys; key += blockDim.x / 32) {
    maybe<V> mine{};
    if (lane < width) {
      for (unsigned mapper = lane * each; mapper < (lane + 1) * each; ++mapper) {
        mine.append(cells.get(key, mapper), reduce);
        cells.clear(key, mapper);
      }
    }
    fold_lanes(mine, 32, reduce);
    if (lane != 0 || !mine.present) continue;
    const std::uint64_t place = key * gridDim.x + blockIdx.x;
    maybe<V> all = found.get(place);
    all.append(mine, reduce);
    found.put(place, all);
  }
}

/// Share `i` of `count` elements that are divided in order into `parts` shares of about equal size.
struct range {
  std::uint64_t begin;
  std::uint64_t end;
};
[[nodiscard]] __device__ inline range share(std::uint64_t count, std::uint64_t i, std::uint64_t parts) {
  const std::uint64_t each = count / parts;
  const std::uint64_t more = count % parts;  // the first shares get one more
  const std::uint64_t begin = i * each + min(i, more);
  return {begin, begin + each + (i < more ? 1 : 0)};
}

}  // namespace detail

template <class Task, bool InParameters>
__global__ void __launch_bounds__(block_threads)
    map_in_order(const __grid_constant__ ordered_arguments<Task, InParameters> with) {
  using value_type = typename Task::reduce::value_type;
  using format = typename Task::format;
  extern __shared__ uint4 dense_memory[];
  auto* const memory = reinterpret_cast<unsigned char*>(dense_memory);
  const mapper_cells<value_type> cells(memory + storage_bytes<format>, with.mappers);
  const bool maps = threadIdx.x < with.mappers;
  for (std::uint64_t key = threadIdx.x / 32; key < with.keys; key += blockDim.x / 32) {
    if (threadIdx.x % 32 == 0) with.found.present[key * gridDim.x + blockIdx.x] = 0;
    if (with.mappers > 1) {
      for (unsigned mapper = threadIdx.x % 32; mapper < with.mappers; mapper += 32) cells.clear(key, mapper);
    }
  }
  __syncthreads();

  const auto& task = with.task.get();
  ordered_emitter<Task, InParameters> emit(with, cells);
  const auto append = [&] {
    __syncthreads();
    if (with.mappers > 1) detail::append_mappers(cells, with.mappers, with.keys, with.found, with.reduce);
    __syncthreads();
  };
  if constexpr (text_format<format>) {
    auto& storage = *reinterpret_cast<typename tile_storage<format>::type*>(memory);
    const auto tiles =
        detail::share(record_tile<format>::tiles(with.part, with.format), blockIdx.x, gridDim.x);
    record_tile<format> tile(storage, with.part, with.format);
    for (std::uint64_t t = tiles.begin; t < tiles.end; ++t) {
      tile.load(t);
      __syncthreads();
      tile.find();
      if (maps) {
        const auto mine = detail::share(tile.count(), threadIdx.x, with.mappers);
        for (std::uint64_t i = mine.begin; i < mine.end; ++i) {
          record_bytes bytes;
          task.map(tile.record(static_cast<std::uint32_t>(i), bytes), emit);
        }
      }
      append();
    }
  } else {
    const numbered_records<format> records(with.format, with.part);
    const auto all = detail::share(record_count(with.format, with.part), blockIdx.x, gridDim.x);
    if (maps) {
      const auto mine = detail::share(all.end - all.begin, threadIdx.x, with.mappers);
      for (std::uint64_t i = all.begin + mine.begin; i < all.begin + mine.end; ++i)
        task.map(records[i], emit);
    }
    append();
  }
}

}  // namespace duomap::gpu
