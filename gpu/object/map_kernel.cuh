// The reduction-object engine's kernel: maps the records of a chunk and reduces what they emit.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/object/block_table.cuh"
#include "gpu/object/device_table.hpp"
#include "gpu/object/tile_queue.cuh"
#include "gpu/record/record_tile.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Whether a task promises how many emits a record has at most, each key being bytes of the record or of
/// fixed size:
///   static constexpr std::uint64_t emits_within_record = 1;
/// Without the promise the engine maps every record twice, first to count, so as to have room for what it
/// emits.
template <class Task>
concept promises_emits = requires {
  { Task::emits_within_record } -> std::convertible_to<std::uint64_t>;
};

template <class Task>
struct map_arguments {
  Task task;
  typename Task::format format;
  typename Task::reduce reduce;
  chunk part;
  device_table<typename Task::reduce> table;
  tile_queue queue;
  unsigned block_slots;
};

/// Room in the device's table.
struct room {
  unsigned long long keys;
  unsigned long long pool_bytes;
};

/// The fixed part of a block's shared memory; the slots of its table follow it.
template <class Task>
struct alignas(16) block_memory {
  typename record_tile<typename Task::format>::storage tile;
  unsigned long long next_tile;
  room granted;
  room promised;  ///< of the grant: used in the device's table, or needed when the block's table is emptied
  room used;      ///< of the grant, in the device's table
  room needed;
  unsigned filled;
  unsigned broken_promise;
  bool may_go_on;
};

/// Counts what a tile will need.
template <hashed_key Key, class V>
struct counting_emitter {
  room needed{0, 0};
  DUOMAP_HD void operator()(const Key& key, const V& /*value*/) {
    needed.keys += 1;
    needed.pool_bytes += pool_bytes_of(key_bytes(key).size);
  }
};

/// What map calls: into the block's table, and past it when the key has no place there.
template <class Task>
class reducing_emitter {
  using key_type = typename Task::key;
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;

 public:
  __device__ reducing_emitter(const map_arguments<Task>& with, const block_table<reduce_type>& local,
                              block_memory<Task>& shared)
    : with_(with), local_(local), shared_(shared) {}

  __device__ void begin_record(const record_bytes& bytes) {
    record_ = bytes;
    emits_ = 0;
  }

  DUOMAP_HD void operator()(const key_type& key, const value_type& value) {
#if defined(__CUDA_ARCH__)
    const byte_view bytes = key_bytes(key);
    if constexpr (promises_emits<Task>) {
      // Dropped, since there may be no room for it; the run fails.
      if (++emits_ > Task::emits_within_record || (std::same_as<key_type, byte_view> && !in_record(bytes))) {
        shared_.broken_promise = 1;
        return;
      }
    }
    if (bytes.size <= max_word_bytes) {
      emit_short(bytes, value);
    } else if (in_this_chunk(bytes.data)) {
      emit_from_chunk(bytes, value);
    } else {
      emit_long(bytes, hash_of_long(bytes, anywhere{}), value, anywhere{});
    }
#endif
  }

 private:
  using outcome = typename block_table<reduce_type>::outcome;

  [[nodiscard]] __device__ bool in_this_chunk(const char* at) const {
    const char* const begin = with_.part.data;  // null for indices
    return begin != nullptr &&
           reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(begin) < with_.part.size;
  }

  [[nodiscard]] __device__ bool in_record(byte_view key) const {
    if (key.data == record_.bytes.data) return key.size <= record_.bytes.size;
    const auto offset =
        reinterpret_cast<std::uintptr_t>(key.data) - reinterpret_cast<std::uintptr_t>(record_.bytes.data);
    return offset <= record_.bytes.size && key.size <= record_.bytes.size - offset;
  }

  __device__ void emit_short(byte_view key, const value_type& value) {
    const auto size = static_cast<unsigned>(key.size);
    const bool has_head = record_.has_head && key.data == record_.bytes.data;
    const std::uint64_t bytes =
        has_head ? keep_bytes(record_.head, size) : load_some(key.data, size, anywhere{});
    const std::uint64_t word = short_word(bytes, size);
    const std::uint64_t hash = hash_of_short_word(word);
    const auto never = [](std::uint64_t) {
      return false;
    };
    const outcome how = local_.fold(word, hash & with_.table.hash_mask, value, with_.reduce, never);
    if (how == outcome::known) return;
    if (how == outcome::full) {
      if (!with_.table.fold_short(word, hash, value)) return;
      atomicAdd(&shared_.used.keys, 1ull);
    }
    atomicAdd(&shared_.promised.keys, 1ull);
  }

  __device__ void emit_from_chunk(byte_view key, const value_type& value) {
    if (record_.has_next && key.data == record_.bytes.data && key.size <= compact_key::max_inline) {
      // Both words of the key are in registers: half of the loads are spared.
      const auto rest = static_cast<unsigned>(key.size - 8);
      const std::uint64_t low = record_.head;
      const std::uint64_t high = keep_bytes(record_.next, rest);
      const std::uint64_t hash = hash_block(low, high | compact_key::length_tag(key.size));
      emit_long_from_chunk(key, hash, value, [&](byte_view other) {
        return load_eight(other.data, in_chunk{}) == low &&
               load_some(other.data + 8, rest, in_chunk{}) == high;
      });
    } else {
      emit_long_from_chunk(key, hash_of_long(key, in_chunk{}), value,
                           [&](byte_view other) { return same_bytes(other.data, key.data, key.size); });
    }
  }

  template <class SameBytes>
  __device__ void emit_long_from_chunk(byte_view key, std::uint64_t hash, const value_type& value,
                                       const SameBytes& same_bytes) {
    const auto offset = static_cast<std::uint64_t>(key.data - with_.part.data);
    if (key.size <= chunk_key::max_size && offset <= chunk_key::max_offset) {
      const std::uint64_t masked = hash & with_.table.hash_mask;
      const std::uint64_t word = chunk_key::word(masked, key.size, offset);
      const outcome how = local_.fold(word, masked, value, with_.reduce, [&](std::uint64_t other) {
        return chunk_key::may_be_same(word, other) && same_bytes(chunk_key::bytes(other, with_.part.data));
      });
      if (how == outcome::known) return;
      if (how == outcome::claimed) {
        atomicAdd(&shared_.promised.keys, 1ull);
        atomicAdd(&shared_.promised.pool_bytes, static_cast<unsigned long long>(pool_bytes_of(key.size)));
        return;
      }
    }
    emit_long(key, hash, value, in_chunk{});
  }

  template <class Where>
  __device__ void emit_long(byte_view key, std::uint64_t hash, const value_type& value, Where where) {
    const auto done = with_.table.fold_long(key, hash, value, where);
    if (done.is_new) {
      atomicAdd(&shared_.used.keys, 1ull);
      atomicAdd(&shared_.promised.keys, 1ull);
    }
    if (done.pool_bytes > 0) {
      atomicAdd(&shared_.used.pool_bytes, static_cast<unsigned long long>(done.pool_bytes));
      atomicAdd(&shared_.promised.pool_bytes, static_cast<unsigned long long>(done.pool_bytes));
    }
  }

  const map_arguments<Task>& with_;
  const block_table<reduce_type>& local_;
  block_memory<Task>& shared_;
  record_bytes record_;
  std::uint64_t emits_ = 0;
};

namespace impl {

/// What a tile may need of a task that promises its emits.
template <class Task>
[[nodiscard]] __device__ room promised_room(std::uint64_t records, std::uint64_t record_bytes) {
  constexpr std::uint64_t emits = Task::emits_within_record;
  if constexpr (std::same_as<typename Task::key, byte_view>) {
    // Each key of at least 8 bytes takes up to 23 bytes more than its own.
    return {records * emits, emits * (23 * min(records, record_bytes / 8 + 1) + record_bytes)};
  } else {
    return {records * emits, records * emits * pool_bytes_of(sizeof(typename Task::key))};
  }
}

/// What a tile needs, by mapping it without folding anything. For all threads; ends with a barrier.
template <class Task, class Tile>
[[nodiscard]] __device__ room counted_room(const Task& task, const Tile& tile, room& in_shared) {
  counting_emitter<typename Task::key, typename Task::reduce::value_type> emit;
  for (std::uint32_t i = threadIdx.x; i < tile.count(); i += blockDim.x) {
    record_bytes bytes;
    task.map(tile.record(i, bytes), emit);
  }
  if (emit.needed.keys > 0) atomicAdd(&in_shared.keys, emit.needed.keys);
  if (emit.needed.pool_bytes > 0) atomicAdd(&in_shared.pool_bytes, emit.needed.pool_bytes);
  __syncthreads();
  return in_shared;
}

/// Gets the block room for `needed` more than is promised. Asks for some tiles' worth first, so that it need
/// not ask for every tile. For one thread.
template <class Task>
[[nodiscard]] __device__ bool get_room(const map_arguments<Task>& with, block_memory<Task>& shared,
                                       const room& needed) {
  const auto missing = [](unsigned long long granted, unsigned long long promised,
                          unsigned long long wanted) {
    const unsigned long long free = granted - promised;
    return wanted > free ? wanted - free : 0;
  };
  for (const unsigned tiles : {3u, 1u}) {
    const room more{
        missing(shared.granted.keys, shared.promised.keys, tiles * needed.keys),
        missing(shared.granted.pool_bytes, shared.promised.pool_bytes, tiles * needed.pool_bytes)};
    if (with.table.reserve(more.keys, more.pool_bytes)) {
      shared.granted.keys += more.keys;
      shared.granted.pool_bytes += more.pool_bytes;
      return true;
    }
  }
  atomicMax(&with.queue.progress->needed_keys, needed.keys);
  atomicMax(&with.queue.progress->needed_pool_bytes, needed.pool_bytes);
  return false;
}

/// Folds the block's table into the device's. For all threads, between barriers.
template <class Task>
__device__ void empty_block_table(const map_arguments<Task>& with,
                                  const block_table<typename Task::reduce>& local,
                                  block_memory<Task>& shared) {
  room used{0, 0};
  for (unsigned i = threadIdx.x; i < local.slots; i += blockDim.x) {
    const std::uint64_t word = local.words[i];
    if (word == 0) continue;
    if ((word & long_flag) == 0) {
      used.keys += with.table.fold_short(word, hash_of_short_word(word), local.cells[i].read()) ? 1 : 0;
    } else {
      const byte_view key = chunk_key::bytes(word, local.chunk);
      const auto done =
          with.table.fold_long(key, hash_of_long(key, in_chunk{}), local.cells[i].read(), in_chunk{});
      used.keys += done.is_new ? 1 : 0;
      used.pool_bytes += done.pool_bytes;
    }
  }
  if (used.keys > 0) atomicAdd(&shared.used.keys, used.keys);
  if (used.pool_bytes > 0) atomicAdd(&shared.used.pool_bytes, used.pool_bytes);
}

}  // namespace impl

/// Persistent blocks: each claims tiles until there are none, or none it has room for. When the kernel has
/// ended, every tile has either been counted in the device's table as a whole, or is in the queue again, or
/// was never claimed.
template <class Task>
__global__ void __launch_bounds__(block_threads, wanted_blocks)
    map_and_reduce(const __grid_constant__ map_arguments<Task> with) {
  extern __shared__ uint4 dynamic_memory[];
  auto& shared = *reinterpret_cast<block_memory<Task>*>(dynamic_memory);
  using local_table = block_table<typename Task::reduce>;
  auto* const words =
      reinterpret_cast<unsigned long long*>(reinterpret_cast<unsigned char*>(dynamic_memory) + sizeof shared);
  const local_table local{words, reinterpret_cast<typename local_table::cell*>(words + with.block_slots),
                          with.block_slots, &shared.filled, with.part.data};
  const bool leads = threadIdx.x == 0;

  local.clear(with.reduce);
  if (leads) {
    shared.next_tile = with.queue.claim();
    shared.granted = shared.promised = shared.used = room{0, 0};
    shared.broken_promise = 0;
  }
  __syncthreads();

  record_tile<typename Task::format> tile(shared.tile, with.part, with.format);
  reducing_emitter<Task> emit(with, local, shared);
  while (true) {
    const std::uint64_t current = shared.next_tile;
    if (current == tile_queue::none) break;
    tile.load(current);
    __syncthreads();
    // Nobody folds between this barrier and the next, so all threads see the same room.
    const room free{shared.granted.keys - shared.promised.keys,
                    shared.granted.pool_bytes - shared.promised.pool_bytes};
    if (leads) {
      shared.next_tile = with.queue.claim();  // ahead, so that its way to memory and back is not waited for
      shared.needed = room{0, 0};
    }
    tile.find();

    room needed;
    if constexpr (promises_emits<Task>) {
      needed = impl::promised_room<Task>(tile.count(), tile.bytes_at_most());
    } else {
      needed = impl::counted_room(with.task, tile, shared.needed);
    }
    if (needed.keys > free.keys || needed.pool_bytes > free.pool_bytes) {
      if (leads) shared.may_go_on = impl::get_room(with, shared, needed);
      __syncthreads();
      if (!shared.may_go_on) {
        if (leads) {
          with.queue.give_back(current);
          if (shared.next_tile != tile_queue::none) with.queue.give_back(shared.next_tile);
        }
        break;
      }
    }
    for (std::uint32_t i = threadIdx.x; i < tile.count(); i += block_threads) {
      record_bytes bytes;
      const auto record = tile.record(i, bytes);
      if constexpr (tile.defers) {
        if (bytes.bytes.size > max_word_bytes) {
          tile.defer(i);
          continue;
        }
      }
      emit.begin_record(bytes);
      with.task.map(record, emit);
    }
    if constexpr (tile.defers) {
      __syncthreads();
      for (std::uint32_t i = threadIdx.x; i < tile.deferred_count(); i += block_threads) {
        record_bytes bytes;
        const auto record = tile.deferred_record(i, bytes);
        emit.begin_record(bytes);
        with.task.map(record, emit);
      }
    }
  }

  __syncthreads();
  impl::empty_block_table(with, local, shared);
  __syncthreads();
  if (leads) {
    with.table.give_back(shared.granted.keys - shared.used.keys,
                         shared.granted.pool_bytes - shared.used.pool_bytes);
    if (shared.broken_promise != 0) with.queue.progress->broken_promise = 1;
  }
}

}  // namespace duomap::gpu
