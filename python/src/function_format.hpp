// Declares the record formats of tasks whose map is a Python function. The format is chosen at run time.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/input/input_content.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"

#include <cstdint>
#include <variant>

namespace duomap::python {

/// One of three formats. A row has bytes here: only the compiled function knows the type of its numbers.
struct function_format {
  using record = byte_view;
  using any = std::variant<rows<char>, words, lines>;
  any of;
  bool of_bytes = false;  ///< rows of one-byte numbers, which may look like text

  [[nodiscard]] bool is_rows() const noexcept { return std::holds_alternative<rows<char>>(of); }

  [[nodiscard]] input_content content() const {
    if (!is_rows()) return input_content::text;
    return of_bytes ? input_content::records : input_content::numbers;
  }

  /// Calls use(byte_view) for every record of the chunk, in order.
  template <class Use>
  void for_each_record(const chunk& part, Use&& use) const {
    const auto bytes_of = [](const auto& one) -> byte_view {
      if constexpr (requires { one.text; }) {
        return one.text;
      } else if constexpr (requires { one.values; }) {
        return {one.values, one.width};
      } else {
        return one;
      }
    };
    std::visit(
        [&](const auto& format) {
          format.for_each_record(part, [&](const auto& one) { use(bytes_of(one)); });
        },
        of);
  }

  [[nodiscard]] std::uint64_t grain() const {
    return std::visit([](const auto& format) { return format.grain(); }, of);
  }
  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) const {
    return std::visit([&](const auto& format) { return format.first_start(source, from, limit); }, of);
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const {
    return std::visit([&](const auto& format) { return format.last_start(block); }, of);
  }
};

}  // namespace duomap::python
