// Hands out the grains that no executor has.
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

/// The free grains of a run: intervals from whose ends grains are taken, and grains that came back. The queue
/// hands out each grain once, until that grain comes back. The caller says how many grains an executor takes,
/// and how fast the owners of intervals are.
///
/// Threads: any thread may call any method. An interval is one atomic word, so a claim from it is one
/// compare-and-swap. Grains that came back are in a list. A claim locks the list's mutex only if the list is
/// not empty, and no other lock is taken meanwhile. The counts are relaxed, because a claim that was sized by
/// a wrong count finds that out. If grains must be recorded, the caller does it.
class grain_queue {
 public:
  /// `shares`: an executor with a share above 0 owns an interval of that length, in the order of executors.
  /// Without any such share, one interval is for all. `exclusive`: no executor takes from the interval of
  /// another.
  grain_queue(std::uint32_t grains, std::span<const double> shares, bool exclusive);

  /// The number of grains of the whole run.
  [[nodiscard]] std::uint32_t total() const noexcept { return total_; }
  [[nodiscard]] std::size_t intervals() const noexcept { return intervals_.size(); }

  /// The number of free grains. It may be out of date when the function returns.
  [[nodiscard]] std::uint32_t free_grains() const noexcept;
  /// The number of free grains that executor `index` may take.
  [[nodiscard]] std::uint32_t left_for(unsigned index) const noexcept;

  /// Takes up to `grains` grains for an executor: from the low end of its own interval or of the interval for
  /// all, else from the grains that came back, else from the high end of the interval that would take its
  /// owner longest. `seconds_per_grain(owner)` is the owner's time for a grain, and is larger for an owner
  /// that is not running. Returns an empty range if no grains are free, or if others were faster.
  template <class SecondsPerGrain>
  [[nodiscard]] grain_range take(unsigned index, std::uint32_t grains,
                                 const SecondsPerGrain& seconds_per_grain) {
    if (const grain_range taken = take_near(index, grains); !taken.empty()) return taken;
    if (const grain_range taken = take_returned(grains); !taken.empty()) return taken;
    return exclusive_ ? grain_range{} : take_far(grains, seconds_per_grain);
  }

  /// Makes taken grains free again.
  void give_back(grain_range grains);

  /// With `exclusive`: moves the interval of an executor that gets no more grains to the grains that came
  /// back, so that others can take it.
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
  // The constructor sets the lengths of intervals_ and owners_, which never change.
  std::vector<std::unique_ptr<interval>> intervals_;
  std::vector<std::optional<unsigned>> owners_;  // the owner of each interval; no value: it is for all

  std::mutex mutex_;
  std::vector<grain_range> returned_;  // guarded by mutex_
  // The number of grains in returned_. It is written under mutex_. A claim reads it without the mutex, to see
  // whether locking is worth it.
  std::atomic<std::uint32_t> returned_grains_{0};
};

}  // namespace duomap::scheduler
