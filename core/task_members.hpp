// Finds the members of a task that have a given type, and the promises of a task about its emits.
#pragma once

#include "core/byte_view.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace duomap {

namespace detail {

// An aggregate's members are found by the types that T{...} takes at each position. An array takes one
// position per element. Members of members are not found.

struct any_member {
  template <class M>
    requires(!std::is_same_v<M, std::string_view>)
  operator M() const;
};
struct class_member {
  template <class M>
    requires std::is_class_v<M>
  operator M() const;
};
struct class_or_pointer_member {
  template <class M>
    requires(std::is_class_v<M> || std::is_pointer_v<M>)
  operator M() const;
};
template <class Only>
struct only_member {
  operator Only() const;
};

template <std::size_t>
using any_member_at = any_member;

template <class T, class Member, std::size_t... Before>
[[nodiscard]] constexpr bool takes_behind(std::index_sequence<Before...>) {
  return requires { T{any_member_at<Before>{}..., Member{}}; };
}

/// Only this number of members of a task, from the first one on, is searched.
inline constexpr std::size_t most_members = 16;

/// Whether an aggregate has a member that can be made of `Member` and not of `Other`.
template <class T, class Member, class Other, std::size_t... At>
[[nodiscard]] constexpr bool has_place_for(std::index_sequence<At...>) {
  return ((takes_behind<T, Member>(std::make_index_sequence<At>{}) &&
           !takes_behind<T, Other>(std::make_index_sequence<At>{})) ||
          ...);
}
struct no_member {};
template <class T, class Member, class Other = no_member>
[[nodiscard]] constexpr bool has_place_for() {
  if constexpr (std::is_aggregate_v<T> && std::is_class_v<T>) {
    return has_place_for<T, Member, Other>(std::make_index_sequence<most_members>{});
  } else {
    return false;
  }
}

}  // namespace detail

/// Whether an aggregate has a member that is a pointer.
template <class T>
[[nodiscard]] constexpr bool has_pointer_member() {
  return detail::has_place_for<T, detail::class_or_pointer_member, detail::class_member>();
}

/// Whether an aggregate has a member of the class `Member`.
template <class T, class Member>
[[nodiscard]] constexpr bool has_member_of() {
  return detail::has_place_for<T, detail::only_member<Member>>();
}

/// Whether a value is a view of bytes that are elsewhere, or an aggregate that has such a view.
template <class V>
[[nodiscard]] constexpr bool views_bytes() {
  return std::is_same_v<V, byte_view> || std::is_same_v<V, std::string_view> ||
         has_member_of<V, byte_view>() || has_member_of<V, std::string_view>();
}

/// Whether a value is a pointer, or an aggregate that has one.
template <class V>
[[nodiscard]] constexpr bool holds_pointer() {
  return std::is_pointer_v<V> || has_pointer_member<V>();
}

/// Whether a task is a search. Then it is no surprise if map emits nothing.
template <class Task>
inline constexpr bool may_emit_nothing = false;

// Promises of a task about its emits. With them a GPU need not count the emits first.

namespace detail {

template <class Task>
[[nodiscard]] constexpr std::uint64_t max_emits() {
  if constexpr (requires {
                  { Task::max_emits_per_record } -> std::convertible_to<std::uint64_t>;
                }) {
    return Task::max_emits_per_record;
  } else {
    return 0;
  }
}

template <class Task>
[[nodiscard]] constexpr bool keys_within() {
  if constexpr (requires {
                  { Task::keys_within_record } -> std::convertible_to<bool>;
                }) {
    return Task::keys_within_record;
  } else {
    return false;
  }
}

template <class Task>
concept bounds_key_bytes = requires {
  { Task::max_extra_key_bytes } -> std::convertible_to<std::uint64_t>;
};

template <class Task>
[[nodiscard]] constexpr std::uint64_t extra_key_bytes() {
  if constexpr (bounds_key_bytes<Task>) {
    return Task::max_extra_key_bytes;
  } else {
    return 0;
  }
}

}  // namespace detail

/// The most emits of map for a record, as Task::max_emits_per_record promises; 0: no promise.
template <class Task>
inline constexpr std::uint64_t max_emits_of = detail::max_emits<Task>();

/// The promise Task::keys_within_record: all keys of variable length are bytes of their record.
template <class Task>
inline constexpr bool keys_are_within_record = detail::keys_within<Task>();

/// Whether a task promises the size of keys of variable length, by one of its two constants.
template <class Task>
inline constexpr bool key_bytes_are_bounded = keys_are_within_record<Task> || detail::bounds_key_bytes<Task>;

/// The promise Task::max_extra_key_bytes: a key has at most this many bytes more than its record.
template <class Task>
inline constexpr std::uint64_t extra_key_bytes_of = detail::extra_key_bytes<Task>();

}  // namespace duomap
