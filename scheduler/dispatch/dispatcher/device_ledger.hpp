// Records the grains that devices have claimed but not committed.
#pragma once

#include "scheduler/dispatch/dispatcher/interval.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace duomap::scheduler {

/// Records the grains that devices hold, claim by claim. If a device is lost, others do the grains that it
/// has not committed. A claim stays on record until it is given back, or until the commit after its end has
/// ended. Pools are not in the record, because the grains that they finish are safe.
///
/// Threads: only the dispatcher calls it, with its mutex held. So one step takes grains and records them. A
/// thread that finds no free grain under the mutex also sees which devices hold some.
class device_ledger {
 public:
  explicit device_ledger(std::size_t executors) : entries_(executors) {}

  void claimed(unsigned device, grain_range grains);
  /// The device gives back `grains`, the last ones of its newest claim. Other executors may take them.
  void returned(unsigned device, grain_range grains);

  /// A commit of all recorded claims begins. Later claims are not part of the commit.
  void commits(unsigned device);
  /// The commit in progress has ended.
  void committed(unsigned device);
  /// The number of commits that have ended.
  [[nodiscard]] std::uint64_t commits_of(unsigned device) const noexcept { return entries_[device].commits; }

  /// Removes a lost device from the record. Returns the grains that others must do: those of its uncommitted
  /// claims and, with `committing_too`, those of the commit in progress.
  [[nodiscard]] std::vector<grain_range> failed(unsigned device, bool committing_too);

  /// Whether a device holds claims that are not part of a commit.
  [[nodiscard]] bool holds_uncommitted(unsigned device) const noexcept {
    return !entries_[device].uncommitted.empty();
  }
  /// The number of grains in the newest claim that is not part of a commit; 0: there is none.
  [[nodiscard]] std::uint32_t newest(unsigned device) const noexcept {
    return holds_uncommitted(device) ? entries_[device].uncommitted.back().size() : 0;
  }
  /// Whether a device holds any claim, in a commit or not.
  [[nodiscard]] bool holds(unsigned device) const noexcept {
    return holds_uncommitted(device) || !entries_[device].committing.empty();
  }
  [[nodiscard]] bool others_hold(unsigned device) const noexcept;

  /// The number of grains that devices have claimed and not given back, including committed ones.
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
