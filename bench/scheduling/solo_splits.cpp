// Computes the GPUs' share as Mars and Qilin do.
#include "bench/scheduling/solo_splits.hpp"

#include <algorithm>

namespace duomap::apps {
namespace {

// The part of `seconds` that is in proportion to the input's size, computed from the times of two sizes.
// Times that do not grow give 0.
double proportional_seconds(double part_bytes, double part_seconds, double bytes, double seconds) {
  return std::clamp((seconds - part_seconds) / (bytes - part_bytes) * bytes, 0.0, seconds);
}

}  // namespace

double gpu_share_of_mars(const solo_times& whole) { return whole.cpu / (whole.cpu + whole.gpu); }

double gpu_share_of_qilin(const solo_times& part, const solo_times& whole) {
  const double cpu = proportional_seconds(part.bytes, part.cpu, whole.bytes, whole.cpu);
  const double gpu = proportional_seconds(part.bytes, part.gpu, whole.bytes, whole.gpu);
  if (cpu + gpu == 0) return gpu_share_of_mars(whole);
  const double fixed_gpu = whole.gpu - gpu;
  return std::clamp((whole.cpu - fixed_gpu) / (cpu + gpu), 0.0, 1.0);
}

}  // namespace duomap::apps
