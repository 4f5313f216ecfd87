// What an executor is, as far as the scheduler treats executors differently.
#pragma once

#include <cstdint>

namespace duomap {

enum class executor_kind : std::uint8_t {
  pool,    ///< many workers at the memory of the input; what they have finished is safe
  device,  ///< one worker, to which chunks travel; what it has not committed may be lost with it
};

struct executor_traits {
  executor_kind kind = executor_kind::pool;
  /// Of a device: bytes of an addressable source worth claiming at once. Such claims come from the low end of
  /// the input. A pool gets leaves that keep many workers evenly busy, from the other end when both are at
  /// work.
  std::uint64_t claim_bytes = 0;
  /// Of a pool: a worker takes less for chunks that follow each other in the input, and leaves less to merge.
  /// So its claims are large where no device takes part, and it gets them chunk by chunk.
  bool prefers_adjacent = false;
  /// Of a pool: it maps one record after another, and its chunks may be smaller than the format's grains.
  bool maps_records = false;
  /// Of a pool: worker_pool::wake_seconds(). So long one worker does a small input alone.
  double wake_seconds = 0;

  [[nodiscard]] constexpr bool is_device() const noexcept { return kind == executor_kind::device; }
};

}  // namespace duomap
