// What a GPU and its link cost and bring, measured. host only
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
  /// For each figure; the median counts.
  unsigned samples = 5;
  /// Bytes of the copies, growing. What does not fit into an eighth of the free device memory is left out.
  std::vector<std::uint64_t> sizes = {
      std::uint64_t{64} << 10, std::uint64_t{256} << 10, std::uint64_t{1} << 20,  std::uint64_t{4} << 20,
      std::uint64_t{16} << 20, std::uint64_t{64} << 20,  std::uint64_t{256} << 20};
  /// Calls a function while all cores read memory, and returns the bytes per second that they read; none: how
  /// the two slow each other down is not measured.
  std::function<double(const std::function<void()>& body)> while_cores_read = nullptr;
  unsigned reading_cores = 0;
  /// Where host memory can be near; with fewer than two there is nothing to compare.
  std::vector<host_node> nodes = {};
};

/// All machine_terms of a GPU that are measured by calibration: of context_start what the process had not
/// done before. Takes about a second on an H200, and 1 GiB of host memory for copies of 256 MiB.
/// @throws what gpu/runtime/error.hpp says; error when a copy came back changed; device_unavailable in a
/// build without CUDA
[[nodiscard]] std::vector<machine_figure> measure_gpu(int device_index, const gpu_measuring& how = {});

}  // namespace duomap::gpu
