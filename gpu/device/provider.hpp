// The GPUs of this process, as runs are planned with them.
#pragma once

#include "core/device_provider.hpp"

namespace duomap::gpu {

[[nodiscard]] const device_provider& provider();

}  // namespace duomap::gpu
