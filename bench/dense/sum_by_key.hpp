// Sums pairs by a dense key, to measure the dense engine.
#pragma once

#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"

#include <cstdint>

namespace duomap::apps {

/// Sums values by key. A row has a 32-bit key and a signed 32-bit value.
template <class Sum>
struct sum_by_key {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = sum<Sum>;

  std::uint64_t keys = 0;

  [[nodiscard]] static constexpr rows<std::uint32_t> records() { return {.width = 2}; }
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    emit(pair[0], static_cast<Sum>(static_cast<std::int32_t>(pair[1])));
  }
};

}  // namespace duomap::apps
