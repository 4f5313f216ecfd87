// The keys and values of any task as cells of a table.
// host only
#pragma once

#include "apps/cli/float_cell.hpp"
#include "core/byte_view.hpp"
#include "core/input/input_texts.hpp"
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

namespace duomap::apps {

namespace detail {

template <class T>
inline constexpr bool is_text = false;
template <std::size_t N>
inline constexpr bool is_text<std::array<char, N>> = true;

}  // namespace detail

/// Calls use(cell) for each number of a key or value, which an enumeration is, too, or once for a text;
/// use(place) for the place of a text. A struct has up to eight of them, and no array: otherwise the task's
/// finish() makes such a struct of it.
template <class T, class Use>
void for_each_cell(const T& content, Use&& use) {
  if constexpr (std::same_as<T, text_place>) {
    use(content);
  } else if constexpr (std::same_as<T, byte_view>) {
    use(cell{content});
  } else if constexpr (detail::is_text<T>) {
    std::size_t size = content.size();
    while (size > 0 && content[size - 1] == '\0') --size;
    use(cell{byte_view{content.data(), size}});
  } else if constexpr (std::floating_point<T>) {
    use(number_cell(content));
  } else if constexpr (std::unsigned_integral<T>) {
    use(cell{std::uint64_t{content}});
  } else if constexpr (std::signed_integral<T>) {
    use(cell{std::int64_t{content}});
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

/// The places of texts in a value are added to `places`.
template <class T>
void add_places(const T& value, std::vector<text_place>& places) {
  for_each_cell(value, [&]<class Content>(const Content& content) {
    if constexpr (std::same_as<Content, text_place>) places.push_back(content);
  });
}

/// Cells of what for_each_cell() gives: a text in place of its place.
struct cell_with_texts {
  const input_texts& texts;

  [[nodiscard]] cell operator()(const cell& one) const { return one; }
  [[nodiscard]] cell operator()(const text_place& place) const { return cell{texts[place]}; }
};

}  // namespace duomap::apps
