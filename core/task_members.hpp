// Finds members of a task by their types, and its promises about its emits.
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

// Members by type, of aggregates: the types that T{...} takes at a place. An array has a place for each
// element; members of members are not looked at.

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

/// Only the first members of a task, up to this number, are looked at.
inline constexpr std::size_t most_members = 16;

/// Whether an aggregate has a place that takes `Member` and does not take `Other`.
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

/// Whether an aggregate has a member of a type that is a class.
template <class T, class Member>
[[nodiscard]] constexpr bool has_member_of() {
  return detail::has_place_for<T, detail::only_member<Member>>();
}

/// Whether a value is a view of bytes that stand elsewhere, or an aggregate that has such a view.
template <class V>
[[nodiscard]] constexpr bool views_bytes() {
  return std::is_same_v<V, byte_view> || std::is_same_v<V, std::string_view> ||
         has_member_of<V, byte_view>() || has_member_of<V, std::string_view>();
}

/// Whether a value is a pointer, or an aggregate that has one.
template <class V>
[[nodiscard]] constexpr bool is_pointing() {
  return std::is_pointer_v<V> || has_pointer_member<V>();
}

/// Whether a task searches, so that it is no news when no record emitted anything.
template <class Task>
inline constexpr bool finds_little = false;

// The promises of a task about its emits, so that a GPU need not count them first.

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

}  // namespace detail

/// The most emits that map makes for a record, `Task::max_emits_per_record`; 0: the task does not say.
template <class Task>
inline constexpr std::uint64_t max_emits_of = detail::max_emits<Task>();

/// Whether keys of variable length are bytes of their record, `Task::keys_within_record`.
template <class Task>
inline constexpr bool keys_are_within_record = detail::keys_within<Task>();

}  // namespace duomap
