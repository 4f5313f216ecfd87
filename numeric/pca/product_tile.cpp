// Centres panels and adds up tiles of products, once for each vector path.
#include "numeric/pca/product_tile.hpp"

#include "cpu/vector_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace duomap {
namespace {

template <class T>
void centre_portable(std::uint64_t rows, const T* from, std::uint64_t stride, std::uint32_t columns,
                     const T* origin, T* panel, std::uint32_t width) {
  for (std::uint64_t r = 0; r < rows; ++r, from += stride, panel += width) {
    for (std::uint32_t c = 0; c < columns; ++c) panel[c] = from[c] - origin[c];
    std::fill(panel + columns, panel + width, T{});
  }
}

template <class T>
void add_portable(const tile_columns<T>& of, T* products, T* sums) {
  std::fill_n(products, tile_left * of.width, T{});
  if (sums != nullptr) std::fill_n(sums, of.width, T{});
  const T* left = of.left;
  const T* right = of.right;
  for (std::uint64_t r = 0; r < of.rows; ++r, left += of.left_stride, right += of.width) {
    for (std::uint32_t i = 0; i < tile_left; ++i) {
      for (std::uint32_t j = 0; j < of.width; ++j) {
        T& sum = products[i * of.width + j];
        sum = std::fma(left[i], right[j], sum);
      }
    }
    if (sums == nullptr) continue;
    for (std::uint32_t j = 0; j < of.width; ++j) sums[j] += right[j];
  }
}

#if defined(__x86_64__)

using namespace cpu::vector_lanes;

/// Prefetches the cache line of an address; the address need not exist.
template <class T>
inline void prefetch(const T* at) {
  _mm_prefetch(reinterpret_cast<const char*>(at), _MM_HINT_T0);
}

template <class T>
[[gnu::target("avx2,fma")]] void centre_avx2(std::uint64_t rows, const T* from, std::uint64_t stride,
                                             std::uint32_t columns, const T* origin, T* panel,
                                             std::uint32_t width) {
  constexpr std::uint32_t lanes = 32 / sizeof(T);
  const std::uint32_t whole = columns / lanes * lanes;
  for (std::uint64_t r = 0; r < rows; ++r, from += stride, panel += width) {
    for (std::uint32_t c = 0; c < whole; c += lanes)
      store(panel + c, subtract(load(from + c), load(origin + c)));
    for (std::uint32_t c = whole; c < columns; ++c) panel[c] = from[c] - origin[c];
    for (std::uint32_t c = columns; c < width; ++c) panel[c] = T{};
  }
}

// Takes four left columns and two vectors at a time. The eight sums hide the latency of a fused multiply-add.
// Eight of them need six loads, which does not slow them down; nine would.
template <class T>
[[gnu::target("avx2,fma")]] void add_avx2(const tile_columns<T>& of, T* products, T* sums) {
  using vector = decltype(everywhere(T{}));
  constexpr std::uint32_t lanes = sizeof(vector) / sizeof(T);
  constexpr std::uint32_t at_once = 4;
  const std::uint32_t width = of.width;
  for (std::uint32_t first = 0; first < width; first += 2 * lanes) {
    for (std::uint32_t i = 0; i < tile_left; i += at_once) {
      vector sum[at_once][2];
      for (auto& both : sum) both[0] = both[1] = everywhere(T{});
      vector column[2] = {everywhere(T{}), everywhere(T{})};
      const T* from = of.left + i;
      const T* with = of.right + first;
      for (std::uint64_t r = 0; r < of.rows; ++r, from += of.left_stride, with += width) {
        const vector b[2] = {load(with), load(with + lanes)};
        for (std::uint32_t k = 0; k < at_once; ++k) {
          const vector a = everywhere(from[k]);
          sum[k][0] = fma(a, b[0], sum[k][0]);
          sum[k][1] = fma(a, b[1], sum[k][1]);
        }
        if (sums == nullptr || i > 0) continue;
        prefetch(of.next + r * of.next_stride + first);
        column[0] = add(column[0], b[0]);
        column[1] = add(column[1], b[1]);
      }
      for (std::uint32_t v = 0; v < 2; ++v) {
        for (std::uint32_t k = 0; k < at_once; ++k)
          store(products + (i + k) * width + first + v * lanes, sum[k][v]);
        if (sums != nullptr && i == 0) store(sums + first + v * lanes, column[v]);
      }
    }
  }
}

[[gnu::target("avx512f")]] inline __m512 load_some(std::uint32_t lanes, const float* from) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>(lanes), from);
}
[[gnu::target("avx512f")]] inline __m512d load_some(std::uint32_t lanes, const double* from) {
  return _mm512_maskz_loadu_pd(static_cast<__mmask8>(lanes), from);
}

template <class T>
[[gnu::target("avx512f")]] void centre_avx512(std::uint64_t rows, const T* from, std::uint64_t stride,
                                              std::uint32_t columns, const T* origin, T* panel,
                                              std::uint32_t width) {
  constexpr std::uint32_t lanes = 64 / sizeof(T);
  // Lanes behind the last column are not read, and are 0.
  const std::uint32_t first = columns >= lanes ? (1u << lanes) - 1 : (1u << columns) - 1;
  const std::uint32_t rest = columns > lanes ? columns - lanes : 0;
  const std::uint32_t second = (1u << rest) - 1;
  const auto origin0 = load_some(first, origin);
  const auto origin1 = load_some(second, origin + (rest > 0 ? lanes : 0));
  for (std::uint64_t r = 0; r < rows; ++r, from += stride, panel += width) {
    store(panel, subtract(load_some(first, from), origin0));
    if (width > lanes) store(panel + lanes, subtract(load_some(second, from + lanes), origin1));
  }
}

template <class T, std::uint32_t Vectors>
[[gnu::target("avx512f")]] void add_vectors(const tile_columns<T>& of, T* products, T* sums) {
  using vector = decltype(everywhere_wide(T{}));
  constexpr std::uint32_t lanes = sizeof(vector) / sizeof(T);
  constexpr std::uint32_t width = Vectors * lanes;
  vector sum[tile_left][Vectors];
  vector column[Vectors];
  for (std::uint32_t v = 0; v < Vectors; ++v) {
    for (std::uint32_t i = 0; i < tile_left; ++i) sum[i][v] = everywhere_wide(T{});
    column[v] = everywhere_wide(T{});
  }
  const T* left = of.left;
  const T* right = of.right;
  for (std::uint64_t r = 0; r < of.rows; ++r, left += of.left_stride, right += width) {
    vector b[Vectors];
    for (std::uint32_t v = 0; v < Vectors; ++v) b[v] = load_wide(right + v * lanes);
    for (std::uint32_t i = 0; i < tile_left; ++i) {
      const vector a = everywhere_wide(left[i]);
      for (std::uint32_t v = 0; v < Vectors; ++v) sum[i][v] = fma(a, b[v], sum[i][v]);
    }
    if (sums == nullptr) continue;
    for (std::uint32_t v = 0; v < Vectors; ++v) {
      column[v] = add(column[v], b[v]);
      prefetch(of.next + r * of.next_stride + v * lanes);
    }
  }
  for (std::uint32_t v = 0; v < Vectors; ++v) {
    for (std::uint32_t i = 0; i < tile_left; ++i) store(products + i * width + v * lanes, sum[i][v]);
    if (sums != nullptr) store(sums + v * lanes, column[v]);
  }
}

template <class T>
void add_avx512(const tile_columns<T>& of, T* products, T* sums) {
  if (of.width == panel_columns<T>) {
    add_vectors<T, 2>(of, products, sums);
  } else {
    add_vectors<T, 1>(of, products, sums);
  }
}

#endif

}  // namespace

template <class T>
tile_kernels<T> tile_kernels_for([[maybe_unused]] cpu::vector_path path) noexcept {
  const tile_kernels<T> portable{centre_portable<T>, add_portable<T>};
#if defined(__x86_64__)
  const bool has_fma = __builtin_cpu_supports("fma") != 0;
  const tile_kernels<T> avx2{centre_avx2<T>, add_avx2<T>};
  return cpu::way_for<tile_kernels<T>>(path, portable, has_fma ? avx2 : portable,
                                       {centre_avx512<T>, add_avx512<T>});
#else
  return portable;
#endif
}

template tile_kernels<float> tile_kernels_for(cpu::vector_path path) noexcept;
template tile_kernels<double> tile_kernels_for(cpu::vector_path path) noexcept;

}  // namespace duomap
