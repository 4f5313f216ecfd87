// Caches kernel rows up to a number of bytes.
// host only
#pragma once

#include "core/zeroed_memory.hpp"

#include <cstdint>
#include <list>
#include <vector>

namespace duomap {

/// Memory for kernel rows of `length` values each. The cache keeps the rows of the latest rounds.
template <class T>
class kernel_cache {
 public:
  /// Keeps as many rows as `bytes` hold, at most `rows` of them. A cache without room for any row is valid.
  /// @throws out_of_memory
  kernel_cache(std::uint64_t rows, std::uint64_t length, std::uint64_t bytes);

  /// Begins a round. Until the next round begins, the cache keeps every row that is asked for.
  void begin_round() noexcept { ++round_; }

  /// The values of a row; nullptr when they are not kept.
  [[nodiscard]] const T* find(std::uint32_t row);

  /// Returns the place for a new row, which it takes from the row used longest ago; nullptr when every row
  /// was used in this round.
  [[nodiscard]] T* make_room(std::uint32_t row);

 private:
  struct slot {
    std::uint64_t row;
    std::uint64_t used;
    std::uint64_t place;
  };

  [[nodiscard]] T* values(const slot& one) { return static_cast<T*>(memory_.get()) + one.place * length_; }

  std::uint64_t length_;
  std::uint64_t most_;
  std::uint64_t round_ = 0;
  std::list<slot> slots_;                                    ///< the row used last comes first
  std::vector<typename std::list<slot>::iterator> slot_of_;  ///< slots_.end(): not kept
  zeroed_memory memory_;
};

}  // namespace duomap
