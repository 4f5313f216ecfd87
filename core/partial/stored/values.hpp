// Keys and values of partials as bytes, and back.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/stored/encoding.hpp"
#include "core/reduce_fields.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap::detail {

/// A value without what lies between its fields, where the compiler can tell.
template <class V>
void store_object(encoder& to, V value) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_class_v<V>) __builtin_clear_padding(&value);
#endif
#endif
  to.object(value);
}

/// A value of the reduction `Reduce`: the numbers of a sum_fields one after the other, anything else as the
/// bytes of the object.
template <class Reduce>
void store_value(encoder& to, const typename Reduce::value_type& value) {
  if constexpr (is_sum_fields<Reduce>) {
    Reduce::for_each_number(value, [&](const auto& number) { to.object(number); });
  } else {
    store_object(to, value);
  }
}
template <class Reduce>
void load_value(decoder& from, typename Reduce::value_type& value) {
  if constexpr (is_sum_fields<Reduce>) {
    value = {};
    Reduce::for_each_number(value, [&](auto& number) { from.object(number); });
  } else {
    from.object(value);
  }
}

/// A value that is bytes of any length (stored_value<byte_view>).
template <class Reduce>
void store_value(encoder& to, const compact_key& bytes) {
  to.text(bytes.bytes());
}

/// Keys of a fixed size are their bytes, others a text.
template <class Key>
void store_key(encoder& to, const compact_key& key) {
  if constexpr (fixed_size_key<Key>) {
    to.raw(key.bytes());
  } else {
    to.text(key.bytes());
  }
}
template <class Key>
[[nodiscard]] compact_key load_key(decoder& from, key_arena& arena) {
  if constexpr (fixed_size_key<Key>) {
    return store_bytes(from.raw(sizeof(Key)), arena);
  } else {
    return store_bytes(from.text(), arena);
  }
}

}  // namespace duomap::detail
