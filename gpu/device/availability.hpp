// Which devices a run gets, and why not others.
#pragma once

#include "core/input/input.hpp"
#include "core/job_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::gpu {

/// Below this much input per CPU worker, `auto` leaves GPUs alone that are not started yet, when nothing is
/// known of the task. Starting CUDA takes about 0.25 s, in which a worker maps some 0.13 GB; so the GPU has
/// at least as long to win back what it costs.
inline constexpr std::uint64_t auto_bytes_per_worker = std::uint64_t{256} << 20;

/// The same when one is started: the smallest run takes an H200 0.5 ms, and offering it costs a thread.
inline constexpr std::uint64_t auto_bytes_when_started = std::uint64_t{16} << 20;

/// When it is known what the CPU alone takes, that must be at least twice what starting CUDA takes; or, with
/// a context made, what a run of 1 KB takes on an H200.
inline constexpr double auto_cold_seconds = 0.5;
inline constexpr double auto_warm_seconds = 0.5e-3;

/// What is known of a run beforehand.
struct run_outlook {
  std::uint64_t direct_bytes = 0;                    ///< direct_bytes_of()
  std::uint64_t addressable_units = 0;               ///< of everything but streams, which the CPU reads
  unsigned workers = 1;                              ///< of the CPU
  std::optional<double> cpu_seconds = std::nullopt;  ///< what the CPU alone is believed to take
  bool started = false;                              ///< a GPU has a context in this process
  bool page_locked = false;                          ///< is_page_locked() the input (gpu/feed/page_lock.hpp)
};

/// Where GPUs would be given the input from, in a word: what was learned with it in one place says little of
/// another.
[[nodiscard]] constexpr const char* data_home(const run_outlook& outlook) {
  return outlook.direct_bytes == 0 ? "streamed" : outlook.page_locked ? "page-locked" : "addressable";
}

/// Without cpu_seconds.
[[nodiscard]] run_outlook outlook_for(const input& from, unsigned workers);

/// The devices of a run.
struct device_plan {
  bool cpu = true;
  std::vector<int> gpus;  ///< their device_info::index
  std::string
      note;  ///< why there is no GPU, as a sentence for the report; empty when there is, or none was wanted
};

/// What `choice` means for a run. `has_code`: whether the program has GPU code for the task. Asks CUDA for
/// its devices only when the answer depends on them, because that alone takes tens of milliseconds; makes no
/// context. `automatic` offers a GPU to runs that it may help; whether it is started is decided during the
/// run (scheduler/sharing.hpp).
/// @throws device_unavailable with the reason when `choice` demands a GPU that cannot be had
[[nodiscard]] device_plan plan_devices(device_choice choice, bool has_code, const run_outlook& outlook);

/// Bytes of an input that a device can be fed from where they lie: not streams, not compressed files.
[[nodiscard]] std::uint64_t direct_bytes_of(const input& from);

}  // namespace duomap::gpu
