// A key of any length in 16 bytes: the bytes of a short key, or the hash and the address of a long one.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace duomap {

/// A key of up to 15 bytes is in the object itself: its bytes, zeros, and a last byte for the length. To
/// compare two such keys is to compare 16 bytes. For a longer key the object has its hash and the address of
/// its bytes; a key_arena owns the bytes, with their 64-bit length in front. Hardly any key needs a second
/// cache line: in 20 MB of English novels, 99.99 % of the words are short. Trivially copyable. All zeros is
/// the empty slot of a table, never a key.
class compact_key {
 public:
  static constexpr std::uint64_t max_inline = 15;

  compact_key() = default;

  /// A short key of the two words that inline_words() makes.
  DUOMAP_HD constexpr compact_key(std::uint64_t lo, std::uint64_t hi) : lo_(lo), hi_(hi) {}

  /// A short key. Requires key.size <= max_inline; reads no other bytes.
  [[nodiscard]] DUOMAP_HD static compact_key of_short(byte_view key) {
    std::uint64_t words[2] = {0, 0};
    if (key.size > 0) memcpy(words, key.data, key.size);  // an empty view may have no address
    return {words[0], words[1] | length_tag(key.size)};
  }

  /// A long key. An arena has its bytes, and their length in the eight bytes before them.
  [[nodiscard]] DUOMAP_HD static compact_key of_stored(std::uint64_t hash, const char* bytes) {
    return {hash, stored_tag | reinterpret_cast<std::uint64_t>(bytes)};
  }

  /// The top byte of a short key's second word; bytes 8 to 14 of the key are below it. It is the length plus
  /// one, so that the empty key differs from an empty slot.
  [[nodiscard]] DUOMAP_HD static constexpr std::uint64_t length_tag(std::uint64_t size) {
    return (size + 1) << 56;
  }

  [[nodiscard]] DUOMAP_HD constexpr bool occupied() const { return hi_ != 0; }
  [[nodiscard]] DUOMAP_HD constexpr bool is_short() const { return (hi_ >> 56) <= max_inline + 1; }

  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t hash() const {
    return is_short() ? hash_block(lo_, hi_) : lo_;
  }

  /// The address of a long key's bytes; nullptr for a short key. Reads nothing but this object.
  [[nodiscard]] DUOMAP_HD const char* stored_bytes() const {
    return is_short() ? nullptr : reinterpret_cast<const char*>(hi_ & ~stored_tag);
  }

  /// The key's bytes. The bytes of a short key are in this object, so the view must not outlive the object.
  [[nodiscard]] DUOMAP_HD byte_view bytes() const {
    if (is_short()) return {reinterpret_cast<const char*>(this), (hi_ >> 56) - 1};
    const char* stored = stored_bytes();
    return {stored, detail::load_word(stored - sizeof(std::uint64_t))};
  }

  /// The first eight bytes of a short key.
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t first_word() const { return lo_; }

  /// Whether this object has the words (lo, hi). Equal words always mean equal keys if the keys are short.
  [[nodiscard]] DUOMAP_HD constexpr bool same_words(std::uint64_t lo, std::uint64_t hi) const {
    return ((lo_ ^ lo) | (hi_ ^ hi)) == 0;
  }

  /// Whether this is the long key `key`, whose hash is `hash`.
  [[nodiscard]] bool is_long_key(std::uint64_t hash, byte_view key) const {
    if (lo_ != hash || is_short()) return false;
    const byte_view mine = bytes();
    return mine.size == key.size && std::memcmp(mine.data, key.data, key.size) == 0;
  }

  /// Whether two keys have the same bytes.
  [[nodiscard]] friend bool operator==(const compact_key& a, const compact_key& b) {
    return a.same_words(b.lo_, b.hi_) || (!b.is_short() && a.is_long_key(b.lo_, b.bytes()));
  }

 private:
  static_assert(std::endian::native == std::endian::little, "short keys are laid out as little-endian words");
  // The top byte that marks a long key. It cannot be a length plus one, and no address of a process needs it.
  static constexpr std::uint64_t stored_tag = 0xFFull << 56;

  std::uint64_t lo_ = 0;
  std::uint64_t hi_ = 0;
};

/// The same hash that compact_key::hash() returns for this key.
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_of_key(byte_view key) {
  return key.size > compact_key::max_inline ? hash_long(key) : compact_key::of_short(key).hash();
}

/// One key and its reduced value.
template <class V>
struct keyed_entry {
  compact_key key;
  V value;
};

/// Turns a stored key back into a key of the task's type. A key of variable length is a view into `stored`.
template <hashed_key K>
[[nodiscard]] K key_from(const compact_key& stored) {
  if constexpr (std::same_as<K, byte_view>) {
    return stored.bytes();
  } else {
    K key;
    std::memcpy(&key, stored.bytes().data, sizeof key);
    return key;
  }
}

}  // namespace duomap
