// Keeps the contents of a device table in host memory, and makes a partial of them.
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/keyed.hpp"
#include "core/zeroed_memory.hpp"
#include "gpu/engines/hash/grouped_entries.cuh"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// A key's word, as in the device's table (gpu/engines/hash/device_table.hpp), and its value.
template <class V>
struct table_entry {
  std::uint64_t word;
  V value;
};

/// Distinct keys with their values, as table_entry. The pool has the keys of more than seven bytes.
struct table_contents {
  grouped_entries entries;
  zeroed_memory pool = nullptr;
};

/// Lets the merge read the entries of a table.
template <class V>
class table_partial final : public unread_entries<V> {
 public:
  /// `pool` points to the long keys.
  table_partial(grouped_entries entries, const char* pool) : entries_(std::move(entries)), pool_(pool) {}

  void read(unsigned partition, std::vector<keyed_entry<V>>& to) const override {
    to.reserve(to.size() + entries_.size(partition));
    entries_.for_each_in_partition<table_entry<V>>(partition, [&](const table_entry<V>& entry) {
      to.push_back({key_of(entry.word), entry.value});
    });
  }

 private:
  [[nodiscard]] compact_key key_of(std::uint64_t word) const {
    constexpr std::uint64_t long_flag = std::uint64_t{1} << 63;
    constexpr std::uint64_t length_tag = std::uint64_t{0xFF} << 56;
    if ((word & long_flag) == 0) return {word & ~length_tag, word & length_tag};
    // An entry of the pool is the hash, the length, and the bytes.
    const char* stored = pool_ + 8 * (word & ((std::uint64_t{1} << 40) - 1));
    const byte_view key(stored + 16, duomap::detail::load_word(stored + 8));
    return key.size <= compact_key::max_inline
               ? compact_key::of_short(key)
               : compact_key::of_stored(duomap::detail::load_word(stored), key.data);
  }

  grouped_entries entries_;
  const char* pool_;
};

template <class V>
[[nodiscard]] keyed_partial<V> make_partial(table_contents from) {
  keyed_partial<V> partial;
  partial.unread.push_back(
      std::make_shared<table_partial<V>>(std::move(from.entries), static_cast<const char*>(from.pool.get())));
  if (from.pool) {
    auto arena = std::make_shared<key_arena>();
    arena->adopt(std::move(from.pool));
    partial.arenas.push_back(std::move(arena));
  }
  return partial;
}

}  // namespace duomap::gpu
