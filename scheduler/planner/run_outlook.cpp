// Counts the units and bytes of an input for the planner.
#include "scheduler/planner/run_outlook.hpp"

#include <algorithm>
#include <cstddef>

namespace duomap::scheduler {

run_outlook outlook_for(const input& from, unsigned workers, std::span<const device_provider* const> kinds) {
  run_outlook outlook{.direct_bytes = direct_bytes_of(from), .workers = workers};
  outlook.started =
      std::any_of(kinds.begin(), kinds.end(), [](const device_provider* one) { return one->any_started(); });
  outlook.in_place = std::any_of(kinds.begin(), kinds.end(),
                                 [&](const device_provider* one) { return one->reads_in_place(from); });
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].addressable()) outlook.addressable_units += from[i].units();
  }
  if (outlook.addressable_units == 0) outlook.stream_bytes = stream_bytes_of(from);
  return outlook;
}

std::uint64_t stream_bytes_of(const input& from) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].addressable() || !from[i].opens_again()) return 0;
    bytes += from[i].stored_size().value_or(0);
  }
  return bytes;
}

std::uint64_t direct_bytes_of(const input& from) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].addressable() && from[i].bytes().data != nullptr) bytes += from[i].units();
  }
  return bytes;
}

}  // namespace duomap::scheduler
