// This machine, as runs are planned with it.
#pragma once

namespace duomap {

class host_provider;

}  // namespace duomap

namespace duomap::cpu {

[[nodiscard]] const host_provider& this_host();

}  // namespace duomap::cpu
