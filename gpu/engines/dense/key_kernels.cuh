// Defines the dense engine's kernels for keys 0 .. n - 1 with a reduction that commutes.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/block_cells.cuh"
#include "gpu/engines/dense/combine.cuh"
#include "gpu/engines/dense/device_cells.cuh"
#include "gpu/engines/dense/many_keys/key_tiles.hpp"
#include "gpu/engines/dense/record_loop.cuh"
#include "gpu/engines/dense/task_parameter.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The emitter of dense keys: folds `range` keys from `first` on into cells, and ignores other keys. Reports
/// a key that is not below key_count() to the host.
template <class Cells, class R>
class key_emitter {
 public:
  __device__ key_emitter(const Cells& cells, std::uint64_t first, std::uint64_t range, std::uint64_t keys,
                         const R& reduce, unsigned* bad_keys)
    : cells_(cells), first_(first), range_(range), keys_(keys), reduce_(reduce), bad_keys_(bad_keys) {}

  DUOMAP_HD void operator()(std::uint64_t key, const emit_type<R>& emitted) const {
#if defined(__CUDA_ARCH__)
    const std::uint64_t place = key - first_;
    if (place >= range_) {
      if (key >= keys_) {
        *bad_keys_ = 1;
        __threadfence_system();  // the host reads bad_keys when it sees the next kernel's result
      }
      return;
    }
    cells_.fold(place, value_of_emit(reduce_, emitted), reduce_);
#endif
  }

 private:
  const Cells& cells_;
  std::uint64_t first_;
  std::uint64_t range_;
  std::uint64_t keys_;
  const R& reduce_;
  unsigned* bad_keys_;
};

template <class Task, bool InParameters>
struct key_arguments {
  using reduce_type = typename Task::reduce;

  typename Task::format format;
  reduce_type reduce;
  chunk part;
  std::uint64_t keys;
  unsigned* bad_keys;
  unsigned copies_log2;
  // The arguments if all keys are in block cells:
  value_table<typename reduce_type::value_type> found;  ///< the blocks' values of each key
  // The arguments if totals are in device cells:
  device_cells<reduce_type> cells;
  unsigned ranges;
  key_tiles<typename reduce_type::value_type> tiles;

  task_parameter<Task, InParameters> task;
};

namespace detail {

/// Called by all threads of a block: writes the block's value of each key to `found`. A group of lanes works
/// on each key: each lane folds some copies, and then the lanes fold their values.
template <class R>
__device__ void put_cells(const block_cells<R>& cells, std::uint32_t keys, unsigned copies, const R& reduce,
                          const value_table<typename R::value_type>& found) {
  const unsigned width = min(copies, 32u);
  const unsigned lane = threadIdx.x % 32;
  const unsigned keys_per_warp = 32 / width;
  for (std::uint32_t base = threadIdx.x / 32 * keys_per_warp; base < keys;
       base += blockDim.x / 32 * keys_per_warp) {
    const std::uint32_t key = base + lane / width;
    maybe<typename R::value_type> mine{};
    if (key < keys) {
      // With fewer than 32 copies, `width` is the number of copies, and each lane has one copy. The stride is
      // not `width`, because driver 580.159 wrongly makes that 2 when it translates PTX 7.5 for an H200.
      for (unsigned copy = lane & (width - 1); copy < copies; copy += 32)
        mine.append(cells.read(key, copy), reduce);
    }
    fold_lanes(mine, width, reduce);
    if (lane % width == 0 && key < keys) found.put(std::uint64_t{key} * gridDim.x + blockIdx.x, mine);
  }
}

}  // namespace detail

/// Folds emits into the block's shared memory, and writes the block's values to `found`.
template <class Task, bool InParameters>
__global__ void __launch_bounds__(threads_of<typename Task::format>, 1024 / threads_of<typename Task::format>)
    map_into_block_cells(const __grid_constant__ key_arguments<Task, InParameters> with) {
  using reduce_type = typename Task::reduce;
  using format = typename Task::format;
  extern __shared__ uint4 dense_memory[];
  auto* const memory = reinterpret_cast<unsigned char*>(dense_memory);
  auto& storage = *reinterpret_cast<typename tile_storage<format>::type*>(memory);
  const reduce_type reduce = with.reduce;
  const auto keys = static_cast<std::uint32_t>(with.keys);
  const block_cells<reduce_type> cells(memory + storage_bytes<format>, keys, with.copies_log2);
  cells.clear(reduce);
  __syncthreads();
  key_emitter emit(cells, 0, keys, keys, reduce, with.bad_keys);
  map_records(with.task.get(), with.format, with.part, storage, emit, block_share::of_grid());
  __syncthreads();
  detail::put_cells(cells, keys, 1u << with.copies_log2, reduce, with.found);
}

/// Folds emits into device memory, where values stay until they are read.
template <class Task, bool InParameters>
__global__ void __launch_bounds__(threads_of<typename Task::format>, 1024 / threads_of<typename Task::format>)
    map_into_device_cells(const __grid_constant__ key_arguments<Task, InParameters> with) {
  using format = typename Task::format;
  extern __shared__ uint4 dense_memory[];
  auto& storage = *reinterpret_cast<typename tile_storage<format>::type*>(dense_memory);
  const typename Task::reduce reduce = with.reduce;
  key_emitter emit(with.cells, 0, with.keys, with.keys, reduce, with.bad_keys);
  map_records(with.task.get(), with.format, with.part, storage, emit, block_share::of_grid());
}

template <class R>
__global__ void __launch_bounds__(combine_threads) clear_device_cells(device_cells<R> cells, R reduce) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t key = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; key < cells.keys();
       key += stride)
    cells.clear(key, reduce);
}

template <class R>
__global__ void __launch_bounds__(combine_threads)
    read_device_cells(device_cells<R> cells, value_table<typename R::value_type> into) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t key = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; key < cells.keys();
       key += stride)
    into.put(key, cells.read(key));
}

}  // namespace duomap::gpu
