// This machine, as runs are planned with it.
#pragma once

#include "core/host_provider.hpp"

namespace duomap::cpu {

[[nodiscard]] const host_provider& this_host();

}  // namespace duomap::cpu
