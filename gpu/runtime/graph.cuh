// A sequence of launches and copies that is queued again and again by one call. For host code; needs CUDA's
// headers.
#pragma once

#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime.h>

#include <array>
#include <vector>

namespace duomap::gpu {

/// What queue() puts into a stream, recorded instead of run.
class graph {
 public:
  /// queue() may launch kernels and copy; it must not allocate or wait.
  template <class Queue>
  graph(const stream& on, const Queue& queue) {
    // Other threads may go on using the device.
    check(cudaStreamBeginCapture(on.get(), cudaStreamCaptureModeThreadLocal), "recording a graph");
    try {
      queue();
    } catch (...) {
      cudaGraph_t unfinished = nullptr;
      static_cast<void>(cudaStreamEndCapture(on.get(), &unfinished));
      if (unfinished != nullptr) static_cast<void>(cudaGraphDestroy(unfinished));
      throw;
    }
    check(cudaStreamEndCapture(on.get(), &recorded_), "recording a graph");
    check(cudaGraphInstantiate(&executable_, recorded_, 0), "making a graph ready to run");
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph() {
    if (executable_ != nullptr) check_release(cudaGraphExecDestroy(executable_), "releasing a graph");
    if (recorded_ != nullptr) check_release(cudaGraphDestroy(recorded_), "releasing a graph");
  }

  /// Gives the only launch of `kernel` in the graph another argument, from the next run() on.
  template <class Argument>
  void set_argument(void (*kernel)(Argument), const Argument& argument) {
    auto* const function = reinterpret_cast<void*>(kernel);
    if (changed_.function != function) find(function);
    cudaKernelNodeParams parameters = changed_.parameters;
    std::array<void*, 1> arguments = {const_cast<Argument*>(&argument)};
    parameters.kernelParams = arguments.data();
    check(cudaGraphExecKernelNodeSetParams(executable_, changed_.node, &parameters),
          "changing an argument in a graph");
  }

  /// Queues the whole sequence.
  void run(const stream& on) const { check(cudaGraphLaunch(executable_, on.get()), "running a graph"); }

 private:
  struct launch_node {
    void* function = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaKernelNodeParams parameters{};
  };

  void find(void* function) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(recorded_, nullptr, &count), "reading a graph");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(recorded_, nodes.data(), &count), "reading a graph");
    for (const cudaGraphNode_t node : nodes) {
      cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
      check(cudaGraphNodeGetType(node, &type), "reading a graph");
      if (type != cudaGraphNodeTypeKernel) continue;
      launch_node found{function, node, {}};
      check(cudaGraphKernelNodeGetParams(node, &found.parameters), "reading a graph");
      if (found.parameters.func == function) {
        changed_ = found;
        return;
      }
    }
    expects(false, "a graph can change the arguments of kernels it launches");
  }

  cudaGraph_t recorded_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  launch_node changed_;
};

}  // namespace duomap::gpu
