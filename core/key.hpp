// Key kinds: the types by which a task may group.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace duomap {

/// Key kind: no key; everything is reduced to one value. Emit as emit(value).
struct no_key {};

/// Key kind: indices 0 .. key_count() - 1, the count known when the run starts. Emit as emit(index, value).
struct dense {};

// Key kind byte_view: bytes of any length. Emit as emit(view, value); the bytes are copied when the key is
// new, so a view into the record or into a local buffer is equally good.

/// A key is compared by its own bytes, so it must not be the address of bytes that stand elsewhere. Use
/// byte_view for such keys.
template <class K>
concept holds_its_bytes = !std::is_pointer_v<K> && !std::is_convertible_v<K, std::string_view>;

/// Any other key kind is a fixed-size type, compared and hashed by its bytes: two keys are the same when
/// their bytes are. Types whose equal values may differ in bytes (padding, floating point) are refused.
template <class K>
concept fixed_size_key = std::is_trivially_copyable_v<K> && std::has_unique_object_representations_v<K> &&
                         holds_its_bytes<K> && !std::same_as<K, byte_view> &&
                         std::default_initializable<K> && !std::is_empty_v<K>;

namespace detail {
// The kinds with a name are checked as `char`, which passes; with an `||` in the concept, GCC would not say
// which requirement another type fails.
template <class K>
using checked_key =
    std::conditional_t<std::same_as<K, no_key> || std::same_as<K, dense> || std::same_as<K, byte_view>, char,
                       K>;
}  // namespace detail

template <class K>
concept usable_key = fixed_size_key<detail::checked_key<K>>;

/// Keys that are hashed.
template <class K>
concept hashed_key = std::same_as<K, byte_view> || fixed_size_key<K>;

/// The type of the keys in a result, and of keys that must be stored one by one: for a dense key its index,
/// and 0 for no key.
template <usable_key K>
using result_key = std::conditional_t<hashed_key<K>, K, std::uint64_t>;

/// The bytes that stand for a hashed key.
[[nodiscard]] DUOMAP_HD inline byte_view key_bytes(const byte_view& key) { return key; }

template <fixed_size_key K>
[[nodiscard]] DUOMAP_HD byte_view key_bytes(const K& key) {
  return {reinterpret_cast<const char*>(&key), sizeof(K)};
}

/// Ascending order of hashed keys: bytes as unsigned characters, fixed-size keys by their own < if they have
/// one, and else by their bytes.
template <hashed_key K>
[[nodiscard]] bool key_less(const K& a, const K& b) {
  if constexpr (!std::same_as<K, byte_view> && requires {
                  { a < b } -> std::convertible_to<bool>;
                }) {
    return a < b;
  } else {
    return key_bytes(a).text() < key_bytes(b).text();
  }
}

}  // namespace duomap
