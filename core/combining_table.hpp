// A hash table that reduces the values of equal keys as they arrive.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/zeroed_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace duomap {

/// One key and its reduced value.
template <class V>
struct keyed_entry {
  compact_key key;
  V value;
};

/// Open addressing with linear probing, at most half full. A slot is indexed by the *top* bits of the hash,
/// so that the table is at any time ordered by partition (but for entries that probing pushed past a
/// boundary): taking out one partition is one sequential pass, and doubling moves entries in address order.
/// `SkipBits` leading bits are left out: bits that the hashes of all its keys share (partition_bits for a
/// table of one partition). Used by one thread at a time; for_each_in_partition() by any number of threads
/// while nobody writes.
template <class V, unsigned SkipBits = 0>
class combining_table {
  static_assert(std::is_trivially_copyable_v<V>, "a reduced value is copied as bytes between devices");

 public:
  using entry = keyed_entry<V>;

  explicit combining_table(std::uint64_t expected_keys = 0) {
    constexpr std::uint64_t smallest = torture ? 4 : 1024;
    const std::uint64_t slots = std::bit_ceil(std::max(smallest, expected_keys * 2));
    use(zeroed_slots(slots), slots);
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t capacity_bytes() const noexcept { return capacity() * sizeof(entry); }

  /// Where probing for a hash starts. Valid until the next insertion.
  [[nodiscard]] entry* home(std::uint64_t hash) const noexcept { return &slots_[index(hash)]; }

  /// Folds `value` into the short key made of the words (lo, hi), whose hash is `hash`.
  template <class Reduce>
  void reduce_short(std::uint64_t lo, std::uint64_t hi, std::uint64_t hash, const V& value,
                    const Reduce& reduce) {
    entry* slot = home(hash);
    if (slot->key.same_words(lo, hi)) [[likely]] {
      slot->value = reduce(slot->value, value);
      return;
    }
    reduce_displaced(lo, hi, hash, value, reduce);
  }

  /// Folds `value` into the long key `key` (more than compact_key::max_inline bytes); a new key is copied to
  /// `arena`.
  template <class Reduce>
  [[gnu::noinline]] void reduce_long(byte_view key, std::uint64_t hash, const V& value, const Reduce& reduce,
                                     key_arena& arena) {
    entry* slot = home(hash);
    while (slot->key.occupied()) {
      if (slot->key.is_long_key(hash, key)) {
        slot->value = reduce(slot->value, value);
        return;
      }
      slot = next(slot);
    }
    insert(slot, {compact_key::of_stored(hash, arena.store(key)), value}, hash);
  }

  /// Folds in a key whose long bytes, if any, already stand in an arena that outlives this table.
  template <class Reduce>
  void reduce_stored(const compact_key& key, const V& value, const Reduce& reduce) {
    const std::uint64_t hash = key.hash();
    fold(key, hash, value, reduce, [&](const compact_key& other) { return other == key; });
  }

  /// Removes all entries and keeps the memory.
  void clear() noexcept {
    std::memset(memory_.get(), 0, capacity_bytes());
    size_ = 0;
  }

  /// Calls use(entry&) for every entry of one partition. Entries of a partition start at its first home slot;
  /// those that probing pushed further stand in the unbroken run of occupied slots behind its last one.
  template <class Use>
  void for_each_in_partition(unsigned partition, Use&& use) const {
    const bool spread = SkipBits == 0 && capacity() >= partition_count;
    const std::uint64_t homes = spread ? capacity() >> partition_bits : capacity();
    const std::uint64_t first = spread ? partition * homes : 0;
    for (std::uint64_t step = 0; step < capacity(); ++step) {
      entry& slot = slots_[(first + step) & mask_];
      if (!slot.key.occupied()) {
        if (step >= homes) return;
        continue;
      }
      if (partition_of(slot.key.hash()) == partition) use(slot);
    }
  }

  /// Calls use(entry&) for every entry, in slot order.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t i = 0; i < capacity(); ++i) {
      if (slots_[i].key.occupied()) use(slots_[i]);
    }
  }

 private:
  [[nodiscard]] std::uint64_t capacity() const noexcept { return mask_ + 1; }
  [[nodiscard]] std::uint64_t index(std::uint64_t hash) const noexcept {
    return (hash << SkipBits) >> shift_;
  }
  [[nodiscard]] entry* next(entry* slot) const noexcept {
    return ++slot == slots_ + capacity() ? slots_ : slot;
  }

  /// reduce_short() for the few keys that are new or not in their home slot. Out of line, and given its words
  /// one by one: were the key passed as 16 bytes, the caller would read them back before the two stores that
  /// wrote them have left the store buffer.
  template <class Reduce>
  [[gnu::noinline]] void reduce_displaced(std::uint64_t lo, std::uint64_t hi, std::uint64_t hash,
                                          const V& value, const Reduce& reduce) {
    fold(compact_key{lo, hi}, hash, value, reduce,
         [=](const compact_key& other) { return other.same_words(lo, hi); });
  }

  template <class Reduce, class Same>
  void fold(const compact_key& key, std::uint64_t hash, const V& value, const Reduce& reduce,
            const Same& same) {
    entry* slot = home(hash);
    while (slot->key.occupied()) {
      if (same(slot->key)) {
        slot->value = reduce(slot->value, value);
        return;
      }
      slot = next(slot);
    }
    insert(slot, {key, value}, hash);
  }

  // How far from home a new key may end up before the table grows, although it is not half full, and how
  // sparse it may become. Keys that come in the order of their hashes, as those of an earlier result do
  // (core/record/entries.hpp), fill one end of a table that grows by their number alone: 110,000 of them took
  // 630 ms, and take 4. Random ones do not get that far.
  static constexpr std::uint64_t longest_way = 128;
  static constexpr std::uint64_t most_slots_per_key = torture_hash ? 2 : 1024;

  void insert(entry* slot, const entry& item, std::uint64_t hash) {
    const auto way = static_cast<std::uint64_t>(slot - home(hash)) & mask_;
    if ((size_ + 1) * 2 > capacity() || (way > longest_way && capacity() < size_ * most_slots_per_key)) {
      grow();
      slot = home(hash);
      while (slot->key.occupied()) slot = next(slot);
    }
    *slot = item;
    ++size_;
  }

  void grow() {
    const std::uint64_t old_capacity = capacity();
    zeroed_memory larger = zeroed_slots(old_capacity * 2);  // if this throws, the table stays as it is
    const entry* old = slots_;
    const zeroed_memory old_memory = use(std::move(larger), old_capacity * 2);
    for (std::uint64_t i = 0; i < old_capacity; ++i) {
      if (!old[i].key.occupied()) continue;
      entry* slot = home(old[i].key.hash());
      while (slot->key.occupied()) slot = next(slot);
      *slot = old[i];
    }
  }

  [[nodiscard]] static zeroed_memory zeroed_slots(std::uint64_t slots) {
    return allocate_zeroed(slots * sizeof(entry),
                           "a table for " + std::to_string(slots / 2) + " distinct keys");
  }

  /// Makes `memory`, all zeros and hence all empty slots, the table's; returns what was before.
  zeroed_memory use(zeroed_memory memory, std::uint64_t slots) {
    std::swap(memory, memory_);
    slots_ = static_cast<entry*>(memory_.get());
    mask_ = slots - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
    return memory;
  }

  zeroed_memory memory_;
  entry* slots_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint64_t size_ = 0;
  unsigned shift_ = 0;
};

}  // namespace duomap
