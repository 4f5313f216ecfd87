// Atomic access to plain memory that threads share, with one interface for a GPU's threads and the host's, so
// that host threads can test the races of GPU threads. host safe
#pragma once

#include "core/config.hpp"

#include <atomic>
#include <concepts>

namespace duomap::gpu {

/// The threads that share an object: those of a block (in shared memory) or of the device (in global memory).
/// On the host, both mean all threads.
enum class thread_scope { block, device };

/// The parts of std::atomic_ref that tables need, for an unsigned word. On a device, relaxed operations and
/// all operations of block scope use CUDA's older functions. The reason is that libcu++'s atomic_ref hides
/// the address, so that each access has to find out again which kind of memory it uses.
template <class T, thread_scope Scope>
  requires std::same_as<T, unsigned> || std::same_as<T, unsigned long long>
class atomic_ref {
 public:
  DUOMAP_HD explicit atomic_ref(T& object) : object_(object) {}

  /// `order` is relaxed or acquire.
  [[nodiscard]] DUOMAP_HD T load(std::memory_order order) const {
#if !defined(__CUDA_ARCH__)
    return std::atomic_ref<T>(object_).load(order);
#else
    if (Scope == thread_scope::device && order == std::memory_order_acquire)
      return __nv_atomic_load_n(&object_, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    // The load does not use the multiprocessor's own cache.
    const T value =
        Scope == thread_scope::device ? __ldcg(&object_) : *const_cast<const volatile T*>(&object_);
    fence_after(order);
    return value;
#endif
  }

  /// `order` is relaxed or release.
  DUOMAP_HD void store(T value, std::memory_order order) const {
#if !defined(__CUDA_ARCH__)
    std::atomic_ref<T>(object_).store(value, order);
#else
    if (Scope == thread_scope::device && order == std::memory_order_release) {
      __nv_atomic_store_n(&object_, value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
      return;
    }
    fence_before(order);
    *const_cast<volatile T*>(&object_) = value;
#endif
  }

  /// `order` is relaxed or acquire.
  DUOMAP_HD T exchange(T value, std::memory_order order) const {
#if !defined(__CUDA_ARCH__)
    return std::atomic_ref<T>(object_).exchange(value, order);
#else
    if (Scope == thread_scope::device && order == std::memory_order_acquire)
      return __nv_atomic_exchange_n(&object_, value, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    const T before = atomicExch(&object_, value);
    fence_after(order);
    return before;
#endif
  }

  /// Replaces `expected` by `value` and returns true. If the object has another value, stores that in
  /// `expected` and returns false. `order` is relaxed or release; a failed exchange is relaxed.
  DUOMAP_HD bool compare_exchange(T& expected, T value, std::memory_order order) const {
#if !defined(__CUDA_ARCH__)
    return std::atomic_ref<T>(object_).compare_exchange_strong(expected, value, order,
                                                               std::memory_order_relaxed);
#else
    if (Scope == thread_scope::device && order == std::memory_order_release) {
      return __nv_atomic_compare_exchange_n(&object_, &expected, value, false, __NV_ATOMIC_RELEASE,
                                            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
    fence_before(order);
    const T found = atomicCAS(&object_, expected, value);
    const bool exchanged = found == expected;
    expected = found;
    return exchanged;
#endif
  }

  /// Adds with relaxed order, and returns the value before the addition.
  DUOMAP_HD T fetch_add(T value) const {
#if !defined(__CUDA_ARCH__)
    return std::atomic_ref<T>(object_).fetch_add(value, std::memory_order_relaxed);
#else
    return atomicAdd(&object_, value);
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  __device__ static void fence_before(std::memory_order order) {
    if (order == std::memory_order_release) __threadfence_block();
  }
  __device__ static void fence_after(std::memory_order order) {
    if (order == std::memory_order_acquire) __threadfence_block();
  }
#endif

  T& object_;
};

}  // namespace duomap::gpu
