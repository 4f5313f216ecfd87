// Kernel rows that are kept, up to a bound.
// host only
#pragma once

#include "core/zeroed_memory.hpp"

#include <cstdint>
#include <list>
#include <vector>

namespace duomap {

/// Room for some kernel rows of `length` values each. Which rows stay: those that were used last, by rounds.
class kernel_cache {
 public:
  /// As many rows as `bytes` hold, at most `rows` of them; none is as good as any.
  /// @throws out_of_memory
  kernel_cache(std::uint64_t rows, std::uint64_t length, std::uint64_t bytes);

  /// Rows that have been asked for since then are not given up in the round that begins now.
  void begin_round() noexcept { ++round_; }

  /// The values of a row; nullptr when they are not kept.
  [[nodiscard]] const float* find(std::uint32_t row);

  /// Room for the values of a row that is not kept, instead of the one that was used longest ago; nullptr
  /// when all are of this round.
  [[nodiscard]] float* make_room(std::uint32_t row);

 private:
  struct slot {
    std::uint64_t row;
    std::uint64_t used;
    std::uint64_t place;
  };

  [[nodiscard]] float* values(const slot& one) {
    return static_cast<float*>(memory_.get()) + one.place * length_;
  }

  std::uint64_t length_;
  std::uint64_t most_;
  std::uint64_t round_ = 0;
  std::list<slot> slots_;                           ///< used last first
  std::vector<std::list<slot>::iterator> slot_of_;  ///< slots_.end(): not kept
  zeroed_memory memory_;
};

}  // namespace duomap
