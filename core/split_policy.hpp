// The ways to share an input between the CPU and GPUs: ours, and those of other systems to compare with.
#pragma once

#include <string>
#include <string_view>

namespace duomap {

/// Which one is used is a matter of speed and never changes the answer.
enum class split_policy {
  automatic,  ///< converging: the split is where the executors meet
              ///< (scheduler/dispatch/dispatcher/grain_dispatcher.hpp)
  by_hand,    ///< the given shares, and no executor helps another
  mars,       ///< shares as the throughputs (Mars, PACT 2008); no executor helps another
  qilin,      ///< shares by linear models with fixed costs (Qilin, MICRO 2009); no executor helps another
  packets,    ///< a queue of equal packets
  guided,     ///< a queue of shrinking packets by speed (HGuided of EngineCL)
};

/// A policy as a user gives it.
struct split_choice {
  split_policy policy = split_policy::automatic;
  unsigned packets = 50;  ///< `packets`: how many
  double gpu_share = 0;   ///< `by_hand`: of all GPUs together, from 0 to 1
};

/// "auto", "mars", "qilin", "packets", "packets=500", "guided"; "gpu=0.8": four fifths to the GPUs, each the
/// same, and the rest to the CPU.
/// @throws usage_error that lists the choices, or says that a share or a number is not one
[[nodiscard]] split_choice parse_split(std::string_view text);

/// As parse_split() takes it, without the numbers.
[[nodiscard]] std::string_view name(split_policy policy) noexcept;

}  // namespace duomap
