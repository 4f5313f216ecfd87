// Declares a task that maps chunks on the CPU with a Python function that Numba compiled.
#pragma once

#include "core/chunk.hpp"
#include "core/key.hpp"
#include "cpu/scan/scanner_for.hpp"
#include "flushing_batch.hpp"
#include "function_facts.hpp"
#include "function_reduction.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace duomap::python {

template <class Key, class Value>
struct function_task {
  using format = function_format;
  using key = Key;
  using reduce = function_reduction<Value>;

  function_facts facts;

  [[nodiscard]] function_format records() const { return facts.format; }
  [[nodiscard]] reduce reduction() const { return {facts.operation}; }
  [[nodiscard]] std::uint64_t key_count() const requires std::same_as<Key, dense> { return facts.key_count; }

  void map_chunk(const chunk& part, auto& emit) const {
    if (facts.format.is_rows()) {
      flushing_batch<Key, Value, std::remove_reference_t<decltype(emit)>> batch(facts, part, emit);
      batch.call(nullptr, nullptr, part.size / std::get<rows<char>>(facts.format.of).row_bytes());
    } else if (const auto* text = std::get_if<words>(&facts.format.of); text != nullptr) {
      map_texts(*text, part, emit);
    } else {
      map_texts(std::get<lines>(facts.format.of), part, emit);
    }
  }

 private:
  static byte_view bytes_of(byte_view word) { return word; }
  static byte_view bytes_of(const line& one) { return one.text; }

  template <class Format>
  void map_texts(const Format& records_of, const chunk& part, auto& emit) const {
    constexpr std::size_t together = 512;
    std::array<std::uint64_t, together> begins;
    std::array<std::uint64_t, together> ends;
    std::size_t count = 0;
    cpu::scanner_for<Format> scanner;
    const chunk prepared = scanner.prepare(records_of, part);
    flushing_batch<Key, Value, std::remove_reference_t<decltype(emit)>> batch(facts, prepared, emit);
    scanner.for_each_record(records_of, prepared, [&](const auto& record) {
      const byte_view bytes = bytes_of(record);
      begins[count] = static_cast<std::uint64_t>(bytes.data - prepared.data);
      ends[count] = begins[count] + bytes.size;
      if (++count < together) return;
      batch.call(begins.data(), ends.data(), count);
      count = 0;
    });
    if (count > 0) batch.call(begins.data(), ends.data(), count);
  }
};

}  // namespace duomap::python
