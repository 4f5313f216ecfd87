// Declares tasks that fail only on GPUs, and a class that takes a GPU's memory away.
#pragma once

#include "core/record/index_range.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/make_resident.hpp"

#include <cstdint>
#include <memory>

namespace duomap::test {

/// The faults of a GPU when it maps the word "fault" or the index 3.
enum class gpu_fault { none, trap, wild_address, endless, large_key };

/// The duration of `endless`: 20 s, so that the test process ends earlier and the device recovers.
inline constexpr std::uint64_t endless_nanoseconds = 20'000'000'000;

#ifdef __CUDACC__
__device__ inline void fail(gpu_fault fault) {
  if (fault == gpu_fault::trap) __trap();
  if (fault == gpu_fault::wild_address) *reinterpret_cast<volatile int*>(std::uintptr_t{64}) = 1;
  if (fault != gpu_fault::endless) return;
  const auto now = [] {
    std::uint64_t nanoseconds = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
  };
  for (const std::uint64_t begin = now(); now() - begin < endless_nanoseconds;) {
  }
}
#endif

/// Word count, with a fault at the word "fault" on a GPU.
struct faulty_words {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;

  gpu_fault fault = gpu_fault::none;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
#ifdef __CUDA_ARCH__
    if (word.size == 5 && word[0] == 'f' && word[1] == 'a' && word[2] == 'u' && word[3] == 'l' &&
        word[4] == 't')
      fail(fault);
#endif
    emit(word, 1);
  }
};

/// Counts the indices by their remainder. Each step has its own `fault`.
struct faulty_steps {
  using format = index_range;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  gpu_fault fault = gpu_fault::none;
  std::uint64_t keys = 7;

  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
#ifdef __CUDA_ARCH__
    if (index == 3) fail(fault);
    if (index == 3 && fault == gpu_fault::large_key) emit(keys, 1);
#endif
    emit(index % keys, 1);
  }
};

/// Holds the memory of the first GPU, except for `bytes_left`.
class hogged_memory {
 public:
  explicit hogged_memory(std::uint64_t bytes_left);
  ~hogged_memory();

 private:
  void* held_ = nullptr;
};

}  // namespace duomap::test

template <>
inline constexpr bool duomap::gpu::has_code<duomap::test::faulty_words> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_resident_code<duomap::test::faulty_steps> = DUOMAP_HAS_CUDA;
