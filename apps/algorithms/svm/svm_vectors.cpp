#include "apps/algorithms/svm/svm_vectors.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace duomap {
namespace {

namespace portable {
constexpr std::size_t width = 4;
#include "apps/algorithms/svm/svm_vectors_body.inc"
}  // namespace portable

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
constexpr std::size_t width = 8;
#include "apps/algorithms/svm/svm_vectors_body.inc"
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
constexpr std::size_t width = 16;
#include "apps/algorithms/svm/svm_vectors_body.inc"
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

}  // namespace

const svm_vectors& svm_vectors_for(cpu::vector_path path) noexcept {
  static constexpr svm_vectors with_any{portable::map, portable::add_rows, portable::tile_product,
                                        portable::choose_pair, portable::add_two};
#if defined(__x86_64__)
  static constexpr svm_vectors with_avx2{avx2::map, avx2::add_rows, avx2::tile_product, avx2::choose_pair,
                                         avx2::add_two};
  static constexpr svm_vectors with_avx512{avx512::map, avx512::add_rows, avx512::tile_product,
                                           avx512::choose_pair, avx512::add_two};
  if (!__builtin_cpu_supports("fma")) return with_any;
  return *cpu::way_for(path, &with_any, &with_avx2, &with_avx512);
#else
  static_cast<void>(path);
  return with_any;
#endif
}

}  // namespace duomap
