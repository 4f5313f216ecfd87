// Visits the fields inside a stored key or value, to check numbers and to find the places of texts.
// host only
#pragma once

#include "core/task.hpp"
#include "core/text_place.hpp"
#include "core/verify/struct_fields.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace duomap::detail {

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;

/// Calls use(field) for each number, enumeration and text_place in a value. Calls use(object) for an object
/// that cannot be taken apart: a class with private members, or a struct with more than eight fields or an
/// array of C.
template <class T, class Use>
void for_each_stored_field(const T& content, const Use& use) {
  if constexpr (std::is_array_v<T> || is_std_array<T>) {
    for (const auto& each : content) for_each_stored_field(each, use);
  } else if constexpr (has_fields<T> && !std::same_as<T, text_place>) {
    with_fields(content, [&](const auto&... field) { (for_each_stored_field(field, use), ...); });
  } else {
    use(content);
  }
}

struct find_place;

/// Whether there is a text_place among these fields.
template <class T>
[[nodiscard]] constexpr bool holds_place() {
  if constexpr (std::same_as<T, text_place>) {
    return true;
  } else if constexpr (std::is_array_v<T>) {
    return holds_place<std::remove_all_extents_t<T>>();
  } else if constexpr (is_std_array<T>) {
    return holds_place<typename T::value_type>();
  } else if constexpr (has_fields<T>) {
    return decltype(with_fields(std::declval<const T&>(), std::declval<find_place>()))::value;
  } else {
    return false;
  }
}

struct find_place {
  template <class... Field>
  std::bool_constant<(holds_place<Field>() || ...)> operator()(const Field&...) const;
};

template <class Reduce>
struct holds_place_in_value : std::bool_constant<holds_place<typename Reduce::value_type>()> {};
template <class... R>
struct holds_place_in_value<slots<R...>> : std::bool_constant<(holds_place_in_value<R>::value || ...)> {};

/// Whether keys or values of a task have places of texts. A stored partial then has the texts, too.
template <class Task>
inline constexpr bool holds_places =
    holds_place<typename Task::key>() || holds_place_in_value<typename Task::reduce>::value;

}  // namespace duomap::detail
