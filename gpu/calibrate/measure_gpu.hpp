// Measures the costs of using a GPU and the rates of its link. host only
#pragma once

#include "core/machine_figures.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace duomap::gpu {

/// CPUs that share a memory controller.
struct host_node {
  unsigned id = 0;
  std::vector<unsigned> cpus;
};

struct gpu_measuring {
  /// The number of samples of each figure; the median counts.
  unsigned samples = 5;
  /// Sizes of the copies in bytes, ascending. Sizes above an eighth of the free device memory are left out.
  std::vector<std::uint64_t> sizes = {
      std::uint64_t{64} << 10, std::uint64_t{256} << 10, std::uint64_t{1} << 20,  std::uint64_t{4} << 20,
      std::uint64_t{16} << 20, std::uint64_t{64} << 20,  std::uint64_t{256} << 20};
  /// Calls `body` while all cores read memory, and returns the bytes per second that they read. If empty,
  /// nothing measures how the cores and the link slow each other down.
  std::function<double(const std::function<void()>& body)> while_cores_read = nullptr;
  unsigned reading_cores = 0;
  /// The NUMA nodes from which copies are measured. With fewer than two nodes there is nothing to compare.
  std::vector<host_node> nodes = {};
};

/// Measures all machine_terms of a GPU that calibration fills in. If the process has used CUDA before,
/// context_start leaves out the work that was already done. Takes about a second on an H200, and 1 GiB of
/// host memory for copies of 256 MiB.
/// @throws the errors of gpu/runtime/error.hpp; error if a copy came back changed; device_unavailable in a
/// build without CUDA
[[nodiscard]] std::vector<machine_figure> measure_gpu(int device_index, const gpu_measuring& how = {});

}  // namespace duomap::gpu
