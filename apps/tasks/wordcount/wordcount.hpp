// Counts how often each word occurs in a text.
#pragma once

#include "core/config.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>

namespace duomap::apps {

/// The task: word -> 1, summed. Source: Chen & Agrawal (HPDC 2012), section 5. Dean & Ghemawat (OSDI 2004)
/// introduced MapReduce with this example.
struct wordcount {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;

  bool lower_case = false;  ///< count "The" as "the"; ASCII letters only

  [[nodiscard]] words records() const { return {.lower_case = lower_case}; }
  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(word, 1); }
};

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::wordcount> = DUOMAP_HAS_CUDA;
