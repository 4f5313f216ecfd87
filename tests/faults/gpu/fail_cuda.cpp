#include "tests/faults/gpu/fail_cuda.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <thread>
#include <utility>

namespace duomap::test {
namespace {

constexpr std::array<std::string_view, cuda_calls.size()> call_names = {
    "device memory", "page-locked memory",          "copy",  "launch", "event", "wait",
    "question",      "stream, event or graph made", "thread"};

std::array<std::atomic<std::uint64_t>, cuda_calls.size()> counts{};
std::atomic<cuda_call> armed_call{};
std::atomic<cuda_fault> armed_fault{};
std::atomic<std::uint64_t> armed_number{0};
std::atomic<bool> came{false};
std::atomic<bool> lost{false};
std::atomic<bool> hanging{false};

// A launch returns no error, so CUDA keeps the error until the thread asks for it.
thread_local cudaError_t kept_error = cudaSuccess;

cudaError_t usual_error(cuda_call call) {
  switch (call) {
    case cuda_call::device_memory:
    case cuda_call::page_locked:
      return cudaErrorMemoryAllocation;
    case cuda_call::launch:
      return cudaErrorLaunchOutOfResources;
    case cuda_call::copy:
    case cuda_call::event:
    case cuda_call::wait:
    case cuda_call::question:
    case cuda_call::making:
    case cuda_call::thread:
      break;
  }
  return cudaErrorInvalidValue;
}

cudaError_t keep(cudaError_t status) { return kept_error = status; }

// The error to return instead of making this call; cudaSuccess means that the call is made.
cudaError_t fault_of(cuda_call call) {
  const std::uint64_t number = counts[static_cast<std::size_t>(call)].fetch_add(1) + 1;
  if (lost) return keep(cudaErrorIllegalAddress);
  if (call != armed_call || number != armed_number) return cudaSuccess;
  came = true;
  switch (armed_fault) {
    case cuda_fault::fails:
      return keep(usual_error(call));
    case cuda_fault::loses_device:
      // A lost device runs nothing, so wait for running work. The wait fails while a graph is recorded, but
      // then nothing runs.
      static_cast<void>(cudaDeviceSynchronize());
      static_cast<void>(cudaGetLastError());
      lost = true;
      return keep(cudaErrorIllegalAddress);
    case cuda_fault::is_slow:
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      break;
    case cuda_fault::hangs:
      hanging = true;
      while (hanging) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      break;
  }
  return cudaSuccess;
}

// The fault of a call that asks whether work has ended. Such a call never waits.
cudaError_t fault_of_question() {
  if (armed_fault != cuda_fault::hangs || armed_call != cuda_call::question || armed_number == 0)
    return fault_of(cuda_call::question);
  if (counts[static_cast<std::size_t>(cuda_call::question)].fetch_add(1) + 1 < armed_number)
    return cudaSuccess;
  came = true;
  return cudaErrorNotReady;
}

}  // namespace

std::string_view name(cuda_call call) noexcept { return call_names[static_cast<std::size_t>(call)]; }

std::string_view name(cuda_fault fault) noexcept {
  constexpr std::array<std::string_view, 4> names = {"fails", "loses the device", "is slow", "hangs"};
  return names[static_cast<std::size_t>(fault)];
}

void arm(cuda_call call, std::uint64_t number, cuda_fault fault) noexcept {
  for (auto& one : counts) one = 0;
  came = false;
  armed_call = call;
  armed_fault = fault;
  armed_number = number;
}

bool disarm() noexcept {
  armed_number = 0;
  lost = false;
  hanging = false;
  return came;
}

std::uint64_t count_of(cuda_call call) noexcept { return counts[static_cast<std::size_t>(call)]; }

}  // namespace duomap::test

// The linker's option --wrap sends calls of f() to __wrap_f(), and __real_f() is CUDA's function.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#define DUOMAP_WRAPPED(CALL, FUNCTION, PARAMETERS, ARGUMENTS)                        \
  cudaError_t __real_##FUNCTION PARAMETERS;                                          \
  cudaError_t __wrap_##FUNCTION PARAMETERS;                                          \
  cudaError_t __wrap_##FUNCTION PARAMETERS {                                         \
    const cudaError_t fault = duomap::test::fault_of(duomap::test::cuda_call::CALL); \
    return fault != cudaSuccess ? fault : __real_##FUNCTION ARGUMENTS;               \
  }

extern "C" {

DUOMAP_WRAPPED(device_memory, cudaMallocAsync, (void** memory, std::size_t bytes, cudaStream_t on),
               (memory, bytes, on))
DUOMAP_WRAPPED(page_locked, cudaHostAlloc, (void** memory, std::size_t bytes, unsigned flags),
               (memory, bytes, flags))
DUOMAP_WRAPPED(page_locked, cudaHostRegister, (void* memory, std::size_t bytes, unsigned flags),
               (memory, bytes, flags))
DUOMAP_WRAPPED(copy, cudaMemcpyAsync,
               (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t on),
               (to, from, bytes, kind, on))
DUOMAP_WRAPPED(copy, cudaMemsetAsync, (void* to, int byte, std::size_t bytes, cudaStream_t on),
               (to, byte, bytes, on))
DUOMAP_WRAPPED(launch, cudaLaunchKernel,
               (const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                cudaStream_t on),
               (kernel, grid, block, arguments, shared, on))
DUOMAP_WRAPPED(launch, __cudaLaunchKernel,
               (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                cudaStream_t on),
               (kernel, grid, block, arguments, shared, on))
DUOMAP_WRAPPED(launch, cudaLaunchKernelExC,
               (const cudaLaunchConfig_t* how, const void* kernel, void** arguments),
               (how, kernel, arguments))
DUOMAP_WRAPPED(launch, cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t on), (graph, on))
DUOMAP_WRAPPED(event, cudaEventRecord, (cudaEvent_t event, cudaStream_t on), (event, on))
DUOMAP_WRAPPED(event, cudaStreamWaitEvent, (cudaStream_t on, cudaEvent_t event, unsigned flags),
               (on, event, flags))
DUOMAP_WRAPPED(event, cudaEventElapsedTime, (float* milliseconds, cudaEvent_t begin, cudaEvent_t end),
               (milliseconds, begin, end))
DUOMAP_WRAPPED(making, cudaStreamCreateWithPriority, (cudaStream_t * made, unsigned flags, int priority),
               (made, flags, priority))
DUOMAP_WRAPPED(making, cudaEventCreateWithFlags, (cudaEvent_t * made, unsigned flags), (made, flags))
DUOMAP_WRAPPED(making, cudaGraphInstantiate,
               (cudaGraphExec_t * made, cudaGraph_t graph, unsigned long long flags), (made, graph, flags))

// Waits even if it returns an error, so that no work uses memory that is released next.
cudaError_t __real_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event) {
  const cudaError_t fault = duomap::test::fault_of(duomap::test::cuda_call::wait);
  const cudaError_t status = __real_cudaEventSynchronize(event);
  return fault != cudaSuccess ? fault : status;
}

cudaError_t __real_cudaStreamSynchronize(cudaStream_t on);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t on);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t on) {
  const cudaError_t fault = duomap::test::fault_of(duomap::test::cuda_call::wait);
  const cudaError_t status = __real_cudaStreamSynchronize(on);
  return fault != cudaSuccess ? fault : status;
}

cudaError_t __real_cudaEventQuery(cudaEvent_t event);
cudaError_t __wrap_cudaEventQuery(cudaEvent_t event);
cudaError_t __wrap_cudaEventQuery(cudaEvent_t event) {
  const cudaError_t fault = duomap::test::fault_of_question();
  return fault != cudaSuccess ? fault : __real_cudaEventQuery(event);
}

cudaError_t __real_cudaStreamQuery(cudaStream_t on);
cudaError_t __wrap_cudaStreamQuery(cudaStream_t on);
cudaError_t __wrap_cudaStreamQuery(cudaStream_t on) {
  const cudaError_t fault = duomap::test::fault_of_question();
  return fault != cudaSuccess ? fault : __real_cudaStreamQuery(on);
}

cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
  const cudaError_t last = __real_cudaGetLastError();
  const cudaError_t kept = std::exchange(duomap::test::kept_error, cudaSuccess);
  if (duomap::test::lost) return cudaErrorIllegalAddress;
  return kept != cudaSuccess ? kept : last;
}

cudaError_t __real_cudaPeekAtLastError();
cudaError_t __wrap_cudaPeekAtLastError();
cudaError_t __wrap_cudaPeekAtLastError() {
  if (duomap::test::lost) return cudaErrorIllegalAddress;
  return duomap::test::kept_error != cudaSuccess ? duomap::test::kept_error : __real_cudaPeekAtLastError();
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  // Threads of CUDA's driver must start.
  Dl_info caller{};
  const bool is_ours = ::dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr &&
                       std::string_view(caller.dli_fname).find("libstdc++") != std::string_view::npos;
  if (is_ours) {
    const cudaError_t kept = duomap::test::kept_error;  // this call must not change CUDA's kept error
    const cudaError_t fault = duomap::test::fault_of(duomap::test::cuda_call::thread);
    duomap::test::kept_error = kept;
    if (fault != cudaSuccess) return EAGAIN;
  }
  return real(thread, attributes, start, argument);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
