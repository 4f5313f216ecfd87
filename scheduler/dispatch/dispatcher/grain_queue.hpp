// The grains that no executor has.
#pragma once

#include "scheduler/dispatch/dispatcher/interval.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace duomap::scheduler {

/// The free grains of a run: intervals that are eaten from their ends, and grains that came back. It hands
/// out each grain once, until that comes back, and knows nothing of speeds: the caller says how many, and
/// from which interval an executor takes that has none of its own.
///
/// Threads: any thread may call any method. An interval is one atomic word, so a claim from it is one
/// compare-and-swap. Grains that came back are in a list under the queue's own mutex, which a claim
/// locks only when there are some; no other lock is taken under it. Counts are relaxed: they size claims, and
/// a claim finds out when they were wrong. Whether a taken grain is on record elsewhere is the caller's
/// business.
class grain_queue {
 public:
  /// `shares`: an executor with a share above 0 owns an interval as long as that, in the order of executors;
  /// when there is none, one interval is for all. `exclusive`: an executor takes from no interval of
  /// another.
  grain_queue(std::uint32_t grains, std::span<const double> shares, bool exclusive);

  /// Of the whole run.
  [[nodiscard]] std::uint32_t total() const noexcept { return total_; }
  [[nodiscard]] std::size_t intervals() const noexcept { return intervals_.size(); }

  /// Grains that no executor has; already out of date when it returns.
  [[nodiscard]] std::uint32_t free_grains() const noexcept;
  /// Those of them that executor `index` may take.
  [[nodiscard]] std::uint32_t left_for(unsigned index) const noexcept;

  /// Up to `grains` grains: from the low end of an interval that is the executor's own or for all; else
  /// of those that came back; else from the high end of the interval that would take its owner longest.
  /// `seconds_per_grain(owner)`: as the owner would need; more than that for an owner that does not run.
  /// Empty when there are none, or when others were faster.
  template <class SecondsPerGrain>
  [[nodiscard]] grain_range take(unsigned index, std::uint32_t grains,
                                 const SecondsPerGrain& seconds_per_grain) {
    if (const grain_range taken = take_near(index, grains); !taken.empty()) return taken;
    if (const grain_range taken = take_returned(grains); !taken.empty()) return taken;
    return exclusive_ ? grain_range{} : take_far(grains, seconds_per_grain);
  }

  /// Grains that were taken are free again.
  void give_back(grain_range grains);

  /// Leaves the interval of an executor that gets no grains any more to the others, where they could not
  /// touch it.
  void disown(unsigned index);

 private:
  [[nodiscard]] grain_range take_near(unsigned index, std::uint32_t grains) noexcept;
  [[nodiscard]] grain_range take_returned(std::uint32_t grains);

  template <class SecondsPerGrain>
  [[nodiscard]] grain_range take_far(std::uint32_t grains,
                                     const SecondsPerGrain& seconds_per_grain) noexcept {
    std::size_t longest = 0;
    double most_seconds = -1;
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (!owners_[i] || intervals_[i]->remaining() == 0) continue;
      const double seconds = intervals_[i]->remaining() * seconds_per_grain(*owners_[i]);
      if (seconds > most_seconds) {
        most_seconds = seconds;
        longest = i;
      }
    }
    return most_seconds < 0 ? grain_range{} : intervals_[longest]->take_back(grains);
  }

  const std::uint32_t total_;
  const bool exclusive_;
  // Neither changes its length after the constructor.
  std::vector<std::unique_ptr<interval>> intervals_;
  std::vector<std::optional<unsigned>> owners_;  // of the intervals; nothing: for all

  std::mutex mutex_;
  std::vector<grain_range> returned_;  // guarded by mutex_
  // Grains in returned_. Written under mutex_; read without, to see whether locking is worth it.
  std::atomic<std::uint32_t> returned_grains_{0};
};

}  // namespace duomap::scheduler
