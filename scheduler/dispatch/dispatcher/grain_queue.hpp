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

/// The free grains of a run: intervals that are eaten from their ends, and grains that came back. It hands
/// out each grain once, until that grain comes back. It knows no speeds: the caller says how many grains an
/// executor takes, and how fast the owners of intervals are.
///
/// Threads: any thread may call any method. An interval is one atomic word, so a claim from it is one
/// compare-and-swap. Grains that came back are in a list under the queue's own mutex, which a claim locks
/// only when the list is not empty; no other lock is taken under it. Counts are relaxed: they size claims,
/// and a claim finds out when they were wrong. The caller records the taken grains elsewhere if it must.
class grain_queue {
 public:
  /// `shares`: an executor with a share above 0 owns an interval of that length, in the order of executors;
  /// without such a share one interval is for all. `exclusive`: an executor takes nothing from the interval
  /// of another.
  grain_queue(std::uint32_t grains, std::span<const double> shares, bool exclusive);

  /// The grains of the whole run.
  [[nodiscard]] std::uint32_t total() const noexcept { return total_; }
  [[nodiscard]] std::size_t intervals() const noexcept { return intervals_.size(); }

  /// The number of free grains; already out of date when it returns.
  [[nodiscard]] std::uint32_t free_grains() const noexcept;
  /// The free grains that executor `index` may take.
  [[nodiscard]] std::uint32_t left_for(unsigned index) const noexcept;

  /// Up to `grains` grains: from the low end of the executor's own interval or of the one for all; else of
  /// the grains that came back; else from the high end of the interval that would take its owner longest.
  /// `seconds_per_grain(owner)` is the owner's time for a grain; larger for an owner that is not running.
  /// Empty when no grains are free, or when others were faster.
  template <class SecondsPerGrain>
  [[nodiscard]] grain_range take(unsigned index, std::uint32_t grains,
                                 const SecondsPerGrain& seconds_per_grain) {
    if (const grain_range taken = take_near(index, grains); !taken.empty()) return taken;
    if (const grain_range taken = take_returned(grains); !taken.empty()) return taken;
    return exclusive_ ? grain_range{} : take_far(grains, seconds_per_grain);
  }

  /// Makes taken grains free again.
  void give_back(grain_range grains);

  /// Under `exclusive`, puts the interval of an executor that gets no more grains among the returned grains,
  /// so that the others can take it.
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
  // The constructor sets the lengths of intervals_ and owners_; they never change.
  std::vector<std::unique_ptr<interval>> intervals_;
  std::vector<std::optional<unsigned>> owners_;  // of the intervals; nothing: for all

  std::mutex mutex_;
  std::vector<grain_range> returned_;  // guarded by mutex_
  // The number of grains in returned_. Written under mutex_; a claim reads it without, to see whether locking
  // is worth it.
  std::atomic<std::uint32_t> returned_grains_{0};
};

}  // namespace duomap::scheduler
