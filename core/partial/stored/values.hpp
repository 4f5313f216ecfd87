// Encodes keys and values of partials as bytes, and decodes them. The decoder checks all bytes, because a
// file may be damaged or forged.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/input/input_texts.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/covered_input.hpp"
#include "core/partial/place_texts.hpp"
#include "core/partial/stored/encoding.hpp"
#include "core/partial/stored/stored_check.hpp"
#include "core/partial/stored/stored_fields.hpp"
#include "core/reduce_fields.hpp"
#include "core/text_place.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::detail {

/// A reduction that has its own way to visit the numbers of a value.
template <class Reduce>
concept stores_numbers_singly = is_sum_fields<Reduce>;

/// Encodes the keys and values of a partition, and remembers the places of texts in them.
class entry_encoder : public encoder {
 public:
  /// A key of fixed size is stored as its bytes; bytes of any length are stored as a text.
  template <class Key>
  void key(const compact_key& stored) {
    if constexpr (fixed_size_key<Key>) {
      raw(stored.bytes());
      remember_places(key_from<Key>(stored));
    } else {
      text(stored.bytes());
    }
  }

  /// A value of the reduction `Reduce`. For sum_fields the numbers are stored one after the other; for other
  /// reductions the bytes of the object.
  template <class Reduce>
  void value(const typename Reduce::value_type& one) {
    if constexpr (stores_numbers_singly<Reduce>) {
      Reduce::for_each_number(one, [&](const auto& number) { object(number); });
    } else {
      object_without_padding(one);
      remember_places(one);
    }
  }
  /// A value of bytes of any length (stored_value<byte_view>).
  template <class Reduce>
  void value(const compact_key& bytes) {
    text(bytes.bytes());
  }

  /// The places of texts in the encoded keys and values, in the order of the input, without duplicates.
  [[nodiscard]] std::vector<text_place> take_places() { return each_place_once(std::exchange(places_, {})); }

 private:
  template <class T>
  void remember_places(const T& content) {
    if constexpr (holds_place<T>()) {
      for_each_stored_field(content, [&]<class Field>(const Field& field) {
        if constexpr (std::same_as<Field, text_place>) places_.push_back(field);
      });
    }
  }

  /// Stores the bytes of an object. Clears its padding first, if the compiler knows where the padding is.
  template <class V>
  void object_without_padding(V one) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    if constexpr (std::is_class_v<V>) __builtin_clear_padding(&one);
#endif
#endif
    object(one);
  }

  std::vector<text_place> places_;
};

/// Decodes the keys and values of a partition. Refuses those that no task can have emitted for `whole`.
class entry_decoder : public decoder {
 public:
  entry_decoder(byte_view bytes, std::string what, const covered_input& whole)
    : decoder(bytes, std::move(what)), check_(*this, whole) {}
  entry_decoder(const entry_decoder&) = delete;
  entry_decoder& operator=(const entry_decoder&) = delete;

  template <class Key>
  [[nodiscard]] compact_key key(key_arena& arena) {
    if constexpr (fixed_size_key<Key>) {
      Key one;
      object(one);
      check_fields(one);
      return store_bytes(key_bytes(one), arena);
    } else {
      return store_bytes(text(), arena);
    }
  }

  template <class Reduce>
  void value(typename Reduce::value_type& one) {
    if constexpr (stores_numbers_singly<Reduce>) {
      one = {};
      Reduce::for_each_number(one, [&](auto& number) { object(number); });
    } else {
      object(one);
    }
    if constexpr (requires { Reduce::for_each_number(one, [](const auto&) {}); }) {
      Reduce::for_each_number(one, [&](const auto& number) { check_fields(number); });
    } else {
      check_fields(one);
    }
    ++values_;
  }
  template <class Reduce>
  void value(compact_key& bytes, key_arena& arena) {
    bytes = store_bytes(text(), arena);
    ++values_;
  }

  /// Calls the task's own check_stored() for a key and a value, if the task has this function.
  template <class Task, class Key, class Value>
  void require_possible(const Task& task, const Key& key, const Value& value) const {
    if constexpr (requires { task.check_stored(key, value, check_); }) task.check_stored(key, value, check_);
  }

  [[nodiscard]] const stored_check& check() const noexcept { return check_; }
  /// The number of decoded values.
  [[nodiscard]] std::uint64_t values() const noexcept { return values_; }
  /// The places of texts in the decoded keys and values, in the order of the input, without duplicates.
  [[nodiscard]] std::vector<text_place> take_places() { return each_place_once(std::exchange(places_, {})); }

 private:
  template <class T>
  void check_fields(const T& content) {
    for_each_stored_field(content, [&]<class Field>(const Field& field) {
      if constexpr (std::same_as<Field, text_place>) {
        check_.place(field);
        places_.push_back(field);
      } else if constexpr (std::same_as<Field, bool>) {
        check_.index("a truth value", *reinterpret_cast<const unsigned char*>(&field), 2);
      } else if constexpr (requires { field.check_stored(check_); }) {
        field.check_stored(check_);
      }
    });
  }

  stored_check check_;
  std::uint64_t values_ = 0;
  std::vector<text_place> places_;
};

/// The smallest number of bytes that a key or a value takes.
template <class Key>
inline constexpr std::uint64_t least_key_bytes = fixed_size_key<Key> ? sizeof(Key) : 1;
template <class Reduce>
[[nodiscard]] constexpr std::uint64_t least_value_bytes() {
  using value = typename Reduce::value_type;
  if constexpr (std::same_as<value, byte_view> || stores_numbers_singly<Reduce>) {
    return 1;
  } else {
    return sizeof(value);
  }
}

}  // namespace duomap::detail
