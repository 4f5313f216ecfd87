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

/// The believed times of reading streams and of mapping them, in seconds per byte of text. Either the workers
/// do both, or they read and decompress for devices, which map meanwhile.
struct stream_forecast {
  double read = 0;    ///< all workers read and decompress
  double map = 0;     ///< all workers map
  double device = 0;  ///< a device maps, fed by all workers, or as its link allows

  [[nodiscard]] constexpr double pools() const { return read + map; }
  [[nodiscard]] constexpr double devices() const { return read > device ? read : device; }
};

struct run_outlook {
  std::uint64_t direct_bytes = 0;                         ///< direct_bytes_of()
  std::uint64_t addressable_units = 0;                    ///< everything but streams, which pools read
  std::uint64_t stream_bytes = 0;                         ///< stream_bytes_of()
  std::optional<stream_forecast> streams = std::nullopt;  ///< for an input of streams alone
  unsigned workers = 1;                                   ///< the pool's
  std::optional<double> pool_seconds = std::nullopt;      ///< the believed time of the pool alone
  bool started = false;                                   ///< a device is started in this process
  /// The remaining seconds of a start of devices beside the run; nothing when there is none.
  std::optional<double> start_seconds_left = std::nullopt;
  bool in_place = false;           ///< devices read the input where it is
  std::span<const int> gpus = {};  ///< run_options::gpus
};

/// Whether the run is expected to end before a start beside it does.
[[nodiscard]] constexpr bool ends_before_start(const run_outlook& outlook) {
  return outlook.start_seconds_left && outlook.pool_seconds &&
         *outlook.pool_seconds < *outlook.start_seconds_left;
}

/// Names the place from which devices would get the input. Learned speeds are kept apart by this name,
/// because a speed from one place says little about another.
[[nodiscard]] constexpr const char* data_home(const run_outlook& outlook) {
  return outlook.direct_bytes == 0 ? "streamed" : outlook.in_place ? "page-locked" : "addressable";
}

/// Collects the facts about a run. Leaves pool_seconds and start_seconds_left empty.
[[nodiscard]] run_outlook outlook_for(const input& from, unsigned workers,
                                      std::span<const device_provider* const> kinds);

/// The stored bytes of an input that has only files to be read as streams; 0 for any other input, and when a
/// file cannot be opened twice.
[[nodiscard]] std::uint64_t stream_bytes_of(const input& from);

/// The bytes of an input that can be fed to a device from their place: no streams, no compressed files.
[[nodiscard]] std::uint64_t direct_bytes_of(const input& from);

/// A kind of device, offered to a run.
struct device_offer {
  const device_provider* from = nullptr;
  bool has_code = false;  ///< the program has code for the task on such devices
};

/// The part of the machine that a run may use.
struct available_machine {
  const host_provider& host;
  std::span<const device_offer> devices;
};

/// An offered device that takes part.
struct planned_device {
  const device_provider* from = nullptr;
  device_in_run device;
};

}  // namespace duomap::scheduler
