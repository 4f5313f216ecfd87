// The consumer's task, as docs/reference/task.md shows it.
#pragma once

#include <duomap.hpp>

struct wordcount {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

template <>
inline constexpr bool duomap::gpu::has_code<wordcount> = DUOMAP_HAS_CUDA;
