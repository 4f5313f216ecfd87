// What the machine itself tells before a run.
// host only
#pragma once

#include "core/machine_figures.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

/// The machine without its devices. Any thread may ask.
class host_provider {
 public:
  virtual ~host_provider() = default;

  /// The processor's model; the same for the whole process.
  [[nodiscard]] virtual const std::string& processor() const = 0;

  /// Cores that threads of this process may be on.
  [[nodiscard]] virtual unsigned cores() const = 0;

  /// Bytes that a run's result may take when nobody says.
  [[nodiscard]] virtual std::uint64_t memory_for_results() const = 0;

  /// CPUs near the device on that PCI bus; empty: all are alike, or nobody knows. `measured`: of the device.
  [[nodiscard]] virtual std::vector<unsigned> cores_near(const std::string& bus,
                                                         std::span<const machine_figure> measured) const = 0;
};

}  // namespace duomap
