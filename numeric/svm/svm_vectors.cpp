// Compiles the loops over vectors for each vector path and type, and chooses a path.
#include "numeric/svm/svm_vectors.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace duomap {
namespace {

namespace portable {
namespace of_float {
using number = float;
constexpr std::size_t width = 4;
#include "numeric/svm/svm_vectors_body.inc"
}  // namespace of_float
namespace of_double {
using number = double;
constexpr std::size_t width = 2;
#include "numeric/svm/svm_vectors_body.inc"
}  // namespace of_double
}  // namespace portable

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
namespace of_float {
using number = float;
constexpr std::size_t width = 8;
#include "numeric/svm/svm_vectors_body.inc"
}  // namespace of_float
namespace of_double {
using number = double;
constexpr std::size_t width = 4;
#include "numeric/svm/svm_vectors_body.inc"
}  // namespace of_double
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx2,fma")
#endif
namespace avx512 {
namespace of_float {
using number = float;
constexpr std::size_t width = 16;
#include "numeric/svm/svm_vectors_body.inc"
}  // namespace of_float
namespace of_double {
using number = double;
constexpr std::size_t width = 8;
#include "numeric/svm/svm_vectors_body.inc"
}  // namespace of_double
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

template <class T>
const svm_vectors<T>& widest(cpu::vector_path path, const svm_vectors<T>& any,
                             const svm_vectors<T>& with_avx2, const svm_vectors<T>& with_avx512) noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma")) return *cpu::way_for(path, &any, &with_avx2, &with_avx512);
#endif
  static_cast<void>(path), static_cast<void>(with_avx2), static_cast<void>(with_avx512);
  return any;
}

}  // namespace

#if !defined(__x86_64__)
namespace avx2 = portable;
namespace avx512 = portable;
#endif

template <>
const svm_vectors<float>& svm_vectors_for(cpu::vector_path path) noexcept {
  return widest(path, portable::of_float::all, avx2::of_float::all, avx512::of_float::all);
}

template <>
const svm_vectors<double>& svm_vectors_for(cpu::vector_path path) noexcept {
  return widest(path, portable::of_double::all, avx2::of_double::all, avx512::of_double::all);
}

}  // namespace duomap
