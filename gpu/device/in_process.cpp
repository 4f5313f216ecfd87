#include "gpu/device/in_process.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace duomap::gpu {
namespace {

constexpr std::size_t most_devices = 64;

std::array<device_in_process, most_devices>& all_in_process() {
  static std::array<device_in_process, most_devices> all;
  return all;
}

}  // namespace

device_in_process& in_process(int device_index) {
  auto& all = all_in_process();
  const auto index = static_cast<std::size_t>(device_index);
  return all[index < all.size() ? index : all.size() - 1];
}

bool any_context() {
  const auto& all = all_in_process();
  return std::any_of(all.begin(), all.end(),
                     [](const device_in_process& one) { return one.has_context.load(); });
}

bool any_hanging() {
  const auto& all = all_in_process();
  return std::any_of(all.begin(), all.end(),
                     [](const device_in_process& one) { return one.hanging.load() > 0; });
}

}  // namespace duomap::gpu
