// Declares a task over rows whose map is a Python function. Numba compiles the function for the CPU,
// numba-cuda for GPUs.
#pragma once

#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "flushing_batch.hpp"
#include "function_facts.hpp"
#include "gpu/make_backend.hpp"
#include "word_reduction.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace duomap::python {

class linked_kernels;

/// The part of a task that only the host reads.
struct row_function_host {
  function_facts facts;
  linked_kernels* kernels = nullptr;  ///< GPU kernels with the function linked into them
};

/// Receives the emits of a function on a GPU. Code from duomap/_gpu_function.py only passes its address on.
struct function_sink {
  void (*emit)(const void* to, std::uint64_t key, std::uint64_t value);
  const void* to;
  unsigned* failed;  ///< set to 1 by a read outside the row
};

#if defined(__CUDACC__)
/// Maps one row with the user's function. nvJitLink links the function at run time. Returns 0.
extern "C" __device__ int duomap_map_row(const char* row, const void* sink);

namespace detail {

template <class Key, class Emit>
__device__ void emit_to(const void* to, std::uint64_t key, std::uint64_t value) {
  auto& emit = *static_cast<Emit*>(const_cast<void*>(to));
  if constexpr (std::same_as<Key, no_key>) {
    emit(value);
  } else {
    emit(key, value);
  }
}

}  // namespace detail
#endif

template <class Key>
struct row_function {
  using format = rows<char>;
  using key = Key;
  using reduce = word_reduction;

  format form;
  reduce how;
  std::uint64_t keys = 0;  ///< number of dense keys
  // Numbers in place of pointers, because a GPU must not get a pointer that it cannot read.
  std::uint64_t host = 0;    ///< address of a row_function_host
  std::uint64_t failed = 0;  ///< address of a word of host memory that GPUs can write

  [[nodiscard]] format records() const { return form; }
  [[nodiscard]] reduce reduction() const { return how; }
  [[nodiscard]] std::uint64_t key_count() const requires std::same_as<Key, dense> { return keys; }

  [[nodiscard]] const row_function_host& on_host() const {
    return *reinterpret_cast<const row_function_host*>(host);
  }

  void map_chunk(const chunk& part, auto& emit) const {
    flushing_batch<Key, std::uint64_t, std::remove_reference_t<decltype(emit)>> batch(on_host().facts, part,
                                                                                      emit);
    batch.call(nullptr, nullptr, part.size / form.row_bytes());
  }

  DUOMAP_HD void map([[maybe_unused]] const row<char>& one, [[maybe_unused]] auto& emit) const {
#if defined(__CUDA_ARCH__)
    const function_sink sink{detail::emit_to<Key, std::remove_reference_t<decltype(emit)>>, &emit,
                             reinterpret_cast<unsigned*>(failed)};
    duomap_map_row(one.values, &sink);
#endif
  }
};

}  // namespace duomap::python

template <class Key>
inline constexpr bool duomap::gpu::has_code<duomap::python::row_function<Key>> = DUOMAP_HAS_CUDA;
