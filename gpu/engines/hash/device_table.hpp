// Keeps all keys of a device in a table in its memory. The table uses open addressing, compares keys by their
// bytes, and loses no key and no emit. host safe
#pragma once

#include "core/byte_view.hpp"
#include "core/hash.hpp"
#include "core/text/keyed_hash.hpp"
#include "gpu/engines/hash/field_cell.hpp"
#include "gpu/engines/probe_path.hpp"
#include "gpu/record/key_bytes.hpp"

#include <atomic>
#include <cstdint>

namespace duomap::gpu {

/// Counters of a table, which all blocks of all kernels share. The counters have 64 bits, because a table may
/// have more than 2^32 slots.
struct table_counters {
  unsigned long long reserved_keys = 0;        ///< keys in the table, and room that blocks have reserved
  unsigned long long reserved_pool_bytes = 0;  ///< bytes of the pool that are used or reserved
  unsigned long long pool_bytes = 0;           ///< bytes of the pool that keys occupy
};

/// The bytes that a key takes in the pool. A key of more than seven bytes takes its hash, its length and its
/// bytes; a shorter key takes none.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t pool_bytes_of_key(std::uint64_t key_size) {
  return key_size <= max_word_bytes ? 0 : 16 + (key_size + 7) / 8 * 8;
}

/// A table as kernels see it; table_memory owns it. A slot is a 64-bit word and a value cell. The word of a
/// key of up to seven bytes is the key. The word of a longer key is a flag, 23 bits of its hash, and its
/// index in the pool. One compare-and-swap of one word publishes a slot, so no thread sees half a key and no
/// thread waits. The top bits of the hash index the slots; gpu/engines/probe_path.hpp finds other slots for
/// keys that collide.
///
/// A block reserves room before it folds, so that every probe finds an empty slot and the pool has room for
/// every key.
///
/// Only one memory order matters: a thread writes a key's bytes to the pool before it publishes the word that
/// points to them (release), and a thread reads the word before those bytes (acquire). Counters, short words
/// and cells point to no other data (relaxed). Clearing and reading out are kernels of their own.
template <reduction R, thread_scope Scope = thread_scope::device>
struct device_table {
  using value_type = typename R::value_type;
  using cell = field_cell<R, Scope>;
  using shared_word = atomic_ref<unsigned long long, Scope>;

  unsigned long long* words = nullptr;
  cell* cells = nullptr;
  unsigned long long* pool = nullptr;  // in units of eight bytes
  table_counters* counters = nullptr;
  std::uint64_t slot_mask = 0;
  unsigned index_shift = 0;
  std::uint64_t most_keys = 0;
  std::uint64_t most_pool_bytes = 0;
  std::uint64_t hash_mask = ~std::uint64_t{0};
  hash_secret secret{};
  R reduce{};

  /// Reserves room for keys and pool bytes. Returns false, and reserves nothing, if either lacks room.
  [[nodiscard]] DUOMAP_HD bool reserve(std::uint64_t keys, std::uint64_t pool_bytes) const {
    if (!take(counters->reserved_keys, keys, most_keys)) return false;
    if (take(counters->reserved_pool_bytes, pool_bytes, most_pool_bytes)) return true;
    give_back(keys, 0);
    return false;
  }

  /// Returns reserved room that was not used.
  DUOMAP_HD void give_back(std::uint64_t keys, std::uint64_t pool_bytes) const {
    shared_word(counters->reserved_keys).fetch_add(~keys + 1);
    shared_word(counters->reserved_pool_bytes).fetch_add(~pool_bytes + 1);
  }

  /// Calls fold(cell) for the cell of a key of up to seven bytes, which is `word` itself. Returns whether the
  /// key is new, and so uses the room of one key.
  template <class Fold>
  DUOMAP_HD bool fold_short(std::uint64_t word, std::uint64_t hash, const Fold& fold) const {
    unsigned long long found = 0;
    // The loop only finds the slot. Lanes find their slots at different times, and should fold together.
    const std::uint64_t slot = find_slot(
        home_of(hash), slot_mask, index_shift, [&](std::uint64_t at) { return takes_short(at, word, found); },
        [&] { return far_hash_of_short(word); });
    fold(cells[slot]);
    return found == 0;
  }

  struct long_outcome {
    bool is_new;  ///< the fold has used the room of one key
    std::uint64_t
        pool_bytes;  ///< reserved bytes that are used, even if another thread was faster to add the key
  };

  /// Calls fold(cell) for the cell of a key of more than seven bytes; `hash` is the key's hash, not masked.
  /// If several threads fold one key together, all of them call this, and only the first thread calls fold().
  template <class Where, class Fold>
  DUOMAP_HD long_outcome fold_long(byte_view key, std::uint64_t hash, Where where, const Fold& fold) const {
    long_search search{0, false};
    const std::uint64_t slot = find_slot(
        home_of(hash), slot_mask, index_shift,
        [&](std::uint64_t at) { return takes_long(at, key, hash, where, search); },
        [&] {
          return far_hash_of_long(
              key.size, [&](std::uint64_t i) { return load_eight(key.data + i, where); },
              [&](std::uint64_t i, unsigned rest) { return load_some(key.data + i, rest, where); });
        });
    if (where.worker() == 0) fold(cells[slot]);
    return {search.is_new, search.word == 0 ? 0 : pool_bytes_of_key(key.size)};
  }

  /// Takes an entry of another table that has the same pool. This table must not have the key yet, and no
  /// thread may fold into either table.
  DUOMAP_HD void take_over(std::uint64_t word, const cell& content) const {
    const auto takes = [&](std::uint64_t slot) {
      unsigned long long found = 0;
      return shared_word(words[slot]).compare_exchange(found, word, std::memory_order_relaxed);
    };
    const std::uint64_t slot =
        find_slot(home_of(hash_of(word)), slot_mask, index_shift, takes, [&] { return far_hash_of(word); });
    cells[slot] = content;
  }

  /// The hash of the key in an occupied slot, not masked by hash_mask.
  [[nodiscard]] DUOMAP_HD std::uint64_t hash_of(std::uint64_t word) const {
    return (word & long_flag) == 0 ? hash_of_short_word(word) : pool[pool_index(word)];
  }

  /// The hash by which find_slot() finds further slots when the near slots are taken.
  [[nodiscard]] DUOMAP_HD std::uint64_t far_hash_of(std::uint64_t word) const {
    if ((word & long_flag) == 0) return far_hash_of_short(word);
    const unsigned long long* const entry = pool + pool_index(word);
    const auto load = [&](std::uint64_t i) {
      return entry[2 + i / 8];
    };
    return far_hash_of_long(entry[1], load, [&](std::uint64_t i, unsigned) { return load(i); });
  }

  [[nodiscard]] DUOMAP_HD static constexpr std::uint64_t pool_index(std::uint64_t word) {
    return word & ((std::uint64_t{1} << pool_index_bits) - 1);
  }

  [[nodiscard]] DUOMAP_HD std::uint64_t home_of(std::uint64_t hash) const {
    return (hash & hash_mask) >> index_shift;
  }

 private:
  static constexpr unsigned pool_index_bits = 40;

  /// The state of the search for the slot of a key of more than seven bytes.
  struct long_search {
    std::uint64_t word;  ///< the word of the key once it stands in the pool, else 0
    bool is_new;
  };

  [[nodiscard]] DUOMAP_HD bool takes_short(std::uint64_t slot, std::uint64_t word,
                                           unsigned long long& found) const {
    const shared_word mine(words[slot]);
    found = mine.load(std::memory_order_relaxed);
    return (found == 0 && mine.compare_exchange(found, word, std::memory_order_relaxed)) || found == word;
  }

  template <class Where>
  [[nodiscard]] DUOMAP_HD bool takes_long(std::uint64_t slot, byte_view key, std::uint64_t hash, Where where,
                                          long_search& search) const {
    // The tag is bits 17 to 39 of the hash. The index of a slot comes from the bits above 39, so in tables of
    // up to 2^24 slots it shares no bit with the tag.
    const std::uint64_t tag = long_flag | ((hash & hash_mask) >> 17 & ((std::uint64_t{1} << 23) - 1))
                                              << pool_index_bits;
    const shared_word mine(words[slot]);
    unsigned long long found = where.lead([&] { return mine.load(std::memory_order_relaxed); });
    if (found == 0) {
      if (search.word == 0) search.word = tag | store(key, hash, where);
      found = where.lead([&] {
        unsigned long long there = 0;
        mine.compare_exchange(there, search.word, std::memory_order_release);
        return there;
      });
      search.is_new = found == 0;
      if (search.is_new) return true;
    }
    if (found >> pool_index_bits != tag >> pool_index_bits) return false;
    // The word is loaded with acquire only for a key that may be the same, because an acquire on a device
    // empties the multiprocessor's cache.
    found = where.lead([&] { return mine.load(std::memory_order_acquire); });
    return is_stored(found, key, hash, where);
  }

  [[nodiscard]] DUOMAP_HD std::uint64_t far_hash_of_short(std::uint64_t word) const {
    return secret_product(word ^ secret.first, secret.second);
  }

  /// The far hash of a key of more than seven bytes. eight(i) loads eight bytes from place i on. some(i, n)
  /// loads the last n bytes, fewer than eight.
  template <class Eight, class Some>
  [[nodiscard]] DUOMAP_HD std::uint64_t far_hash_of_long(std::uint64_t size, const Eight& eight,
                                                         const Some& some) const {
    std::uint64_t hash = secret.first ^ size;
    std::uint64_t i = 0;
    for (; i + 8 <= size; i += 8) hash = secret_product(hash ^ eight(i), secret.second);
    const auto rest = static_cast<unsigned>(size - i);
    return rest == 0 ? hash : secret_product(hash ^ some(i, rest), secret.second);
  }

  [[nodiscard]] DUOMAP_HD static bool take(unsigned long long& counter, std::uint64_t amount,
                                           std::uint64_t most) {
    const shared_word mine(counter);
    if (amount > most || mine.load(std::memory_order_relaxed) > most - amount) return false;
    // Reserves by addition, because a compare-and-swap succeeds for only one of thousands of warps at a time:
    // 4 ms for 4224 warps of an H200. An addition that fails is undone. Until then, other reservations may
    // fail although there is room; their warps ask again in the next launch.
    if (mine.fetch_add(amount) <= most - amount) return true;
    mine.fetch_add(~amount + 1);
    return false;
  }

  template <class Where>
  [[nodiscard]] DUOMAP_HD std::uint64_t store(byte_view key, std::uint64_t hash, Where where) const {
    const std::uint64_t index = where.lead([&] {
      return shared_word(counters->pool_bytes).fetch_add(pool_bytes_of_key(key.size));
    }) / 8;
    unsigned long long* const entry = pool + index;
    entry[0] = hash;
    entry[1] = key.size;
    for_each_word(key, where, [&](std::uint64_t i, std::uint64_t word) { entry[2 + i] = word; });
    return index;
  }

  template <class Where>
  [[nodiscard]] DUOMAP_HD bool is_stored(std::uint64_t word, byte_view key, std::uint64_t hash,
                                         Where where) const {
    const unsigned long long* const entry = pool + pool_index(word);
    if (entry[0] != hash || entry[1] != key.size) return false;
    // No early exit, because keys with the same hash and length are almost always equal.
    std::uint64_t difference = 0;
    for_each_word(key, where,
                  [&](std::uint64_t i, std::uint64_t mine) { difference |= entry[2 + i] ^ mine; });
    return where.all(difference == 0);
  }
};

}  // namespace duomap::gpu
