#include "gpu/availability.hpp"

#include "core/error.hpp"
#include "gpu/device.hpp"

namespace duomap::gpu {

std::string why_no_gpu(device_choice choice) {
  const std::string no_engine =
      "this version of duomap runs tasks on the CPU only (its GPU engines are not in it yet)";
  const bool demanded = choice == device_choice::gpu || choice == device_choice::cpu_gpu;
  if (demanded) {
    const discovery& found = discover();
    throw device_unavailable("no GPU can be used: " + (found.devices.empty() ? found.reason : no_engine) +
                             "; use --device cpu or auto to run on the CPU");
  }
  return choice == device_choice::cpu ? std::string() : "no GPU used: " + no_engine;
}

}  // namespace duomap::gpu
