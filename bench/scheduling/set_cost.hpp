// The synthetic task of the scheduling benchmark: a sum over rows, each of which costs a given number of
// steps.
#pragma once

#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>
#include <string>

namespace duomap::apps {

/// Mixes each row of 64 bytes with itself `steps` times and adds up the results. Each step waits for the step
/// before it, so that a core takes 5 cycles for a step, whatever its vector units. The answer is an integer
/// and so the same on every device.
struct set_cost {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;

  std::uint32_t steps = 0;

  [[nodiscard]] static constexpr rows<std::uint32_t> records() { return {.width = 16}; }
  [[nodiscard]] std::string profile_parameters() const { return std::to_string(steps); }

  DUOMAP_HD void map(const row<std::uint32_t>& record, auto& emit) const {
    std::uint32_t mixed = 0;
    for (std::uint32_t i = 0; i < 16; ++i) mixed += record[i];
    for (std::uint32_t step = 0; step < steps; ++step) mixed = (mixed ^ (mixed >> 15)) * 0x2C1B3C6Du;
    emit(mixed);
  }
};

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::set_cost> = DUOMAP_HAS_CUDA;
