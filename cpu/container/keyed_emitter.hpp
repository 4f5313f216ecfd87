// Emits hashed keys into a combining table. If the table is large, several keys are looked up together, so
// that their cache misses overlap.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/combining_table.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/memory_reservation.hpp"
#include "core/reduce.hpp"

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>

namespace duomap::cpu {

/// Decides whether keys wait for their slots in a table of a middle size, about that of an L2 cache. The
/// better way depends on how often keys repeat. Waiting takes random keys two thirds of the time, but words a
/// tenth more (decision 27). So both ways are tried on some chunks, and the next chunks use the faster way.
class waiting_choice {
 public:
  [[nodiscard]] bool begin_chunk() {
    turn_ = (turn_ + 1) % chunks_per_trial;
    if (turn_ < 2) start_ = clock::now();
    return turn_ < 2 ? turn_ == 0 : cost_[1] < cost_[0];
  }
  void end_chunk(std::uint64_t units, bool waited) {
    if (turn_ < 2 && units > 0)
      cost_[waited ? 1 : 0] =
          std::chrono::duration<double>(clock::now() - start_).count() / static_cast<double>(units);
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr unsigned chunks_per_trial = 16;

  unsigned turn_ = chunks_per_trial - 1;
  clock::time_point start_;
  double cost_[2] = {0, 0};  // seconds per unit, without waiting and with it
};

/// A table of reduced values, the arena of its long keys, and the emitter of map. While the table fits into a
/// cache, a short key goes straight into it. In a larger table, the key's slots are prefetched and the key
/// waits in a small buffer until flush(). This takes 33 ns a word instead of 56 (decision 27). A long key
/// costs two cache misses, so it waits even in a small table, if its bytes are in the chunk. Values of one
/// key are folded in the order of their emits. Only one thread may use the object at a time.
template <hashed_key Key, class Reduce>
class keyed_emitter {
 public:
  using value_type = typename Reduce::value_type;
  using emitted_type = emit_type<Reduce>;

  /// The memory of the table and of the arena counts against `memory`.
  explicit keyed_emitter(const Reduce& reduce, const shared_budget& memory = nullptr)
    : table_(0, memory), arena_(memory), reduce_(reduce) {}

  /// Sets the chunk that map works on. Short keys inside it are read as whole words.
  void begin_chunk(const chunk& part) noexcept {
    chunk_ = reinterpret_cast<std::uintptr_t>(part.data);
    chunk_bytes_ = part.data != nullptr ? part.size : 0;
    // A key at the very end of a chunk is not read as whole words, because rows in a caller's memory have no
    // padding behind them.
    wide_starts_ =
        part.data != nullptr && part.size > compact_key::max_inline ? part.size - compact_key::max_inline : 0;
    units_ = part.size;
    is_tried_ = !torture && table_.capacity_bytes() > near_bytes && table_.capacity_bytes() <= cached_bytes;
    waits_ = is_tried_ ? choice_.begin_chunk() : torture || table_.capacity_bytes() > cached_bytes;
  }

  /// To be called after map, while the bytes of the chunk are still valid.
  void end_chunk() {
    flush();
    if (is_tried_) choice_.end_chunk(units_, waits_);
  }

  void operator()(const Key& key, const emitted_type& value) {
    const byte_view bytes = key_bytes(key);
    if (bytes.size > compact_key::max_inline) {
      emit_long(bytes, hash_long(bytes), value);
      return;
    }
    key_words words;
    if (std::same_as<Key, byte_view> &&
        reinterpret_cast<std::uintptr_t>(bytes.data) - chunk_ < wide_starts_) {
      words = load_wide(bytes);
    } else {
      words = load_exactly(bytes);
    }
    const std::uint64_t hash = hash_block(words.lo, words.hi);
    if (!waits_) {
      table_.template reduce_short<direct_slots, one_word>(words.lo, words.hi, hash, value, reduce_);
      return;
    }
    wait(words, hash, value);
  }

  /// Folds the waiting emits into the table. To be called before the table is read, and while the bytes of
  /// the chunk are still valid.
  void flush() {
    for (std::uint32_t i = 0; i < waiting_count_; ++i) {
      if (is_long(waiting_[i].key)) {
        if (const char* const stored = table_.home(waiting_[i].hash)->key.stored_bytes(); stored != nullptr)
          __builtin_prefetch(stored - sizeof(std::uint64_t));
      }
    }
    for (std::uint32_t i = 0; i < waiting_count_; ++i) {
      const emit& e = waiting_[i];
      if (is_long(e.key)) {
        table_.reduce_long({reinterpret_cast<const char*>(e.key.lo), e.key.hi}, e.hash, e.value, reduce_,
                           arena_);
      } else {
        table_.template reduce_short<waiting_slots, one_word>(e.key.lo, e.key.hi, e.hash, e.value, reduce_);
      }
    }
    waiting_count_ = 0;
  }

  /// The table of all emits that were flushed.
  [[nodiscard]] combining_table<value_type>& table() noexcept { return table_; }
  [[nodiscard]] const combining_table<value_type>& table() const noexcept { return table_; }
  [[nodiscard]] key_arena& arena() noexcept { return arena_; }

 private:
  // near_bytes is the size of the smallest L2 caches. cached_bytes is larger than most L2 caches, and smaller
  // than a core's share of an L3 cache.
  static constexpr std::uint64_t near_bytes = std::uint64_t{512} << 10;
  static constexpr std::uint64_t cached_bytes = std::uint64_t{8} << 20;

  struct key_words {
    std::uint64_t lo, hi;
  };
  struct emit {
    key_words key;
    std::uint64_t hash;
    emitted_type value;
  };

  static constexpr bool may_be_long = std::same_as<Key, byte_view> || sizeof(Key) > compact_key::max_inline;
  static constexpr bool one_word = !std::same_as<Key, byte_view> && sizeof(Key) <= sizeof(std::uint64_t);
  // The number of slots that are compared without a branch. Most words are frequent ones, which are in their
  // first slot. Comparing two slots makes word count take 1.1 times as long.
  static constexpr unsigned direct_slots = std::same_as<Key, byte_view> ? 1 : 2;
  static constexpr unsigned waiting_slots = std::same_as<Key, byte_view> ? 1 : 3;

  /// Whether a waiting key is long. A long key waits as its address and its length. A short key has its
  /// length in the top byte.
  [[nodiscard]] static bool is_long(const key_words& key) { return may_be_long && key.hi >> 56 == 0; }

  void wait(const key_words& key, std::uint64_t hash, const emitted_type& value) {
    table_.template prefetch<waiting_slots>(hash);
    waiting_[waiting_count_] = {key, hash, value};
    if (++waiting_count_ == waiting_.size()) flush();
  }

  // The function is out of line, because words are hardly ever long.
  [[gnu::noinline]] void emit_long(byte_view key, std::uint64_t hash, const emitted_type& value) {
    if (reinterpret_cast<std::uintptr_t>(key.data) - chunk_ < chunk_bytes_) {
      wait({reinterpret_cast<std::uint64_t>(key.data), key.size}, hash, value);
      return;
    }
    flush();  // so that the values of a key are folded in order
    table_.reduce_long(key, hash, value, reduce_, arena_);
  }

  /// Loads a short key as two words: the 16 bytes from its start on. The bytes behind the key are masked.
  [[nodiscard]] static key_words load_wide(byte_view key) {
    const key_words& keep = kept_bytes[key.size];
    return {detail::load_word(key.data) & keep.lo,
            (detail::load_word(key.data + 8) & keep.hi) | compact_key::length_tag(key.size)};
  }

  /// Loads a short key as two words, and reads no byte behind it. A key of any length is not copied into the
  /// words, because a processor waits when it reads a word that was just written in parts.
  [[nodiscard]] static key_words load_exactly(byte_view key) {
    const std::uint64_t tag = compact_key::length_tag(key.size);
    if constexpr (!std::same_as<Key, byte_view>) {
      key_words words{0, 0};
      std::memcpy(&words, key.data, key.size);
      return {words.lo, words.hi | tag};
    }
    if (key.size > sizeof(std::uint64_t)) {
      const std::uint64_t last = detail::load_word(key.data + key.size - sizeof(std::uint64_t));
      return {detail::load_word(key.data), last >> (128 - 8 * key.size) | tag};
    }
    if (key.size >= sizeof(std::uint32_t)) {
      std::uint32_t first, last;
      std::memcpy(&first, key.data, sizeof first);
      std::memcpy(&last, key.data + key.size - sizeof last, sizeof last);
      return {first | std::uint64_t{last} << (8 * (key.size - sizeof last)), tag};
    }
    std::uint64_t bytes = 0;
    for (std::uint64_t i = 0; i < key.size; ++i)
      bytes |= std::uint64_t{static_cast<unsigned char>(key[i])} << (8 * i);
    return {bytes, tag};
  }

  /// Masks that keep the first n of 16 bytes, for n from 0 to 15.
  static constexpr auto kept_bytes = [] {
    std::array<key_words, compact_key::max_inline + 1> masks{};
    for (unsigned n = 0; n < masks.size(); ++n) {
      masks[n].lo = n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * n)) - 1;
      masks[n].hi = n > 8 ? (std::uint64_t{1} << (8 * (n - 8))) - 1 : 0;
    }
    return masks;
  }();

  combining_table<value_type> table_;
  key_arena arena_;
  [[no_unique_address]] Reduce reduce_;
  std::uintptr_t chunk_ = 0;
  std::uint64_t chunk_bytes_ = 0;
  std::uint64_t wide_starts_ =
      0;                     // a key that starts in these first bytes of the chunk can be loaded as 16 bytes
  std::uint64_t units_ = 0;  // size of the chunk
  waiting_choice choice_;
  bool is_tried_ = false;  // waiting_choice decides for this chunk
  bool waits_ = false;
  std::uint32_t waiting_count_ = 0;
  // 32 emits cause all cache misses that a core can wait for at once, and take 1.3 KB of the L1 cache.
  std::array<emit, torture ? 2 : 32> waiting_;
};

}  // namespace duomap::cpu
