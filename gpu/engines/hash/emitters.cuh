// Defines the emitters that a device passes to map. Emitters fold emits into the block's table, or into the
// device's table.
#pragma once

#include "core/chunk.hpp"
#include "core/compact_key.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/engines/hash/block_table.cuh"
#include "gpu/engines/hash/device_table.hpp"
#include "gpu/engines/hash/tile_queue.cuh"
#include "gpu/engines/hash/tuning.hpp"
#include "gpu/record/by_warp.cuh"
#include "gpu/record/warp_tile.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Whether a task promises the room of its emits: the most emits of a record, and that each key is bytes of
/// the record or of fixed size:
///   static constexpr std::uint64_t max_emits_per_record = 1;
///   static constexpr bool keys_within_record = true;
/// Instead of the second, max_extra_key_bytes promises the size of keys that map makes.
/// Without the promise the engine maps every record twice: first to count the room, then to fold the emits.
template <class Task>
concept promises_emits = (max_emits_of<Task> >= 1) &&
                         (!std::same_as<typename Task::key, byte_view> || key_bytes_are_bounded<Task>);

/// Whether a task may emit bytes of the chunk as keys. If so, all lanes fold a long key together.
template <class Task>
inline constexpr bool can_defer_keys =
    std::same_as<typename Task::key, byte_view> && !std::same_as<typename Task::format, index_range>;

template <class Task>
struct map_arguments {
  Task task;
  typename Task::format format;
  typename Task::reduce reduce;
  chunk part;
  device_table<typename Task::reduce> table;
  tile_queue queue;
  unsigned block_tables;  ///< tables of each block
  unsigned block_slots;   ///< slots of each block table
};

/// Room in the device's table, for keys and for their bytes.
struct room {
  unsigned long long keys;
  unsigned long long pool_bytes;

  __device__ void operator+=(const room& other) {
    keys += other.keys;
    pool_bytes += other.pool_bytes;
  }
};

/// Adds room to a sum that many threads share.
__device__ inline void add_to(room& shared, const room& more) {
  if (more.keys > 0) atomicAdd(&shared.keys, more.keys);
  if (more.pool_bytes > 0) atomicAdd(&shared.pool_bytes, more.pool_bytes);
}

/// A warp's list of tiles with long keys, the last tile first. Its lanes fold these keys after all others.
struct deferred_tiles {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t last;
  bool has_deferred_key;  ///< the tile being mapped has a long key that is left for later
};

/// Counters that the warps of a block share, in shared memory.
struct block_counts {
  room claimed;  ///< room that the keys of the block's tables need in the device's table
  room added;    ///< room in the device's table that the keys of the block's tables have used
  room unused;   ///< the unused rest of the warps' grants
  unsigned broken_promise;
  unsigned past_tables;  ///< emits that found no slot in the block's tables
  deferred_tiles of_warps[most_block_threads / 32];
};

/// Counts the room that a record's emits need.
template <hashed_key Key, class V>
struct counting_emitter {
  room needed{0, 0};
  DUOMAP_HD void operator()(const Key& key, const V& /*emitted*/) {
    needed.keys += 1;
    needed.pool_bytes += pool_bytes_of_key(key_bytes(key).size);
  }
};

/// Folds a lane's emits: into the block's table, or into the device's table if the block's has no slot.
template <class Task>
class emit_target {
  using key_type = typename Task::key;
  using reduce_type = typename Task::reduce;
  using emitted_type = emit_type<reduce_type>;

 public:
  __device__ emit_target(const map_arguments<Task>& with, const block_table<reduce_type>& local,
                         block_counts& counts)
    : with_(with), local_(local), counts_(counts) {}

  /// Whether an emit keeps the task's promise, when the record has emitted `before` times. The caller drops
  /// an emit that breaks the promise, because there may be no room for the emit; the run then fails.
  [[nodiscard]] __device__ bool accepts(byte_view key, const record_bytes& record, std::uint64_t before) {
    if constexpr (promises_emits<Task>) {
      if (before >= max_emits_of<Task> || !keeps_bound(key, record.bytes)) {
        counts_.broken_promise = 1;
        return false;
      }
    }
    return true;
  }

  /// Folds an emit into a key of up to seven bytes that stands in its home pair of the block's table. Returns
  /// false, and does nothing, if the key stands elsewhere or the cell cannot hold the emitted value.
  [[nodiscard]] __device__ bool fold_at_home(byte_view key, const emitted_type& emitted,
                                             const record_bytes& record) {
    if (local_.slots == 0 || !cell::holds(emitted)) return false;
    const std::uint64_t word = word_of(key, record);
    const unsigned slot = local_.find_at_home(word, local_hash(word));
    if (slot == local_.none) return false;
    if (local_.cells[slot].add(emitted, with_.reduce)) fold_short_there(word, cell::wrapped(emitted), false);
    return true;
  }

  /// Folds an emit into any key, or does nothing if it is not `wanted`. A key for which is_for_all() is true
  /// is left for later, and its room stays reserved. Calls meet() between the steps, where lanes that fold
  /// together wait for each other. Without meet(), the warp would wait for device memory once for each lane.
  template <class Meet>
  __device__ void fold(bool wanted, byte_view key, emitted_type emitted, const record_bytes& record,
                       const Meet& meet) {
    const bool is_short = key.size <= max_word_bytes;
    const bool in_chunk = in_this_chunk(key);
    long_key more{};
    std::uint64_t word = 0;
    unsigned home = 0;
    bool here = wanted && local_.slots > 0 && cell::holds(emitted);
    if (wanted && is_short) {
      word = word_of(key, record);
      home = local_hash(word);
    } else if (wanted && is_for_all(key)) {
      counts_.of_warps[threadIdx.x / 32].has_deferred_key = true;
      used_ += {1, pool_bytes_of_key(key.size)};
      wanted = here = false;
    } else if (wanted) {
      more = make_long(key, record, in_chunk);
      const std::uint64_t masked = more.hash & with_.table.hash_mask;
      const auto offset = static_cast<std::uint64_t>(key.data - with_.part.data);
      here = here && in_chunk && chunk_key::can_hold(key.size, offset);
      word = chunk_key::word(masked, key.size, offset);
      home = static_cast<unsigned>(masked >> 32);
    }
    meet();
    typename block_table<reduce_type>::place place{local_.none, false};
    if (here) {
      place = local_.find_or_claim(word, home, [&](std::uint64_t other) {
        return !is_short && chunk_key::may_be_same(word, other) &&
               is_same(chunk_key::bytes(other, with_.part.data), key, more);
      });
    }
    meet();
    if (place.claimed) claim(pool_bytes_of_key(key.size));
    if (place.slot != local_.none) {
      wanted = local_.cells[place.slot].add(emitted, with_.reduce);
      emitted = cell::wrapped(emitted);
    } else if (wanted) {
      atomicAdd(&counts_.past_tables, 1u);
    }
    meet();
    if (wanted && is_short) fold_short_there(word, emitted, place.claimed);
    meet();
    if (wanted && !is_short) fold_long_there(key, more.hash, emitted, in_chunk, place.claimed);
    meet();
  }

  /// Whether a key is long enough for all lanes of the warp to fold it together, with fold_together().
  [[nodiscard]] __device__ bool is_for_all(byte_view key) const {
    return key.size >= striped_bytes && in_this_chunk(key);
  }

  /// Folds a key, the same in all lanes, by all lanes. Uses the room that fold() has kept reserved for it.
  __device__ void fold_together(byte_view key, const emitted_type& emitted) {
    const auto done = with_.table.fold_long(key, hash_by_warp(key), by_warp{}, folding(emitted));
    if (lane_index() != 0) return;
    atomicAdd(&counts_.past_tables, 1u);
    add_to(counts_.unused, {done.is_new ? 0ull : 1ull, pool_bytes_of_key(key.size) - done.pool_bytes});
  }

  /// Returns the room of the warp's grant that was used since the last call. It counts keys that are new in
  /// the device's table, and keys that are new in the block's table, which go to the device's table later.
  [[nodiscard]] __device__ room take_used() {
    const room all = used_;
    used_ = {0, 0};
    return all;
  }

 private:
  using cell = block_cell<reduce_type>;

  /// A key of more than seven bytes: its hash and, if it has at most 15 bytes and they are in registers, its
  /// bytes as two words, so that comparisons need not load them.
  struct long_key {
    std::uint64_t hash;
    std::uint64_t low;
    std::uint64_t high;
    bool has_words;
  };

  /// A function that folds an emit into a cell of the device's table.
  [[nodiscard]] __device__ auto folding(const emitted_type& emitted) const {
    return [this, &emitted](auto& into) {
      fold_into(into, emitted, with_.reduce);
    };
  }

  [[nodiscard]] __device__ unsigned local_hash(std::uint64_t short_word) const {
    return local_.hash_of_short(short_word) & static_cast<unsigned>(with_.table.hash_mask >> 32);
  }

  [[nodiscard]] __device__ static bool keeps_bound(byte_view key, byte_view record) {
    if constexpr (!std::same_as<key_type, byte_view>) {
      return true;
    } else if constexpr (keys_are_within_record<Task>) {
      return is_inside(key, record);
    } else {
      return key.size <= record.size + extra_key_bytes_of<Task>;
    }
  }

  [[nodiscard]] __device__ static bool is_inside(byte_view key, byte_view bytes) {
    if (key.data == bytes.data) return key.size <= bytes.size;
    const auto offset =
        reinterpret_cast<std::uintptr_t>(key.data) - reinterpret_cast<std::uintptr_t>(bytes.data);
    return offset <= bytes.size && key.size <= bytes.size - offset;
  }

  [[nodiscard]] __device__ bool in_this_chunk(byte_view key) const {
    if constexpr (!can_defer_keys<Task>) {
      return false;
    } else if constexpr (promises_emits<Task> && keys_are_within_record<Task>) {
      return true;
    } else {
      return key.size > 0 && is_inside(key, with_.part.bytes());
    }
  }

  [[nodiscard]] __device__ std::uint64_t word_of(byte_view key, const record_bytes& record) const {
    const auto size = static_cast<unsigned>(key.size);
    const bool has_head = record.has_head && key.data == record.bytes.data;
    return short_word(has_head ? keep_bytes(record.head, size) : load_some(key.data, size, anywhere{}), size);
  }

  [[nodiscard]] __device__ long_key make_long(byte_view key, const record_bytes& record,
                                              bool in_chunk) const {
    if (record.has_next && key.data == record.bytes.data && key.size <= compact_key::max_inline) {
      const std::uint64_t high = keep_bytes(record.next, static_cast<unsigned>(key.size - 8));
      return {hash_block(record.head, high | compact_key::length_tag(key.size)), record.head, high, true};
    }
    return {in_chunk ? hash_of_long(key, gpu::in_chunk{}) : hash_of_long(key, anywhere{}), 0, 0, false};
  }

  [[nodiscard]] __device__ bool is_same(byte_view other, byte_view key, const long_key& more) const {
    if (!more.has_words) return same_bytes(other.data, key.data, key.size);
    return load_eight(other.data, gpu::in_chunk{}) == more.low &&
           load_some(other.data + 8, static_cast<unsigned>(key.size - 8), gpu::in_chunk{}) == more.high;
  }

  __device__ void claim(std::uint64_t pool_bytes) {
    const room needed{1, pool_bytes};
    used_ += needed;
    add_to(counts_.claimed, needed);
  }

  // Folds into the device's table, where each emit has reserved the room of one key. If the emit has
  // `claimed` a slot of the block's table, the room belongs to that slot, and this fold uses it.
  __device__ void fold_short_there(std::uint64_t word, const emitted_type& emitted, bool claimed) {
    if (with_.table.fold_short(word, hash_of_short_word(word), folding(emitted))) use({1, 0}, claimed);
  }

  __device__ void fold_long_there(byte_view key, std::uint64_t hash, const emitted_type& emitted,
                                  bool in_chunk, bool claimed) {
    const auto done = in_chunk ? with_.table.fold_long(key, hash, gpu::in_chunk{}, folding(emitted))
                               : with_.table.fold_long(key, hash, anywhere{}, folding(emitted));
    use({done.is_new ? 1ull : 0ull, done.pool_bytes}, claimed);
  }

  __device__ void use(const room& more, bool claimed) {
    if (claimed) {
      add_to(counts_.added, more);
    } else {
      used_ += more;
    }
  }

  const map_arguments<Task>& with_;
  const block_table<reduce_type>& local_;
  block_counts& counts_;
  room used_{0, 0};
};

/// Folds each emit of a record at once. For tasks with any number of emits.
template <class Task>
struct folding_emitter {
  emit_target<Task>& target;
  const record_bytes& record;
  std::uint64_t emits = 0;

  DUOMAP_HD void operator()(const typename Task::key& key, const emit_type<typename Task::reduce>& emitted) {
#if defined(__CUDA_ARCH__)
    const byte_view bytes = key_bytes(key);
    target.fold(target.accepts(bytes, record, emits++), bytes, emitted, record, [] {});
#endif
  }
};

/// Folds the long keys that the other emitters have left. All lanes map the same record.
template <class Task>
struct together_emitter {
  emit_target<Task>& target;
  const record_bytes& record;
  std::uint64_t emits = 0;

  DUOMAP_HD void operator()(const typename Task::key& key, const emit_type<typename Task::reduce>& emitted) {
#if defined(__CUDA_ARCH__)
    const byte_view bytes = key_bytes(key);
    if (target.accepts(bytes, record, emits++) && target.is_for_all(bytes))
      target.fold_together(bytes, emitted);
#endif
  }
};

/// Keeps the one emit of a record, so that all lanes fold their emits together. Only for tasks that promise
/// one emit: the bytes of its key stay valid, because they belong to the record or are stored in the key.
template <class Task>
struct keeping_emitter {
  emit_target<Task>& target;
  const record_bytes& record;
  bool has_emitted = false;
  typename Task::key key{};
  emit_type<typename Task::reduce> emitted{};

  DUOMAP_HD void operator()(const typename Task::key& k, const emit_type<typename Task::reduce>& one) {
#if defined(__CUDA_ARCH__)
    if (!target.accepts(key_bytes(k), record, has_emitted ? 1 : 0)) return;
    has_emitted = true;
    key = k;
    emitted = one;
#endif
  }
};

}  // namespace duomap::gpu
