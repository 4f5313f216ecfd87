// Records the grains that devices have claimed and not committed.
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
/// Threads: only the dispatcher calls it, with its mutex held, which guards all of it. So one step takes
/// grains and puts them on record, for all devices: a thread that finds no free grain under the mutex also
/// sees which devices hold some.
class device_ledger {
 public:
  explicit device_ledger(std::size_t executors) : entries_(executors) {}

  void claimed(unsigned device, grain_range grains);
  /// The device gives back `grains`, the last ones of its newest claim. Other executors may take them.
  void returned(unsigned device, grain_range grains);

  /// A commit of the recorded claims begins; later claims are not part of it.
  void commits(unsigned device);
  /// That commit has ended.
  void committed(unsigned device);
  /// The number of commits that have ended.
  [[nodiscard]] std::uint64_t commits_of(unsigned device) const noexcept { return entries_[device].commits; }

  /// Takes a lost device off the record and returns the grains that others must do: its uncommitted claims
  /// and, with `committing_too`, those of the commit in progress.
  [[nodiscard]] std::vector<grain_range> failed(unsigned device, bool committing_too);

  /// Whether a device holds claims that no commit has begun with.
  [[nodiscard]] bool holds_uncommitted(unsigned device) const noexcept {
    return !entries_[device].uncommitted.empty();
  }
  /// The grains of the newest such claim; 0: there is none.
  [[nodiscard]] std::uint32_t newest(unsigned device) const noexcept {
    return holds_uncommitted(device) ? entries_[device].uncommitted.back().size() : 0;
  }
  /// Whether a device holds any claim, in a commit or not.
  [[nodiscard]] bool holds(unsigned device) const noexcept {
    return holds_uncommitted(device) || !entries_[device].committing.empty();
  }
  [[nodiscard]] bool others_hold(unsigned device) const noexcept;

  /// Grains that devices have claimed and not given back, committed ones included.
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
