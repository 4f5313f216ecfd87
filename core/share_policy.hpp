// The ways to share an input between the CPU and GPUs.
#pragma once

#include <string_view>

namespace duomap {

/// The ways to share an input. They differ in speed and never in the answer.
enum class share_policy {
  automatic,  ///< executors take work until they meet, and this decides the shares
              ///< (scheduler/dispatch/dispatcher/grain_dispatcher.hpp)
  by_hand,    ///< the given shares, and no executor helps another
};

/// A user's choice of a policy and of shares.
struct share_choice {
  share_policy policy = share_policy::automatic;
  double gpu_share = 0;  ///< for `by_hand`: the share of all GPUs together, from 0 to 1
};

/// Reads a user's text. "auto" is automatic sharing. "gpu=0.8" gives four fifths to the GPUs, in equal
/// shares, and the rest to the CPU.
/// @throws usage_error that lists the choices, or says that a share is not between 0 and 1
[[nodiscard]] share_choice parse_share(std::string_view text);

}  // namespace duomap
