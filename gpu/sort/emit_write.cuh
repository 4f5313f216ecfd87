// Second pass of the sort engine: maps every record again and writes what it emits to its place.
#pragma once

#include "core/chunk.hpp"
#include "core/combining_table.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "gpu/object/key_bytes.cuh"
#include "gpu/record/record_tile.cuh"
#include "gpu/sort/emit_count.cuh"
#include "gpu/sort/stored_bytes.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// What a collected or reduced key is on the host, and already on the device.
template <class Task>
using emit_entry = keyed_entry<stored_value<typename Task::reduce::value_type>>;

/// A mistake of the task that the device has seen.
enum emit_fault : std::uint32_t {
  changed_emits = 1,  ///< map did not emit what it had emitted when it was counted
  key_range = 2,      ///< a dense key is not below key_count()
};

/// Where the emits of a piece go, emit i of the piece at index i.
template <class Task>
struct emit_arrays {
  // A collect task has entries, in the form the host gets them.
  emit_entry<Task>* entries = nullptr;
  // A reduction has values, and unless there is no key, what they are sorted by and their own indices.
  typename Task::reduce::value_type* values = nullptr;
  std::uint32_t* sort_keys = nullptr;  // the top of the masked hash, or the dense key
  std::uint32_t* order = nullptr;
  compact_key* keys = nullptr;  // of hashed keys

  char* store = nullptr;             // of long keys and values
  const char* store_later = nullptr;  // where the store will stand when somebody reads the keys
  std::uint32_t* faults = nullptr;
};

template <class Task>
struct write_arguments {
  Task task;
  typename Task::format format;
  chunk part;
  thread_counts threads;
  const emit_space* before;  // what the tiles before each tile of the chunk emit
  std::uint64_t first_tile;
  emit_arrays<Task> to;
  std::uint64_t hash_mask;
  std::uint64_t key_count;  // of dense keys
};

/// What map calls to be written down; a thread's own.
template <class Task>
class emit_writer {
  using key_kind_type = typename Task::key;
  using key_type = result_key<key_kind_type>;
  using value_type = typename Task::reduce::value_type;
  static constexpr bool collects = duomap::detail::is_collect<typename Task::reduce>;

 public:
  /// Writes from emit `begin.emits` and store byte `begin.bytes` on, as much as `space` says.
  __device__ emit_writer(const write_arguments<Task>& with, const emit_space& begin, const emit_space& space)
    : with_(with), next_(begin), end_(begin) {
    end_ += space;
  }

  __device__ void begin_record(const record_bytes& bytes) { record_ = bytes; }

  DUOMAP_HD void operator()(const key_type& key, const value_type& value) {
#if defined(__CUDA_ARCH__)
    // Dropped, since the place belongs to somebody else; the run fails.
    if (next_.emits == end_.emits) return fail(changed_emits);
    const std::uint64_t place = next_.emits++;
    if constexpr (collects) {
      const compact_key kept = keep(key_bytes(key)).key;
      if constexpr (std::same_as<value_type, byte_view>) {
        with_.to.entries[place] = {kept, keep(value).key};
      } else {
        with_.to.entries[place] = {kept, value};
      }
    } else {
      with_.to.values[place] = value;
      if constexpr (hashed_key<key_kind_type>) {
        const kept_key kept = keep(key_bytes(key));
        with_.to.keys[place] = kept.key;
        set_order(place, static_cast<std::uint32_t>((kept.hash & with_.hash_mask) >> 32));
      } else if constexpr (std::same_as<key_kind_type, dense>) {
        if (key >= with_.key_count) fail(key_range);
        set_order(place, static_cast<std::uint32_t>(key));
      }
    }
#endif
  }
  DUOMAP_HD void operator()(const value_type& value) { (*this)(key_type{}, value); }

  /// After the last record.
  __device__ void finish() {
    if (next_ != end_) fail(changed_emits);
  }

 private:
  struct kept_key {
    compact_key key;
    std::uint64_t hash;
  };

  __device__ void fail(emit_fault what) { atomicOr(with_.to.faults, static_cast<std::uint32_t>(what)); }

  __device__ void set_order(std::uint64_t place, std::uint32_t sort_key) {
    with_.to.sort_keys[place] = sort_key;
    with_.to.order[place] = static_cast<std::uint32_t>(place);
  }

  [[nodiscard]] __device__ bool in_this_chunk(const char* at) const {
    const char* const begin = with_.part.data;  // null for indices
    return begin != nullptr &&
           reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(begin) < with_.part.size;
  }

  [[nodiscard]] __device__ kept_key keep(byte_view bytes) {
    const bool in_chunk_bytes = in_this_chunk(bytes.data);
    if (bytes.size <= compact_key::max_inline) {
      const compact_key key = in_chunk_bytes ? short_key_in_chunk(bytes) : short_key(bytes, anywhere{});
      return {key, key.hash()};
    }
    const std::uint64_t needed = stored_bytes_of(bytes.size);
    if (end_.bytes - next_.bytes < needed) {
      fail(changed_emits);
      return {};
    }
    const std::uint64_t at = next_.bytes;
    next_.bytes += needed;
    char* const to = with_.to.store + at;
    const std::uint64_t hash =
        in_chunk_bytes ? store_long(bytes, to, in_chunk{}) : store_long(bytes, to, anywhere{});
    return {compact_key::of_stored(hash, with_.to.store_later + at + sizeof(std::uint64_t)), hash};
  }

  /// The first eight bytes of a record are in registers already.
  [[nodiscard]] __device__ compact_key short_key_in_chunk(byte_view bytes) const {
    if (!record_.has_head || bytes.data != record_.bytes.data || bytes.size > 8)
      return short_key(bytes, in_chunk{});
    const auto size = static_cast<unsigned>(bytes.size);
    return {size == 8 ? record_.head : keep_bytes(record_.head, size), compact_key::length_tag(size)};
  }

  const write_arguments<Task>& with_;
  emit_space next_;
  emit_space end_;
  record_bytes record_;
};

/// A block for each tile of the piece, which begins at with.first_tile.
template <class Task>
__global__ void __launch_bounds__(block_threads) write_emits(const __grid_constant__ write_arguments<Task> with) {
  extern __shared__ uint4 dynamic_memory[];
  auto& shared = *reinterpret_cast<emit_memory<Task>*>(dynamic_memory);
  const std::uint64_t index = with.first_tile + blockIdx.x;
  record_tile<typename Task::format> tile(shared.tile, with.part, with.format);
  tile.load(index);
  __syncthreads();
  tile.find();

  const std::uint64_t thread = index * block_threads + threadIdx.x;
  emit_space mine{with.threads.emits[thread], 0};
  emit_space begin = with.before[index] - with.before[with.first_tile];
  begin.emits += sum_over_block(mine.emits, shared.emits).before;
  if constexpr (stores_bytes<Task>) {
    mine.bytes = with.threads.bytes[thread];
    begin.bytes += sum_over_block(mine.bytes, shared.bytes).before;
  }

  emit_writer<Task> emit(with, begin, mine);
  for_each_own_record(tile, [&](const auto& record, const record_bytes& bytes) {
    emit.begin_record(bytes);
    with.task.map(record, emit);
  });
  emit.finish();
}

}  // namespace duomap::gpu
