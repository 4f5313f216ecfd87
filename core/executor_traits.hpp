// The properties of an executor by which the scheduler treats executors differently.
#pragma once

#include <cstdint>

namespace duomap {

enum class executor_kind : std::uint8_t {
  pool,    ///< many workers at the memory of the input; the chunks that they have finished are safe
  device,  ///< one worker, to which chunks travel; the chunks that it has not committed may be lost with it
};

struct executor_traits {
  executor_kind kind = executor_kind::pool;
  /// Devices: bytes of an addressable source worth claiming at once. A device claims from the low end of its
  /// interval. A pool gets small claims, which keep many workers evenly busy; beside devices they come from
  /// the high end.
  std::uint64_t claim_bytes = 0;
  /// Pools: a worker needs less time for chunks that follow each other in the input, and leaves less to
  /// merge. So its claims are large where no device takes part, and it gets them chunk by chunk.
  bool prefers_adjacent = false;
  /// Pools: the pool maps one record after another, and its chunks may be smaller than the format's grains.
  bool maps_records = false;
  /// Pools: worker_pool::wake_seconds(), the time for which one worker does a small input alone.
  double wake_seconds = 0;

  [[nodiscard]] constexpr bool is_device() const noexcept { return kind == executor_kind::device; }
};

}  // namespace duomap
