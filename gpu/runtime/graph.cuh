// Records a sequence of launches and copies, so that one call queues it any number of times. For host code;
// needs CUDA's headers.
#pragma once

#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime.h>

#include <memory>
#include <type_traits>

namespace duomap::gpu {

/// The work that queue() puts into a stream, recorded instead of run.
class graph {
 public:
  /// queue() may launch kernels and copy; it must not allocate or wait.
  template <class Queue>
  graph(const stream& on, const Queue& queue) {
    // Capture mode "thread local", so that other threads may go on using the device.
    check(cudaStreamBeginCapture(on.get(), cudaStreamCaptureModeThreadLocal), "recording a graph");
    recording recorded;
    try {
      queue();
    } catch (...) {
      static_cast<void>(end_of_recording(on, recorded));
      throw;
    }
    check(end_of_recording(on, recorded), "recording a graph");
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, recorded.get(), 0), "making a graph ready to run");
    executable_.reset(executable);
  }

  void run(const stream& on) const { check(cudaGraphLaunch(executable_.get(), on.get()), "running a graph"); }

 private:
  struct release {
    void operator()(cudaGraph_t graph) const { check_release(cudaGraphDestroy(graph), "releasing a graph"); }
    void operator()(cudaGraphExec_t graph) const {
      check_release(cudaGraphExecDestroy(graph), "releasing a graph");
    }
  };

  using recording = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, release>;

  static cudaError_t end_of_recording(const stream& on, recording& recorded) {
    cudaGraph_t all = nullptr;
    const cudaError_t status = cudaStreamEndCapture(on.get(), &all);
    recorded.reset(all);
    return status;
  }

  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, release> executable_;
};

}  // namespace duomap::gpu
