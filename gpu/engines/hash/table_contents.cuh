// What a device table held, in host memory, and how it becomes a partial.
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/keyed.hpp"
#include "core/worker_pool.hpp"
#include "core/zeroed_memory.hpp"
#include "gpu/engines/hash/grouped_entries.cuh"

#include <cstdint>
#include <memory>
#include <utility>

namespace duomap::gpu {

/// A key's word, as in the device's table (gpu/engines/hash/device_table.hpp), and its value.
template <class V>
struct table_entry {
  std::uint64_t word;
  V value;
};

/// Distinct keys with their values, as table_entry; the keys of more than seven bytes in a pool.
struct table_contents {
  grouped_entries entries;
  zeroed_memory pool = nullptr;
};

/// The partial that holds the same. `pool` is the CPU's workers.
template <class V>
[[nodiscard]] keyed_partial<V> make_partial(table_contents from, worker_pool& pool) {
  constexpr std::uint64_t long_flag = std::uint64_t{1} << 63;
  constexpr std::uint64_t length_tag = std::uint64_t{0xFF} << 56;
  keyed_partial<V> partial;
  const char* const long_keys = static_cast<const char*>(from.pool.get());
  pool.for_each_index(partition_count, [&](std::uint64_t partition) {
    auto& keys = partial.partitions[partition];
    keys.reserve(from.entries.size(partition));
    from.entries.for_each_in_partition<table_entry<V>>(partition, [&](const table_entry<V>& entry) {
      if ((entry.word & long_flag) == 0) {
        keys.push_back({compact_key(entry.word & ~length_tag, entry.word & length_tag), entry.value});
        return;
      }
      // In the pool: hash, length, bytes.
      const char* stored = long_keys + 8 * (entry.word & ((std::uint64_t{1} << 40) - 1));
      const byte_view key(stored + 16, duomap::detail::load_word(stored + 8));
      keys.push_back({key.size <= compact_key::max_inline
                          ? compact_key::of_short(key)
                          : compact_key::of_stored(duomap::detail::load_word(stored), key.data),
                      entry.value});
    });
  });
  if (from.pool) {
    auto arena = std::make_shared<key_arena>();
    arena->adopt(std::move(from.pool));
    partial.arenas.push_back(std::move(arena));
  }
  return partial;
}

}  // namespace duomap::gpu
