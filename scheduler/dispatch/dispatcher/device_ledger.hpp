// What devices have claimed and not committed.
#pragma once

#include "scheduler/dispatch/dispatcher/interval.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace duomap::scheduler {

/// The record of the grains that devices hold, claim by claim. If a device is lost, others do the grains that
/// it has not committed. A claim is on record until the commit after it has ended, or until it is given back.
/// Pools are not in it, because the grains that they finish are safe.
///
/// Threads: only the dispatcher calls it, with its mutex held; that mutex guards all of it. So taking grains
/// and putting them on record is one step for all devices: a thread that finds no free grain under the mutex
/// also sees which devices hold some.
class device_ledger {
 public:
  explicit device_ledger(std::size_t executors) : entries_(executors) {}

  void claimed(unsigned device, grain_range grains);
  /// `grains`, the end of the newest claim, come back.
  void returned(unsigned device, grain_range grains);

  /// What is on record begins to be committed; what is claimed later is not part of it.
  void commits(unsigned device);
  /// And was committed.
  void committed(unsigned device);
  /// How many commits have ended.
  [[nodiscard]] std::uint64_t commits_of(unsigned device) const noexcept { return entries_[device].commits; }

  /// Takes a device that is lost off the record. What comes back: all it held, but what it was committing
  /// only with `committing_too`.
  [[nodiscard]] std::vector<grain_range> failed(unsigned device, bool committing_too);

  /// Whether a device holds claims that no commit has begun with.
  [[nodiscard]] bool holds_uncommitted(unsigned device) const noexcept {
    return !entries_[device].uncommitted.empty();
  }
  /// Grains of the newest of those claims; 0: there is none.
  [[nodiscard]] std::uint32_t newest(unsigned device) const noexcept {
    return holds_uncommitted(device) ? entries_[device].uncommitted.back().size() : 0;
  }
  /// Whether it holds anything, in a commit or not.
  [[nodiscard]] bool holds(unsigned device) const noexcept {
    return holds_uncommitted(device) || !entries_[device].committing.empty();
  }
  [[nodiscard]] bool others_hold(unsigned device) const noexcept;

  /// Grains that devices have claimed and that did not come back, committed ones among them.
  [[nodiscard]] std::uint64_t grains() const noexcept { return grains_; }

 private:
  struct entry {
    std::vector<grain_range> uncommitted;
    std::vector<grain_range> committing;
    std::uint64_t commits = 0;
  };
  std::vector<entry> entries_;
  std::uint64_t grains_ = 0;
};

}  // namespace duomap::scheduler
