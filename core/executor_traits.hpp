// The properties by which the scheduler treats executors differently.
#pragma once

#include <cstdint>

namespace duomap {

enum class executor_kind : std::uint8_t {
  pool,    ///< many workers at the memory of the input; the chunks that they have finished are safe
  device,  ///< one worker, to which chunks travel; the chunks that it has not committed may be lost with it
};

struct executor_traits {
  executor_kind kind = executor_kind::pool;
  /// Devices: the size in bytes of a claim that is worth its cost. A device claims from the low end of its
  /// interval. A pool claims less, so that its workers end together, and beside devices from the high end.
  std::uint64_t claim_bytes = 0;
  /// Pools: a worker is faster with chunks that are neighbours in the input, and then leaves less work to the
  /// merge. So without devices its claims are large, and it gets each claim chunk by chunk.
  bool prefers_adjacent = false;
  /// Pools: the pool maps record by record, so its chunks may be smaller than a grain of the format.
  bool maps_records = false;
  /// Pools: worker_pool::wake_seconds(). One worker does a small input alone for this time.
  double wake_seconds = 0;

  [[nodiscard]] constexpr bool is_device() const noexcept { return kind == executor_kind::device; }
};

}  // namespace duomap
