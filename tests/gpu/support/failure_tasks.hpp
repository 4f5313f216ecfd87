// Declares tasks that fail on GPUs only, and takes a GPU's memory away.
#pragma once

#include "core/record/index_range.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/make_resident.hpp"

#include <cstdint>
#include <memory>

namespace duomap::test {

/// The faults of a GPU that maps the word "fault", or the number 3.
enum class gpu_fault { none, trap, wild_address, endless, large_key };

/// How long `endless` lasts: so that a process that ends has not waited for it, and the device recovers.
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

/// Word counts.
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

/// Counts the numbers with each remainder, by dense keys. `fault` is the state of a step.
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

/// Holds all memory of the first GPU but some.
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
