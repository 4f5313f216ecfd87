// The facts about the host by which a run is planned.
// host only
#pragma once

#include "core/machine_figures.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

/// Answers questions about the machine, but not about its devices. Any thread may ask.
class host_provider {
 public:
  virtual ~host_provider() = default;

  /// The model of the processor. It stays the same until the process ends.
  [[nodiscard]] virtual const std::string& processor() const = 0;

  /// The number of cores on which threads of this process may run.
  [[nodiscard]] virtual unsigned cores() const = 0;

  /// Bytes that a run's result may take if the user gave no limit.
  [[nodiscard]] virtual std::uint64_t memory_for_results() const = 0;

  /// The CPUs near the device on PCI bus `bus`; empty if all CPUs are alike or it is not known. `measured`
  /// has the figures of the device.
  [[nodiscard]] virtual std::vector<unsigned> cores_near(const std::string& bus,
                                                         std::span<const machine_figure> measured) const = 0;
};

}  // namespace duomap
