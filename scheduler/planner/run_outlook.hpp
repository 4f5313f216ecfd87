// What is known of a run before it is planned, and which devices it is offered.
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

/// What reading streams and mapping them is believed to take, in seconds for a byte of text. Either the
/// workers do both, or they read and decompress for devices, which map meanwhile.
struct stream_forecast {
  double read = 0;    ///< reading and decompressing, by all workers
  double map = 0;     ///< mapping, by all workers
  double device = 0;  ///< a device that is fed by all workers, or as its link allows

  [[nodiscard]] constexpr double pools() const { return read + map; }
  [[nodiscard]] constexpr double devices() const { return read > device ? read : device; }
};

struct run_outlook {
  std::uint64_t direct_bytes = 0;                         ///< direct_bytes_of()
  std::uint64_t addressable_units = 0;                    ///< of everything but streams, which pools read
  std::uint64_t stream_bytes = 0;                         ///< stream_bytes_of()
  std::optional<stream_forecast> streams = std::nullopt;  ///< of an input that is nothing else
  unsigned workers = 1;                                   ///< of the pool
  std::optional<double> pool_seconds = std::nullopt;      ///< what the pool alone is believed to take
  bool started = false;                                   ///< a device is started in this process
  /// What is left of a start of devices that goes on beside the run, in seconds; nothing when none does.
  std::optional<double> start_seconds_left = std::nullopt;
  bool in_place = false;           ///< devices read the input where it lies
  std::span<const int> gpus = {};  ///< job_options::gpus
};

/// Whether a start that goes on beside the run is of no use to it.
[[nodiscard]] constexpr bool ends_before_start(const run_outlook& outlook) {
  return outlook.start_seconds_left && outlook.pool_seconds &&
         *outlook.pool_seconds < *outlook.start_seconds_left;
}

/// Where devices would be given the input from, in a word: what was learned with it in one place says little
/// of another.
[[nodiscard]] constexpr const char* data_home(const run_outlook& outlook) {
  return outlook.direct_bytes == 0 ? "streamed" : outlook.in_place ? "page-locked" : "addressable";
}

/// Without pool_seconds and start_seconds_left.
[[nodiscard]] run_outlook outlook_for(const input& from, unsigned workers,
                                      std::span<const device_provider* const> kinds);

/// Stored bytes of an input of files that are read as streams, and nothing else; 0 of any other, and when a
/// file cannot be opened twice.
[[nodiscard]] std::uint64_t stream_bytes_of(const input& from);

/// Bytes of an input that a device can be fed from where they lie: not streams, not compressed files.
[[nodiscard]] std::uint64_t direct_bytes_of(const input& from);

/// A kind of device, offered to a run.
struct device_offer {
  const device_provider* from = nullptr;
  bool has_code = false;  ///< the program has code for the task on such devices
};

/// The machine, as a run may use it.
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
