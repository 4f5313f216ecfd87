// A task that fails on GPUs only, and what takes a GPU's memory away.
#pragma once

#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>
#include <memory>

namespace duomap::test {

/// What a GPU does when it maps the word "fault".
enum class gpu_fault { none, trap, wild_address, endless };

/// How long `endless` lasts: so that a process that ends has not waited for it, and the device recovers.
inline constexpr std::uint64_t endless_nanoseconds = 20'000'000'000;

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
    if (fault != gpu_fault::none && word.size == 5 && word[0] == 'f' && word[1] == 'a' && word[2] == 'u' &&
        word[3] == 'l' && word[4] == 't')
      fail();
#endif
    emit(word, 1);
  }

#ifdef __CUDACC__
  __device__ void fail() const {
    if (fault == gpu_fault::trap) __trap();
    if (fault == gpu_fault::wild_address) *reinterpret_cast<volatile int*>(std::uintptr_t{64}) = 1;
    const auto now = [] {
      std::uint64_t nanoseconds = 0;
      asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
      return nanoseconds;
    };
    for (const std::uint64_t begin = now(); now() - begin < endless_nanoseconds;) {
    }
  }
#endif
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
