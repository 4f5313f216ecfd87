// The ways to share an input between the CPU and GPUs.
#pragma once

#include <string_view>

namespace duomap {

/// The policies. They differ in speed and never in the answer.
enum class share_policy {
  automatic,  ///< converging: the shares are decided where the executors meet
              ///< (scheduler/dispatch/dispatcher/grain_dispatcher.hpp)
  by_hand,    ///< the given shares, and no executor helps another
};

/// A policy as a user gives it.
struct share_choice {
  share_policy policy = share_policy::automatic;
  double gpu_share = 0;  ///< `by_hand`: of all GPUs together, from 0 to 1
};

/// "auto"; "gpu=0.8": four fifths to the GPUs, in equal shares, and the rest to the CPU.
/// @throws usage_error that lists the choices, or says that a share is not one
[[nodiscard]] share_choice parse_share(std::string_view text);

}  // namespace duomap
