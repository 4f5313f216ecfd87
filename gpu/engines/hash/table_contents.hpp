// What a device table held, in host memory, and how it becomes a partial.
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/partial/keyed.hpp"
#include "core/worker_pool.hpp"
#include "core/zeroed_memory.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace duomap::gpu {

/// A key's word, as in the device's table (gpu/engines/hash/device_table.hpp), and its value.
template <class V>
struct table_entry {
  std::uint64_t word;
  V value;
};

/// Distinct keys with their values, grouped by partition; the keys of more than seven bytes in a pool.
template <class V>
struct table_contents {
  std::array<std::uint64_t, partition_count + 1>
      begins{};  ///< of the partitions among the entries; the last is their number
  std::unique_ptr<table_entry<V>[]> entries;
  zeroed_memory pool;
};

/// The partial that holds the same, long keys where they are. `pool` is the CPU's workers.
template <class V>
[[nodiscard]] keyed_partial<V> make_partial(table_contents<V> from, worker_pool& pool) {
  constexpr std::uint64_t long_flag = std::uint64_t{1} << 63;
  constexpr std::uint64_t length_tag = std::uint64_t{0xFF} << 56;
  keyed_partial<V> partial;
  const char* const stored_keys = static_cast<const char*>(from.pool.get());
  // A group of partitions per index: an index should stand for microseconds of work.
  constexpr unsigned group = 16;
  pool.for_each_index(partition_count / group, [&](std::uint64_t index) {
    for (unsigned p = static_cast<unsigned>(index) * group; p < (index + 1) * group; ++p) {
      auto& keys = partial.partitions[p];
      keys.reserve(from.begins[p + 1] - from.begins[p]);
      for (std::uint64_t i = from.begins[p]; i < from.begins[p + 1]; ++i) {
        const table_entry<V>& entry = from.entries[i];
        if ((entry.word & long_flag) == 0) {
          keys.push_back({compact_key(entry.word & ~length_tag, entry.word & length_tag), entry.value});
          continue;
        }
        // In the pool: hash, length, bytes.
        const char* stored = stored_keys + 8 * (entry.word & ((std::uint64_t{1} << 40) - 1));
        const byte_view key(stored + 16, duomap::detail::load_word(stored + 8));
        if (key.size <= compact_key::max_inline) {
          keys.push_back({compact_key::of_short(key), entry.value});
        } else {
          keys.push_back({compact_key::of_stored(duomap::detail::load_word(stored), key.data), entry.value});
        }
      }
    }
  });
  if (from.pool) {
    auto arena = std::make_shared<key_arena>();
    arena->adopt(std::move(from.pool));
    partial.arenas.push_back(std::move(arena));
  }
  return partial;
}

}  // namespace duomap::gpu
