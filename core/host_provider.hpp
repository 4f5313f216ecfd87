// The facts about the machine itself that a run is planned with.
// host only
#pragma once

#include "core/machine_figures.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

/// Answers questions about the machine without its devices. Any thread may ask.
class host_provider {
 public:
  virtual ~host_provider() = default;

  /// The model of the processor. It stays the same as long as the process lives.
  [[nodiscard]] virtual const std::string& processor() const = 0;

  /// Cores that threads of this process may be on.
  [[nodiscard]] virtual unsigned cores() const = 0;

  /// Bytes that a run's result may take when no limit is given.
  [[nodiscard]] virtual std::uint64_t memory_for_results() const = 0;

  /// The CPUs near the device on PCI bus `bus`; empty if all are alike or nobody knows. `measured` has the
  /// device's figures.
  [[nodiscard]] virtual std::vector<unsigned> cores_near(const std::string& bus,
                                                         std::span<const machine_figure> measured) const = 0;
};

}  // namespace duomap
