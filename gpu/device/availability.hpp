// Which devices a run gets, and why not others.
#pragma once

#include "core/input/input.hpp"
#include "core/job_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::gpu {

/// Below this much input per CPU worker, `auto` leaves GPUs alone. Starting CUDA takes about 0.25 s, in which
/// a worker maps some 0.13 GB; so the GPU has at least as long to win back what it costs.
inline constexpr std::uint64_t auto_bytes_per_worker = std::uint64_t{256} << 20;

/// When CUDA has been asked before, its devices cost a thread each: this much input may be worth that.
inline constexpr std::uint64_t auto_bytes_when_asked = std::uint64_t{16} << 20;

/// The same in seconds that the CPU would need, when that is known: of a process that has not asked CUDA, and
/// of one that has. There the smallest run takes an H200 0.5 to 0.65 ms, and a thread for it 0.05 ms.
inline constexpr double auto_seconds = 0.3;
inline constexpr double auto_seconds_when_asked = 2e-3;

/// The devices of a run.
struct device_plan {
  bool cpu = true;
  std::vector<int> gpus;  ///< their device_info::index
  std::string
      note;  ///< why there is no GPU, as a sentence for the report; empty when there is, or none was wanted
};

/// What is known of a run beforehand.
struct run_size {
  std::uint64_t direct_bytes = 0;  ///< direct_bytes_of()
  double cpu_seconds = 0;          ///< that the CPU alone would need; 0 when not known
};

/// What `choice` means for a run of that size on a CPU with `workers` workers. `has_code`: whether the
/// program has GPU code for the task. Asks CUDA for its devices only when the answer depends on them, because
/// that alone takes tens of milliseconds; makes no context.
/// @throws device_unavailable with the reason when `choice` demands a GPU that cannot be had
[[nodiscard]] device_plan plan_devices(device_choice choice, bool has_code, const run_size& size,
                                       unsigned workers);

/// Bytes of an input that a device can be fed from where they lie: not streams, not compressed files.
[[nodiscard]] std::uint64_t direct_bytes_of(const input& from);

}  // namespace duomap::gpu
