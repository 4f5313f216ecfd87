// What map calls on a device: into the block's table, and past it when the key has no place there.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/object/block_table.cuh"
#include "gpu/object/device_table.cuh"
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

  __device__ void operator+=(const room& other) {
    keys += other.keys;
    pool_bytes += other.pool_bytes;
  }
};

/// What the warps of a block count together, in shared memory.
struct block_counts {
  room claimed;  ///< what the keys of the block's table will need of the device's
  room unused;   ///< of the warps' grants
  room added;    ///< used when the block's table was folded into the device's
  unsigned broken_promise;
};

/// Counts what records will need.
template <hashed_key Key, class V>
struct counting_emitter {
  room needed{0, 0};
  DUOMAP_HD void operator()(const Key& key, const V& /*value*/) {
    needed.keys += 1;
    needed.pool_bytes += pool_bytes_of(key_bytes(key).size);
  }
};

/// What both emitters below share, a lane's own.
template <class Task>
class emit_target {
  using key_type = typename Task::key;
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;

 public:
  __device__ emit_target(const map_arguments<Task>& with, const block_table<reduce_type>& local,
                         block_counts& counts)
    : with_(with), local_(local), counts_(counts) {}

  __device__ void begin_record(const record_bytes& bytes) {
    record_ = bytes;
    emits_ = 0;
  }

  /// Whether an emit keeps the task's promise. One that does not is dropped, since there may be no room for
  /// it; the run fails.
  [[nodiscard]] __device__ bool accepts(byte_view key) {
    if constexpr (promises_emits<Task>) {
      if (++emits_ > Task::emits_within_record || (std::same_as<key_type, byte_view> && !in_record(key))) {
        counts_.broken_promise = 1;
        return false;
      }
    }
    return true;
  }

  /// A key of up to seven bytes that is in the block's table at its home. False, and nothing done, when it is
  /// not, or when its value cannot be added there.
  [[nodiscard]] __device__ bool fold_known(byte_view key, const value_type& value) {
    const std::uint64_t word = word_of(key);
    if (!cell::holds(value)) return false;
    const unsigned slot = local_.find_at_home(word, local_hash(word));
    if (slot == local_.none) return false;
    if (local_.cells[slot].add(value, with_.reduce)) fold_short_there(word, cell::wrapped(value));
    return true;
  }

  __device__ void fold(byte_view key, const value_type& value) {
    if (key.size <= max_word_bytes) {
      fold_short(word_of(key), value);
    } else if (in_this_chunk(key.data)) {
      fold_from_chunk(key, value);
    } else {
      fold_long_there(key, hash_of_long(key, anywhere{}), value, anywhere{});
    }
  }

  /// What was used of the warp's grant since the last call: keys that are new in the device's table, or new
  /// in the block's and needed later.
  [[nodiscard]] __device__ room take_used() {
    const room all = used_;
    used_ = {0, 0};
    return all;
  }

 private:
  using cell = block_cell<reduce_type>;

  [[nodiscard]] __device__ unsigned local_hash(std::uint64_t short_word) const {
    return local_.hash_of_short(short_word) & static_cast<unsigned>(with_.table.hash_mask >> 32);
  }

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

  [[nodiscard]] __device__ std::uint64_t word_of(byte_view key) const {
    const auto size = static_cast<unsigned>(key.size);
    const bool has_head = record_.has_head && key.data == record_.bytes.data;
    return short_word(has_head ? keep_bytes(record_.head, size) : load_some(key.data, size, anywhere{}),
                      size);
  }

  __device__ void fold_short(std::uint64_t word, const value_type& value) {
    if (cell::holds(value)) {
      const auto never = [](std::uint64_t) {
        return false;
      };
      const auto place = local_.find_or_claim(word, local_hash(word), never);
      if (place.claimed) claim(0);
      if (place.slot != local_.none) {
        if (local_.cells[place.slot].add(value, with_.reduce)) fold_short_there(word, cell::wrapped(value));
        return;
      }
    }
    fold_short_there(word, value);
  }

  __device__ void fold_from_chunk(byte_view key, const value_type& value) {
    if (record_.has_next && key.data == record_.bytes.data && key.size <= compact_key::max_inline) {
      // Both words of the key are in registers: half of the loads are spared.
      const auto rest = static_cast<unsigned>(key.size - 8);
      const std::uint64_t low = record_.head;
      const std::uint64_t high = keep_bytes(record_.next, rest);
      const std::uint64_t hash = hash_block(low, high | compact_key::length_tag(key.size));
      fold_long(key, hash, value, [&](byte_view other) {
        return load_eight(other.data, in_chunk{}) == low &&
               load_some(other.data + 8, rest, in_chunk{}) == high;
      });
    } else {
      fold_long(key, hash_of_long(key, in_chunk{}), value,
                [&](byte_view other) { return same_bytes(other.data, key.data, key.size); });
    }
  }

  template <class SameBytes>
  __device__ void fold_long(byte_view key, std::uint64_t hash, const value_type& value,
                            const SameBytes& same_bytes) {
    const auto offset = static_cast<std::uint64_t>(key.data - with_.part.data);
    if (cell::holds(value) && chunk_key::can_hold(key.size, offset)) {
      const std::uint64_t masked = hash & with_.table.hash_mask;
      const std::uint64_t word = chunk_key::word(masked, key.size, offset);
      const auto place =
          local_.find_or_claim(word, static_cast<unsigned>(masked >> 32), [&](std::uint64_t other) {
            return chunk_key::may_be_same(word, other) &&
                   same_bytes(chunk_key::bytes(other, with_.part.data));
          });
      if (place.claimed) claim(pool_bytes_of(key.size));
      if (place.slot != local_.none) {
        if (local_.cells[place.slot].add(value, with_.reduce))
          fold_long_there(key, hash, cell::wrapped(value), in_chunk{});
        return;
      }
    }
    fold_long_there(key, hash, value, in_chunk{});
  }

  __device__ void claim(std::uint64_t pool_bytes) {
    used_ += {1, pool_bytes};
    atomicAdd(&counts_.claimed.keys, 1ull);
    if (pool_bytes > 0) atomicAdd(&counts_.claimed.pool_bytes, static_cast<unsigned long long>(pool_bytes));
  }

  __device__ void fold_short_there(std::uint64_t word, const value_type& value) {
    used_.keys += with_.table.fold_short(word, hash_of_short_word(word), value) ? 1 : 0;
  }

  template <class Where>
  __device__ void fold_long_there(byte_view key, std::uint64_t hash, const value_type& value, Where where) {
    const auto done = with_.table.fold_long(key, hash, value, where);
    used_ += {done.is_new ? 1ull : 0ull, done.pool_bytes};
  }

  const map_arguments<Task>& with_;
  const block_table<reduce_type>& local_;
  block_counts& counts_;
  record_bytes record_;
  room used_{0, 0};
  std::uint64_t emits_ = 0;
};

/// Does the whole work.
template <class Task>
struct folding_emitter {
  emit_target<Task>& target;

  DUOMAP_HD void operator()(const typename Task::key& key, const typename Task::reduce::value_type& value) {
#if defined(__CUDA_ARCH__)
    const byte_view bytes = key_bytes(key);
    if (target.accepts(bytes)) target.fold(bytes, value);
#endif
  }
};

/// Does only what most emits need; the record of any other is to be mapped again, by a folding_emitter. For
/// tasks that emit once a record.
template <class Task>
struct quick_emitter {
  emit_target<Task>& target;
  bool again = false;

  DUOMAP_HD void operator()(const typename Task::key& key, const typename Task::reduce::value_type& value) {
#if defined(__CUDA_ARCH__)
    const byte_view bytes = key_bytes(key);
    if (target.accepts(bytes)) again = bytes.size > max_word_bytes || !target.fold_known(bytes, value);
#endif
  }
};

}  // namespace duomap::gpu
