// A range of grains from whose two ends executors take grains.
#pragma once

#include "core/config.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace duomap::scheduler {

/// The consecutive grains [begin, end). The range is empty if begin == end.
struct grain_range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
};

/// Grains that nobody has taken yet. Any thread may call any method. Both ends are in one atomic word, so a
/// claim is one compare-and-swap, and no grain is handed out twice. A fast and a slow executor take from
/// different ends, and the place where the ends meet is the split between them.
class interval {
 public:
  explicit interval(std::uint32_t grains) noexcept : interval(grain_range{0, grains}) {}
  explicit interval(grain_range grains) noexcept : ends_(pack(grains)) {}

  /// The number of grains left. It may be out of date when the function returns.
  [[nodiscard]] std::uint32_t remaining() const noexcept {
    // The load is relaxed, because the number only sizes a claim. The claim's compare-and-swap finds out if
    // the number was wrong.
    return unpack(ends_.load(std::memory_order_relaxed)).size();
  }

  /// Takes up to `grains` grains from the low end. Returns an empty range if none are left.
  grain_range take_front(std::uint32_t grains) noexcept {
    return take([grains](grain_range& left) {
      const std::uint32_t count = std::min(grains, left.size());
      left.begin += count;
      return grain_range{left.begin - count, left.begin};
    });
  }

  /// Takes up to `grains` grains from the high end. Returns an empty range if none are left.
  grain_range take_back(std::uint32_t grains) noexcept {
    return take([grains](grain_range& left) {
      const std::uint32_t count = std::min(grains, left.size());
      left.end -= count;
      return grain_range{left.end, left.end + count};
    });
  }

  /// Undoes the last take_front(), which returned `taken`. Requires that only one thread calls take_front().
  void give_back_front(grain_range taken) noexcept {
    if (taken.empty()) return;
    std::uint64_t seen = ends_.load(std::memory_order_relaxed);
    while (!ends_.compare_exchange_weak(seen, pack({taken.begin, unpack(seen).end}),
                                        std::memory_order_relaxed)) {
    }
  }

 private:
  [[nodiscard]] static std::uint64_t pack(grain_range r) noexcept {
    return std::uint64_t{r.begin} << 32 | r.end;
  }
  [[nodiscard]] static grain_range unpack(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }

  template <class Cut>
  grain_range take(const Cut& cut) noexcept {
    std::uint64_t seen = ends_.load(std::memory_order_relaxed);
    while (true) {
      grain_range left = unpack(seen);
      const grain_range taken = cut(left);
      // Relaxed order is enough, because a claim publishes no other data. Starting the workers orders the
      // input before their work, and joining them orders their results after it.
      if (taken.empty() || ends_.compare_exchange_weak(seen, pack(left), std::memory_order_relaxed))
        return taken;
    }
  }

  alignas(cache_separation) std::atomic<std::uint64_t> ends_;
};

}  // namespace duomap::scheduler
