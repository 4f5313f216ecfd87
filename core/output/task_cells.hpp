// Makes a table's cells of the keys and values of any task.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input_texts.hpp"
#include "core/output/float_cell.hpp"
#include "core/output/table_writer.hpp"
#include "core/text_place.hpp"
#include "core/verify/struct_fields.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

namespace detail {

template <class T>
inline constexpr bool is_text = false;
template <std::size_t N>
inline constexpr bool is_text<std::array<char, N>> = true;

}  // namespace detail

/// Calls use() for each part of a key or value: use(number) with a std::uint64_t, std::int64_t or double
/// (also for an enumeration), use(byte_view) for a text, use(place) for the place of a text. A struct may
/// have up to eight fields and no array; the task's finish() must turn any other value into such a struct.
template <class T, class Use>
void for_each_cell(const T& content, Use&& use) {
  if constexpr (std::same_as<T, text_place>) {
    use(content);
  } else if constexpr (std::same_as<T, byte_view>) {
    use(content);
  } else if constexpr (detail::is_text<T>) {
    std::size_t size = content.size();
    while (size > 0 && content[size - 1] == '\0') --size;
    use(byte_view{content.data(), size});
  } else if constexpr (std::floating_point<T>) {
    use(number_cell(content));
  } else if constexpr (std::unsigned_integral<T>) {
    use(std::uint64_t{content});
  } else if constexpr (std::signed_integral<T>) {
    use(std::int64_t{content});
  } else if constexpr (std::is_enum_v<T>) {
    for_each_cell(static_cast<std::underlying_type_t<T>>(content), use);
  } else {
    static_assert(
        has_fields<T>,
        "a result is a number, a text (std::array<char, N> or text_place) or a struct of up to eight of "
        "them: give the task a finish() that makes one of its value");
    if constexpr (has_fields<T>)
      with_fields(content, [&](const auto&... field) { (for_each_cell(field, use), ...); });
  }
}

/// Adds the places of all texts in a value to `places`.
template <class T>
void add_places(const T& value, std::vector<text_place>& places) {
  for_each_cell(value, [&]<class Content>(const Content& content) {
    if constexpr (std::same_as<Content, text_place>) places.push_back(content);
  });
}

/// Makes cells of the parts that for_each_cell() gives. The place of a text becomes the text.
struct cell_with_texts {
  const input_texts& texts;

  [[nodiscard]] cell operator()(const cell& one) const { return one; }
  [[nodiscard]] cell operator()(const text_place& place) const { return cell{texts[place]}; }
};

}  // namespace duomap
