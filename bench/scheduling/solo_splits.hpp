// The GPUs' shares that other systems fix before a run, from the times of each side alone.
// host only
#pragma once

namespace duomap::apps {

/// The seconds that an input takes on the CPU alone and on the GPUs alone.
struct solo_times {
  double bytes = 0;
  double cpu = 0;
  double gpu = 0;
};

/// Gives each side a part of the input in proportion to its throughput (Mars; He et al., PACT 2008).
[[nodiscard]] double gpu_share_of_mars(const solo_times& whole);

/// Gives the GPUs the share with which both sides end together, if each side takes a fixed time and a
/// constant time per byte. Computes these from the times of two sizes (Qilin; Luk et al., MICRO 2009).
[[nodiscard]] double gpu_share_of_qilin(const solo_times& part, const solo_times& whole);

}  // namespace duomap::apps
