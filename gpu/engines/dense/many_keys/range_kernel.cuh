// Reduces emits with a few times more dense keys than a block has room for: each block has accumulators for
// one range of the keys.
#pragma once

#include "gpu/engines/dense/block_cells.cuh"
#include "gpu/engines/dense/key_kernels.cuh"
#include "gpu/engines/dense/peers.cuh"
#include "gpu/engines/dense/record_loop.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The emitter of a block's range. A frequent key sends most emits of the device to the blocks of one range.
/// So the emitter now and then checks whether many lanes have the same key, and lets those lanes fold
/// together.
template <class R>
class range_emitter {
 public:
  using value_type = typename R::value_type;

  __device__ range_emitter(const block_cells<R>& cells, std::uint64_t first, std::uint32_t range,
                           std::uint64_t keys, const R& reduce, unsigned* bad_keys)
    : cells_(cells), first_(first), range_(range), keys_(keys), reduce_(reduce), bad_keys_(bad_keys) {}

  DUOMAP_HD void operator()(std::uint64_t key, const emit_type<R>& emitted) {
#if defined(__CUDA_ARCH__)
    const bool looks = turn_++ % emits_between_looks == 0;
    if (key - first_ >= range_) {
      if (key >= keys_) *bad_keys_ = 1;
      return;
    }
    const auto place = static_cast<std::uint32_t>(key - first_);
    value_type all = value_of_emit(reduce_, emitted);
    if constexpr (detail::adds_over_lanes<R>) {
      if (looks) is_crowded_ = has_equal_lanes(place);
      if (is_crowded_ && !sum_over_equal_lanes<R>(place, all)) return;
    }
    cells_.fold(place, all, reduce_);
#endif
  }

 private:
  static constexpr unsigned emits_between_looks = 8;

  const block_cells<R>& cells_;
  std::uint64_t first_;
  std::uint32_t range_;
  std::uint64_t keys_;
  const R& reduce_;
  unsigned* bad_keys_;
  unsigned turn_ = 0;
  bool is_crowded_ = false;
};

/// Neighbouring blocks map the same records at about the same time, each for its own range. The first of
/// these blocks reads the records from memory, and the others from the second-level cache.
template <class Task, bool InParameters>
__global__ void __launch_bounds__(threads_of<typename Task::format>, 1024 / threads_of<typename Task::format>)
    map_by_range(const __grid_constant__ key_arguments<Task, InParameters> with) {
  using reduce_type = typename Task::reduce;
  using format = typename Task::format;
  extern __shared__ uint4 range_memory[];
  auto* const memory = reinterpret_cast<unsigned char*>(range_memory);
  auto& storage = *reinterpret_cast<typename tile_storage<format>::type*>(memory);
  const reduce_type reduce = with.reduce;
  const std::uint64_t each = (with.keys + with.ranges - 1) / with.ranges;
  const std::uint64_t first = blockIdx.x % with.ranges * each;
  const auto keys = static_cast<std::uint32_t>(first < with.keys ? min(each, with.keys - first) : 0);
  const block_cells<reduce_type> cells(memory + storage_bytes<format>, keys, 0);
  cells.clear(reduce);
  __syncthreads();
  range_emitter<reduce_type> emit(cells, first, keys, with.keys, reduce, with.bad_keys);
  map_records<64>(with.task.get(), with.format, with.part, storage, emit,
                  {blockIdx.x / with.ranges, gridDim.x / with.ranges});
  __syncthreads();
  for (std::uint32_t key = threadIdx.x; key < keys; key += blockDim.x) {
    const maybe<typename reduce_type::value_type> found = cells.read(key, 0);
    if (found.present) with.cells.fold_alone(first + key, found.value, reduce);
  }
}

}  // namespace duomap::gpu
