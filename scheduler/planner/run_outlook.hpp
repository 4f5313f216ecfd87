// The facts about a run before it is planned, and the devices that it is offered.
#pragma once

#include "core/device_provider.hpp"
#include "core/input/input.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace duomap {

class host_provider;

}  // namespace duomap

namespace duomap::scheduler {

/// The believed times of streams, in seconds per byte of text. Either the workers read and map, or they read
/// and decompress for devices, which map meanwhile.
struct stream_forecast {
  double read = 0;    ///< all workers read and decompress
  double map = 0;     ///< all workers map
  double device = 0;  ///< a device maps, as fast as all workers or its link can feed it

  [[nodiscard]] constexpr double pools() const { return read + map; }
  [[nodiscard]] constexpr double devices() const { return read > device ? read : device; }
};

struct run_outlook {
  std::uint64_t direct_bytes = 0;                         ///< bytes that devices can be fed
  std::uint64_t addressable_units = 0;                    ///< all units except those of streams
  std::uint64_t stream_bytes = 0;                         ///< stream_bytes_of()
  std::optional<stream_forecast> streams = std::nullopt;  ///< for an input of streams only
  unsigned workers = 1;                                   ///< of the pool
  std::optional<double> pool_seconds = std::nullopt;      ///< the believed time of the pool alone
  bool started = false;                                   ///< whether this process has started a device
  /// The remaining seconds of a start of devices in the background. No value: none is going on.
  std::optional<double> start_seconds_left = std::nullopt;
  bool in_place = false;           ///< whether devices read the input in host memory
  std::span<const int> gpus = {};  ///< numbers of the allowed GPUs (run_options::gpus)
};

/// Whether the run is expected to end before the start in the background ends.
[[nodiscard]] constexpr bool ends_before_start(const run_outlook& outlook) {
  return outlook.start_seconds_left && outlook.pool_seconds &&
         *outlook.pool_seconds < *outlook.start_seconds_left;
}

/// Names the place from which devices would get the input. Learned speeds have this name, because a speed
/// from one place says little about another.
[[nodiscard]] constexpr const char* data_home(const run_outlook& outlook) {
  return outlook.direct_bytes == 0 ? "streamed" : outlook.in_place ? "page-locked" : "addressable";
}

/// Collects the facts about a run. Leaves pool_seconds and start_seconds_left empty.
[[nodiscard]] run_outlook outlook_for(const input& from, unsigned workers,
                                      std::span<const device_provider* const> kinds);

/// The stored bytes of an input that has only files to be read as streams. It is 0 for any other input, and
/// if a file cannot be opened twice.
[[nodiscard]] std::uint64_t stream_bytes_of(const input& from);

/// The bytes of an input that can be fed to a device directly: no streams, no compressed files.
[[nodiscard]] std::uint64_t direct_bytes_of(const input& from);

/// A kind of device, offered to a run.
struct device_offer {
  const device_provider* from = nullptr;
  bool has_code = false;  ///< whether the program has the task's code for such devices
};

/// The parts of the machine that a run may use.
struct available_machine {
  const host_provider& host;
  std::span<const device_offer> devices;
};

/// An offered device that takes part in the run.
struct planned_device {
  const device_provider* from = nullptr;
  device_in_run device;
};

}  // namespace duomap::scheduler
