// Declares the tasks of the sort engine's tests (sort_tasks.cu makes their GPU code).
#pragma once

#include "core/record/lines.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "tests/conformance/tasks.hpp"

#include <array>
#include <cstdint>

namespace duomap::test {

/// Gives a task a type of its own for the sort engine, because by default another engine runs the task.
template <class Task>
struct sorted : Task {};

/// The result depends on the order of all lines with the same first word.
struct line_chains {
  using format = lines;
  using key = byte_view;
  using reduce = compose;

  DUOMAP_HD void map(const line& l, auto& emit) const {
    std::uint64_t end = 0;
    while (end < l.text.size && l.text[end] != ' ') ++end;
    emit(l.text.sub(0, end), {mix(l.text) | 1, place_of(l)});
  }
};

/// Values of 200 bytes: the first line of each size, modulo 50.
struct first_lines {
  using format = lines;
  using key = std::uint32_t;
  using reduce = keep_first<std::array<char, 200>>;

  DUOMAP_HD void map(const line& l, auto& emit) const {
    emit(static_cast<std::uint32_t>(l.text.size % 50), head<200>(l.text));
  }
};

/// Emits 0 to 3 times for a word, with keys and values of 0 to 40 bytes in local buffers.
struct local_bytes {
  using format = words;
  using key = byte_view;
  using reduce = collect<byte_view>;

  bool grouped = false;

  [[nodiscard]] collect<byte_view> reduction() const { return {.grouped = grouped}; }
  DUOMAP_HD void map(byte_view word, auto& emit) const {
    const std::uint64_t m = mix(word);
    for (std::uint64_t i = 0; i < m % 4; ++i) {
      char key_bytes[40];
      char value_bytes[40];
      for (std::uint64_t at = 0; at < sizeof key_bytes; ++at) {
        key_bytes[at] = word[(at + i) % word.size];
        value_bytes[at] = word[word.size - 1 - at % word.size];
      }
      emit(byte_view{key_bytes, (m >> 8) % 41}, byte_view{value_bytes, (m >> 16) % 41});
    }
  }
};

/// An impure map: it detects the counting pass, emits `counted` times there, and `written` times later.
struct changing_emits {
  using format = words;
  using key = byte_view;
  using reduce = collect<std::uint32_t>;

  std::uint32_t counted = 1;
  std::uint32_t written = 1;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    std::uint32_t times = written;
    if constexpr (requires { emit.space(); }) times = counted;
    for (std::uint32_t i = 0; i < times; ++i) emit(word, i);
  }
};

/// An impure map with long keys: it always emits the same number of keys, but their bytes change.
struct changing_bytes {
  using format = lines;
  using key = byte_view;
  using reduce = collect<std::uint32_t>;

  std::uint64_t counted = 20;
  std::uint64_t written = 20;

  DUOMAP_HD void map(const line& l, auto& emit) const {
    std::uint64_t size = written;
    if constexpr (requires { emit.space(); }) size = counted;
    emit(l.text.sub(0, size < l.text.size ? size : l.text.size), 1);
  }
};

/// The key is the size of a line. Sizes of key_count() or more are an error.
struct lines_of_size {
  using format = lines;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 10; }
  DUOMAP_HD void map(const line& l, auto& emit) const { emit(l.text.size, 1); }
};

}  // namespace duomap::test

namespace duomap::gpu {

template <class Task>
inline constexpr bool has_code<test::sorted<Task>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::lines_by_head> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::even_indices> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::places_by_size> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::places_by_class> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::line_spans> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::first_places> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::word_chains> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::line_chains> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::first_lines> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::local_bytes> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::changing_emits> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::changing_bytes> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
