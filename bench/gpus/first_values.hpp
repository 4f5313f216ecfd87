// A task with many keys whose answer depends on the order of the input.
#pragma once

#include "core/config.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>

namespace duomap::apps {

/// Reads rows of a 32-bit key and a 32-bit value and keeps the first value of each key.
struct first_by_key {
  using format = rows<std::uint32_t>;
  using key = std::uint32_t;
  using reduce = keep_first<std::uint32_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const { emit(pair[0], pair[1]); }
};

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::first_by_key> = DUOMAP_HAS_CUDA;
