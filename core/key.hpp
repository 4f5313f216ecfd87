// The kinds of keys: the types that a task may use as its key.
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

/// Key kind: the indices 0 .. key_count() - 1. The number of keys is known when the run starts. Emit as
/// emit(index, value).
struct dense {};

// Key kind byte_view: bytes of any length. Emit as emit(view, value). The view may point into the record or
// into a local buffer, because the bytes of a new key are copied.

/// A type whose own bytes are the key. Pointers and views have only an address in them: use byte_view.
template <class K>
concept holds_its_bytes = !std::is_pointer_v<K> && !std::is_convertible_v<K, std::string_view>;

/// Any other type of fixed size can be a key. Two keys are the same if their bytes are the same. So types are
/// refused whose equal values may have different bytes (padding, floating point).
template <class K>
concept fixed_size_key = std::is_trivially_copyable_v<K> && std::has_unique_object_representations_v<K> &&
                         holds_its_bytes<K> && !std::same_as<K, byte_view> &&
                         std::default_initializable<K> && !std::is_empty_v<K>;

namespace detail {
// no_key, dense and byte_view pass as `char`. An `||` in the concept would do the same, but then GCC would
// not say which requirement another type fails.
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

/// The type of the keys in a result: the index for a dense key, 0 if there is no key.
template <usable_key K>
using result_key = std::conditional_t<hashed_key<K>, K, std::uint64_t>;

/// The bytes by which a key is compared and hashed.
[[nodiscard]] DUOMAP_HD inline byte_view key_bytes(const byte_view& key) { return key; }

template <fixed_size_key K>
[[nodiscard]] DUOMAP_HD byte_view key_bytes(const K& key) {
  return {reinterpret_cast<const char*>(&key), sizeof(K)};
}

/// Ascending order of hashed keys. A byte_view is ordered by its bytes as unsigned numbers. A key of fixed
/// size is ordered by its type's <, or by its bytes if the type has no <.
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
