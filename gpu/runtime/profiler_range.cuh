// Names the host's actions in the timelines of NVIDIA's profilers. For host code; needs CUDA's headers.
#pragma once

#include <nvtx3/nvtx3.hpp>

namespace duomap::gpu {

struct profiler_domain {
  static constexpr const char* name = "duomap";
};

/// A range of the calling thread in domain "duomap", from its constructor to its destructor: `const
/// profiler_range named("commit")`. Without a profiler it costs the test of a null pointer.
using profiler_range = nvtx3::scoped_range_in<profiler_domain>;

}  // namespace duomap::gpu
