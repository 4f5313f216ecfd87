// The record formats of functions, of which one is chosen when the task is made.
#pragma once

#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"

#include <cstdint>
#include <variant>

namespace duomap::python {

/// Rows are bytes here: the function knows their type.
struct function_format {
  using record = byte_view;
  using any = std::variant<rows<char>, words, lines>;
  any of;

  [[nodiscard]] bool is_rows() const noexcept { return std::holds_alternative<rows<char>>(of); }

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
