// A hash table that reduces the values of equal keys as they arrive. Each key costs bounded work, even if an
// attacker chose the keys.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/memory_reservation.hpp"
#include "core/reduce.hpp"
#include "core/zeroed_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

namespace duomap {

/// Open addressing with linear probing. The table is at most half full. The *top* bits of a hash give the
/// home slot, so entries stand in the order of partitions, except those that probing pushed over a border. So
/// one sequential pass takes out a partition, and growing moves entries in the order of their addresses. The
/// table skips the first `SkipBits` bits of a hash, which all its keys share (partition_bits for a table of
/// one partition). One thread uses the table at a time. While nobody adds keys, several threads may call
/// for_each_in_partition() and reduce_known(), each for its own partitions.
///
/// The hash function is public, so an attacker can make keys that collide. A key that finds no slot within
/// max_probe_length of its home slot goes to an ordered map.
template <class V, unsigned SkipBits = 0>
class combining_table {
  static_assert(std::is_trivially_copyable_v<V>, "a reduced value is copied as bytes between devices");

 public:
  using entry = keyed_entry<V>;

  /// Takes the memory of the slots from the budget `memory`.
  explicit combining_table(std::uint64_t expected_keys = 0, shared_budget memory = nullptr)
    : share_(std::move(memory)) {
    constexpr std::uint64_t smallest = torture ? 4 : SkipBits > 0 ? 64 : 1024;
    const std::uint64_t slots = std::bit_ceil(std::max(smallest, expected_keys * 2));
    const std::uint64_t bytes = (slots + slots_behind) * sizeof(entry);
    share_.take(bytes, "a table of keys");
    memory_ = allocate_zeroed(bytes, "a table for " + std::to_string(slots / 2) + " distinct keys");
    touch(memory_);
    slots_ = static_cast<entry*>(memory_.get());  // zeros mean that a slot is empty
    mask_ = slots - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const shared_budget& memory() const noexcept { return share_.of(); }
  [[nodiscard]] std::uint64_t capacity_bytes() const noexcept { return capacity() * sizeof(entry); }

  /// The slot at which the search for a hash starts. Valid until the next insertion.
  [[nodiscard]] entry* home(std::uint64_t hash) const noexcept { return &slots_[index(hash)]; }

  /// Prefetches the `Slots` slots that reduce_short() compares, which may stand in two cache lines.
  template <unsigned Slots>
  void prefetch(std::uint64_t hash) const noexcept {
    constexpr unsigned compared = slots_at_once<Slots>;
    const entry* const first = home(hash);
    __builtin_prefetch(first, 1);
    if constexpr (compared > 1) __builtin_prefetch(&first[compared - 1].value, 1);
  }

  /// Folds an emit into the value of a short key, whose words are (lo, hi) and whose hash is `hash`. Compares
  /// the key with `Slots` slots, without a branch. With OneWord all keys have the same `hi`.
  template <unsigned Slots, bool OneWord, class Reduce>
  void reduce_short(std::uint64_t lo, std::uint64_t hi, std::uint64_t hash, const emit_type<Reduce>& emitted,
                    const Reduce& reduce) {
    static_assert(Slots <= 3, "as many as slots_behind allows");
    entry* const slot = likely_slot<slots_at_once<Slots>, OneWord>(home(hash), lo, hi);
    if (slot->key.same_words(lo, hi)) [[likely]] {
      fold_emit(reduce, slot->value, true, emitted);
      return;
    }
    reduce_displaced<slots_at_once<Slots>, OneWord>(lo, hi, hash, emitted, reduce);
  }

  /// Folds an emit into the value of a long key (above compact_key::max_inline bytes). Copies a new key to
  /// `arena`.
  template <class Reduce>
  [[gnu::noinline]] void reduce_long(byte_view key, std::uint64_t hash, const emit_type<Reduce>& emitted,
                                     const Reduce& reduce, key_arena& arena) {
    fold(
        {hash, key}, [&](const compact_key& other) { return other.is_long_key(hash, key); },
        [&] { return compact_key::of_stored(hash, arena.store(key)); },
        [&](V& held, bool is_there) { fold_emit(reduce, held, is_there, emitted); });
  }

  /// Folds a value into the value of `key`. The bytes of a long key are in an arena that outlives this table.
  template <class Reduce>
  void reduce_stored(const compact_key& key, const V& value, const Reduce& reduce) {
    fold(
        hashed_bytes(key), [&](const compact_key& other) { return other == key; }, [&] { return key; },
        [&](V& held, bool is_there) { held = is_there ? V(reduce(held, value)) : value; });
  }

  /// Folds `value` into the value of `key`; false when the table does not hold the key.
  template <class Reduce>
  [[nodiscard]] bool reduce_known(const compact_key& key, const V& value, const Reduce& reduce) {
    const hashed_bytes wanted(key);
    entry* const slot = find(wanted.hash, [&](const compact_key& other) { return other == key; });
    const auto known = slot == nullptr ? crowded_.find(wanted) : crowded_.end();
    if (slot == nullptr ? known == crowded_.end() : !slot->key.occupied()) return false;
    V& held = slot == nullptr ? known->second : slot->value;
    held = V(reduce(held, value));
    return true;
  }

  /// Removes all entries and keeps the memory.
  void clear() noexcept {
    std::memset(memory_.get(), 0, capacity_bytes());
    crowded_.clear();
    size_ = 0;
  }

  /// Calls use(const entry&) for every entry of one partition. The loop begins at the first home slot of the
  /// partition. Probing may have pushed entries past the last home slot: the loop goes on until it meets an
  /// empty slot there.
  template <class Use>
  void for_each_in_partition(unsigned partition, Use&& use) const {
    const bool spread = SkipBits == 0 && capacity() >= partition_count;
    const std::uint64_t homes = spread ? capacity() >> partition_bits : capacity();
    const std::uint64_t first = spread ? partition * homes : 0;
    for (std::uint64_t step = 0; step < capacity(); ++step) {
      const entry& slot = slots_[(first + step) & mask_];
      if (!slot.key.occupied()) {
        if (step >= homes) break;
        continue;
      }
      if (partition_of(slot.key.hash()) == partition) use(slot);
    }
    const hashed_bytes begin(std::uint64_t{partition} << (64 - partition_bits), {});
    for (auto one = crowded_.lower_bound(begin); one != crowded_.end(); ++one) {
      if (partition_of(one->first.hash()) != partition) break;
      use(entry{one->first, one->second});
    }
  }

  /// Calls use(const entry&) for every entry: first those in slots, then those in the ordered map.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t i = 0; i < capacity(); ++i) {
      if (slots_[i].key.occupied()) use(std::as_const(slots_[i]));
    }
    for (const auto& [key, value] : crowded_) use(entry{key, value});
  }

 private:
  /// A key of the ordered map is found by its hash and its bytes.
  struct hashed_bytes {
    std::uint64_t hash;
    byte_view bytes;

    hashed_bytes(std::uint64_t hash_of_key, byte_view bytes_of_key)
      : hash(hash_of_key), bytes(bytes_of_key) {}
    explicit hashed_bytes(const compact_key& key) : hash(key.hash()), bytes(key.bytes()) {}
  };
  /// Orders keys by hash, so that the keys of a partition are neighbours.
  struct by_hash {
    using is_transparent = void;
    template <class A, class B>
    [[nodiscard]] bool operator()(const A& one, const B& other) const {
      const hashed_bytes a(one);
      const hashed_bytes b(other);
      return a.hash != b.hash ? a.hash < b.hash : a.bytes.text() < b.bytes.text();
    }
  };

  [[nodiscard]] std::uint64_t capacity() const noexcept { return mask_ + 1; }
  [[nodiscard]] std::uint64_t index(std::uint64_t hash) const noexcept {
    return (hash << SkipBits) >> shift_;
  }
  [[nodiscard]] entry* next(entry* slot) const noexcept {
    return ++slot == slots_ + capacity() ? slots_ : slot;
  }

  // The number of slots that are read at once. It is 1 for large values, which take a cache line per slot.
  template <unsigned Slots>
  static constexpr unsigned slots_at_once = sizeof(entry) <= 32 ? Slots : 1;
  // Empty slots behind the last real one, because reduce_displaced() reads several slots at once.
  static constexpr std::uint64_t slots_behind = slots_at_once<3> + 3;

  /// Returns the slot that has the key; if none of `Slots` slots has it, returns any of them. Has no
  /// branches: in a table that is half full, one key of four is not in its home slot, and a core cannot
  /// predict which key.
  template <unsigned Slots, bool OneWord>
  [[nodiscard]] static entry* likely_slot(entry* first, std::uint64_t lo, std::uint64_t hi) noexcept {
    std::uint64_t is_behind = 1;
    std::uint64_t at = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i + 1 < Slots; ++i) {
      const bool is_other = OneWord ? first[i].key.first_word() != lo : !first[i].key.same_words(lo, hi);
      is_behind &= static_cast<std::uint64_t>(is_other);
      at += is_behind;
    }
    return first + at;
  }

  /// The rest of reduce_short(), for the few keys that are new or far from their home slot. Not inlined. It
  /// takes the key as two words: a key of 16 bytes would have to be read back from memory before its stores
  /// are done.
  template <unsigned Slots, bool OneWord, class Reduce>
  [[gnu::noinline]] void reduce_displaced(std::uint64_t lo, std::uint64_t hi, std::uint64_t hash,
                                          const emit_type<Reduce>& emitted, const Reduce& reduce) {
    if constexpr (Slots > 1) {
      entry* const slot = likely_slot<4, OneWord>(home(hash) + Slots, lo, hi);
      if (slot->key.same_words(lo, hi)) return fold_emit(reduce, slot->value, true, emitted);
    }
    const compact_key key{lo, hi};
    fold(
        {hash, key.bytes()}, [=](const compact_key& other) { return other.same_words(lo, hi); },
        [&] { return key; }, [&](V& held, bool is_there) { fold_emit(reduce, held, is_there, emitted); });
  }

  /// Returns the slot of the key for which same(key) is true, or the first empty slot behind the home slot;
  /// null if neither is among the first max_probe_length slots.
  template <class Same>
  [[nodiscard]] entry* find(std::uint64_t hash, const Same& same) const {
    entry* slot = home(hash);
    for (unsigned way = 0; way < max_probe_length; ++way) {
      if (!slot->key.occupied() || same(slot->key)) return slot;
      slot = next(slot);
    }
    return nullptr;
  }

  /// Calls change(value, true) for a known key. Inserts a new key make(), whose value change(value, false)
  /// sets.
  template <class Same, class Make, class Change>
  void fold(const hashed_bytes& key, const Same& same, const Make& make, const Change& change) {
    entry* const slot = find(key.hash, same);
    if (slot == nullptr) [[unlikely]] {
      if (const auto known = crowded_.find(key); known != crowded_.end()) return change(known->second, true);
    } else if (slot->key.occupied()) {
      return change(slot->value, true);
    }
    entry item{make(), V{}};
    change(item.value, false);
    insert(slot, item, key.hash);
  }

  // A table also grows when a key finds no slot, but never beyond this number of slots per key. Such growth
  // helps with keys that come in the order of their hashes, as from an earlier result
  // (core/record/entries.hpp): these keys fill one end of the table first.
  static constexpr std::uint64_t most_slots_per_key = torture_hash ? 2 : 16;

  /// Adds a new key, in `slot` or in a free slot of a larger table.
  void insert(entry* slot, const entry& item, std::uint64_t hash) {
    if ((size_ + 1) * 2 > capacity() || (slot == nullptr && capacity() < size_ * most_slots_per_key)) {
      grow();
      slot = free_slot(hash);
    }
    add(slot, item);
  }

  [[nodiscard]] entry* free_slot(std::uint64_t hash) const {
    return find(hash, [](const compact_key&) { return false; });
  }

  void add(entry* slot, const entry& item) {
    if (slot != nullptr) [[likely]] {
      *slot = item;
    } else {
      crowded_.emplace(item.key, item.value);
    }
    ++size_;
  }

  void grow() {
    combining_table larger(capacity(), share_.of());  // if this throws, this table is unchanged
    for_each([&](const entry& item) { larger.add(larger.free_slot(item.key.hash()), item); });
    *this = std::move(larger);
  }

  zeroed_memory memory_;
  entry* slots_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint64_t size_ = 0;
  unsigned shift_ = 0;
  std::map<compact_key, V, by_hash> crowded_;  // keys that found no slot
  memory_reservation share_;                   // bytes of the slots, from the run's budget
};

}  // namespace duomap
