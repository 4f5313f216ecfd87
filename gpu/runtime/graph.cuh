// A sequence of launches and copies that is queued again and again by one call. For host code; needs CUDA's
// headers.
#pragma once

#include "core/error.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
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
      static_cast<void>(end_of_recording(on));
      throw;
    }
    check(end_of_recording(on), "recording a graph");
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, recorded_.get(), 0), "making a graph ready to run");
    executable_.reset(executable);
  }

  /// Gives the only launch of `kernel` in the graph another argument, from the next run() on.
  template <class Argument>
  void set_argument(void (*kernel)(Argument), const Argument& argument) {
    auto* const function = reinterpret_cast<void*>(kernel);
    if (changed_.function != function) find(function);
    cudaKernelNodeParams parameters = changed_.parameters;
    std::array<void*, 1> arguments = {const_cast<Argument*>(&argument)};
    parameters.kernelParams = arguments.data();
    check(cudaGraphExecKernelNodeSetParams(executable_.get(), changed_.node, &parameters),
          "changing an argument in a graph");
  }

  /// Queues the whole sequence.
  void run(const stream& on) const { check(cudaGraphLaunch(executable_.get(), on.get()), "running a graph"); }

 private:
  struct launch_node {
    void* function = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaKernelNodeParams parameters{};
  };

  /// A kernel that several .cu files make has an address in each of them, and one name.
  [[nodiscard]] static bool is_same_kernel(const void* one, const void* other) {
    if (one == other) return true;
    const char* names[2] = {};
    if (cudaFuncGetName(&names[0], one) == cudaSuccess && cudaFuncGetName(&names[1], other) == cudaSuccess)
      return std::strcmp(names[0], names[1]) == 0;
    static_cast<void>(cudaGetLastError());  // the next launch would report it
    return false;
  }

  void find(void* function) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(recorded_.get(), nullptr, &count), "reading a graph");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(recorded_.get(), nodes.data(), &count), "reading a graph");
    for (const cudaGraphNode_t node : nodes) {
      cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
      check(cudaGraphNodeGetType(node, &type), "reading a graph");
      if (type != cudaGraphNodeTypeKernel) continue;
      launch_node found{function, node, {}};
      check(cudaGraphKernelNodeGetParams(node, &found.parameters), "reading a graph");
      if (is_same_kernel(found.parameters.func, function)) {
        changed_ = found;
        return;
      }
    }
    expects(false, "a graph can change the arguments of kernels it launches");
  }

  struct release {
    void operator()(cudaGraph_t graph) const { check_release(cudaGraphDestroy(graph), "releasing a graph"); }
    void operator()(cudaGraphExec_t graph) const {
      check_release(cudaGraphExecDestroy(graph), "releasing a graph");
    }
  };

  cudaError_t end_of_recording(const stream& on) {
    cudaGraph_t recorded = nullptr;
    const cudaError_t status = cudaStreamEndCapture(on.get(), &recorded);
    recorded_.reset(recorded);
    return status;
  }

  std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, release> recorded_;
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, release> executable_;
  launch_node changed_;
};

}  // namespace duomap::gpu
