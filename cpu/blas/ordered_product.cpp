// Multiplies tiles of a product in vector registers, from packed blocks of the right factor.
#include "cpu/blas/ordered_product.hpp"

#include "cpu/features.hpp"
#include "cpu/vector_lanes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace duomap::cpu {
namespace {

// A tile is the part of the product that is computed at once: `rows` times `columns` elements. It stays in 24
// of AVX-512's 32 registers, and each term of its sums takes 11 loads. A tile of 6 rows of 2 registers took 8
// loads for 12 registers.
constexpr std::size_t rows = 8;
constexpr std::size_t most_lines = 3;  // lines, each of 64 bytes (one AVX-512 register) of a tile's row
template <class T>
constexpr std::size_t line = 64 / sizeof(T);
template <class T>
constexpr std::size_t columns = most_lines* line<T>;

// The terms of the sums that one round adds. A panel is the part of `right` for these terms and for `columns`
// columns. It takes 48 KiB.
constexpr std::uint64_t terms_at_once = 256;

// The number of panels that are packed together, from 768 bytes of a row of `right` at a time.
constexpr std::uint64_t panels = 4;

/// The factors of one tile, and the place of its sums.
template <class T>
struct tile {
  std::uint64_t terms;
  std::array<const T*, rows> left;  ///< the factors of each row
  const T* panel;                   ///< `columns` numbers for each term
  T* sums;
  std::uint64_t stride;
  bool begins;            ///< the sums begin with 0 and are not read from memory
  const char* ahead;      ///< the memory that is prefetched, because it is needed soon
  std::uint64_t fetched;  ///< the bytes at `ahead` that each term prefetches into the L2 cache
};

/// Adds the terms of one round to a tile of `rows` rows and `lines` lines.
template <class T>
using kernel = void (*)(const tile<T>& of);

template <class T, std::size_t lines>
void add_portable(const tile<T>& of) {
  for (std::size_t i = 0; i < rows; ++i) {
    T* const sums = of.sums + i * of.stride;
    if (of.begins) std::fill_n(sums, lines * line<T>, T{});
    for (std::uint64_t k = 0; k < of.terms; ++k) {
      for (std::size_t j = 0; j < lines * line<T>; ++j)
        sums[j] = std::fma(of.left[i][k], of.panel[k * columns<T> + j], sums[j]);
    }
  }
}

#if defined(__x86_64__)

using namespace vector_lanes;

// AVX2 has only 16 registers, so a kernel computes half of the rows and one line at a time, in 11 registers.
template <class T, std::size_t lines>
[[gnu::target("avx2,fma")]] void add_avx2(const tile<T>& of) {
  using vector = decltype(everywhere(T{}));
  constexpr std::size_t width = sizeof(vector) / sizeof(T);
  constexpr std::size_t half = rows / 2;
  for (std::size_t first = 0; first < lines * line<T>; first += line<T>) {
    for (std::size_t row = 0; row < rows; row += half) {
      T* const sums = of.sums + row * of.stride + first;
      vector sum[half][2];
      for (std::size_t i = 0; i < half; ++i) {
        for (std::size_t j = 0; j < 2; ++j)
          sum[i][j] = of.begins ? everywhere(T{}) : load(sums + i * of.stride + j * width);
      }
      for (std::uint64_t k = 0; k < of.terms; ++k) {
        if (first + row == 0) __builtin_prefetch(of.ahead + k * of.fetched, 0, 2);
        const T* const right = of.panel + k * columns<T> + first;
        const vector right0 = load(right);
        const vector right1 = load(right + width);
        for (std::size_t i = 0; i < half; ++i) {
          const vector factor = everywhere(of.left[row + i][k]);
          sum[i][0] = fma(factor, right0, sum[i][0]);
          sum[i][1] = fma(factor, right1, sum[i][1]);
        }
      }
      for (std::size_t i = 0; i < half; ++i) {
        for (std::size_t j = 0; j < 2; ++j) store(sums + i * of.stride + j * width, sum[i][j]);
      }
    }
  }
}

template <class T, std::size_t lines>
[[gnu::target("avx512f")]] void add_avx512(const tile<T>& of) {
  using vector = decltype(everywhere_wide(T{}));
  const std::array<const T*, rows> left = of.left;
  const T* const panel = of.panel;
  const std::uint64_t terms = of.terms;
  const char* ahead = of.ahead;
  const std::uint64_t fetched = of.fetched;
  vector sum[rows][lines];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < lines; ++j) sum[i][j] = everywhere_wide(T{});
  }
  if (!of.begins) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < lines; ++j) sum[i][j] = load_wide(of.sums + i * of.stride + j * line<T>);
    }
  }
  for (std::uint64_t k = 0; k < terms; ++k, ahead += fetched) {
    __builtin_prefetch(ahead, 0, 2);
    vector right[lines];
    for (std::size_t j = 0; j < lines; ++j) right[j] = load_wide(panel + k * columns<T> + j * line<T>);
    for (std::size_t i = 0; i < rows; ++i) {
      const vector factor = everywhere_wide(left[i][k]);
      for (std::size_t j = 0; j < lines; ++j) sum[i][j] = fma(factor, right[j], sum[i][j]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < lines; ++j) store(of.sums + i * of.stride + j * line<T>, sum[i][j]);
  }
}

#endif

/// The kernels for tiles of one, two and three lines.
template <class T>
using kernels = std::array<kernel<T>, most_lines>;

template <class T>
kernels<T> kernels_for(vector_path path) {
#if defined(__x86_64__)
  if (path == vector_path::avx512) return {add_avx512<T, 1>, add_avx512<T, 2>, add_avx512<T, 3>};
  if (path == vector_path::avx2 && __builtin_cpu_supports("fma"))
    return {add_avx2<T, 1>, add_avx2<T, 2>, add_avx2<T, 3>};
#endif
  return {add_portable<T, 1>, add_portable<T, 2>, add_portable<T, 3>};
}

// A block is at most `panels` panels that are packed together, one after another. A panel is stored by terms.
constexpr std::uint64_t block_terms = terms_at_once;
template <class T>
constexpr std::uint64_t block_columns = panels* columns<T>;
template <class T>
constexpr std::uint64_t block_numbers = block_terms* block_columns<T>;
template <class T>
constexpr std::uint64_t block_bytes = block_numbers<T> * sizeof(T);

std::uint64_t parts(std::uint64_t whole, std::uint64_t part) { return (whole + part - 1) / part; }

/// Memory for one block. Its alignment keeps a vector register from being loaded from two cache lines. A
/// small product does not touch the pages that it does not need.
template <class T>
class packed_block {
 public:
  T* data() {
    if (!lines_) lines_ = std::make_unique_for_overwrite<whole_line[]>(block_numbers<T> / line<T>);
    return lines_[0].numbers;
  }

 private:
  struct alignas(64) whole_line {
    T numbers[line<T>];
  };
  std::unique_ptr<whole_line[]> lines_;
};

/// Packs one block of `right`, which has k rows of n numbers. The block begins at `term` and `column`.
/// Columns beyond the last one are filled with zeros.
template <class T>
void pack(std::uint64_t n, std::uint64_t k, operand<T> right, std::uint64_t term, std::uint64_t column,
          T* packed) {
  const std::uint64_t terms = std::min(block_terms, k - term);
  const std::uint64_t present = std::min(block_columns<T>, n - column);
  for (std::uint64_t i = 0; i < terms; ++i) {
    const T* const from = right.data + (term + i) * right.stride + column;
    T* to = packed + i * columns<T>;
    for (std::uint64_t j = 0; j < present; j += columns<T>, to += columns<T> * terms_at_once) {
      const std::uint64_t there = std::min<std::uint64_t>(columns<T>, present - j);
      if (there < columns<T>) std::fill_n(to, columns<T>, T{});
      if (right.transposed) continue;
      if (there == columns<T>) {
        std::copy_n(from + j, columns<T>, to);  // the compiler knows this count
      } else {
        std::copy_n(from + j, there, to);
      }
    }
  }
  if (!right.transposed) return;
  for (std::uint64_t j = 0; j < present; ++j) {
    const T* const from = right.data + (column + j) * right.stride + term;
    T* const to = packed + j / columns<T> * columns<T> * terms_at_once + j % columns<T>;
    for (std::uint64_t i = 0; i < terms; ++i) to[i * columns<T>] = from[i];
  }
}

/// The packed block that is needed now, and the block that is probably needed next.
template <class T>
struct packed_numbers {
  const T* here = nullptr;
  const T* next = nullptr;
};

/// Multiplies with a right factor that comes in packed blocks. `block(term, column, now)` gives the block
/// that begins there. While another thread packs that block, the call gives nothing, unless `now` is true.
template <class T, class Block>
void multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, result_operand<T> out,
              const Block& block) {
  const kernels<T> add = kernels_for<T>(active_vector_path());
  std::array<T, rows * columns<T>> edge{};
  // Prefetches the sums of the rows below during this tile. Otherwise the next tile would wait for memory.
  const auto fetch_below = [&](std::uint64_t row, std::uint64_t column, std::uint64_t wide) {
    for (std::uint64_t i = row + rows; i < std::min<std::uint64_t>(m, row + 2 * rows); ++i) {
      for (std::uint64_t j = 0; j < wide; j += line<T>)
        __builtin_prefetch(out.data + i * out.stride + column + j, 1, 3);
    }
  };
  const auto add_tile = [&](std::uint64_t row, std::uint64_t column, tile<T> one) {
    const std::uint64_t high = std::min<std::uint64_t>(rows, m - row);
    const std::uint64_t wide = std::min<std::uint64_t>(columns<T>, n - column);
    const std::uint64_t lines = (wide + line<T> - 1) / line<T>;
    T* const to = out.data + row * out.stride + column;
    fetch_below(row, column, wide);
    one.sums = to;
    one.stride = out.stride;
    if (high == rows && wide == lines * line<T>) return add[lines - 1](one);
    // Less than a tile is left at an edge of the matrix. It is computed as a whole tile in a buffer.
    one.sums = edge.data();
    one.stride = columns<T>;
    if (!one.begins) {
      for (std::uint64_t i = 0; i < high; ++i)
        std::copy_n(to + i * out.stride, wide, edge.data() + i * columns<T>);
    }
    add[lines - 1](one);
    for (std::uint64_t i = 0; i < high; ++i)
      std::copy_n(edge.data() + i * columns<T>, wide, to + i * out.stride);
  };

  if (k == 0) {
    for (std::uint64_t i = 0; i < m; ++i) std::fill_n(out.data + i * out.stride, n, T{});
  }
  // Rows of `left` that are a multiple of 4 KiB apart share few sets of the caches, so each round copies
  // them.
  constexpr std::uint64_t apart = terms_at_once + line<T>;
  const bool copies = left.stride * sizeof(T) % 4096 == 0 && n > block_columns<T> && m > rows && m <= 1024;
  std::vector<T> copied(copies ? m * apart : 0);

  const auto add_block = [&](std::uint64_t term, std::uint64_t first, const packed_numbers<T>& packed) {
    const std::uint64_t terms = std::min(block_terms, k - term);
    const std::uint64_t present = std::min(block_columns<T>, n - first);
    // Other threads have packed the next block, so it lies in distant memory. It is prefetched evenly while
    // this block is used. Prefetching it all at once took as long as waiting for it.
    const std::uint64_t tiles = parts(m, rows) * parts(present, columns<T>);
    const std::uint64_t fetched = packed.next == packed.here ? 0 : parts(block_bytes<T>, tiles * terms);
    const char* ahead = reinterpret_cast<const char*>(packed.next);
    // The terms of 8 rows stay in the L1 cache, while the panels of a block come from the L2 cache.
    for (std::uint64_t row = 0; row < m; row += rows) {
      tile<T> one{};
      one.terms = terms;
      one.begins = term == 0;
      one.fetched = fetched;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::uint64_t from = std::min<std::uint64_t>(row + i, m - 1);
        one.left[i] = copies ? copied.data() + from * apart : left.data + from * left.stride + term;
      }
      for (std::uint64_t j = 0; j < present; j += columns<T>) {
        one.panel = packed.here + j * terms_at_once;
        one.ahead = ahead;
        add_tile(row, first + j, one);
        ahead += terms * fetched;
      }
    }
  };

  std::vector<std::uint64_t> later;  // first columns of the blocks that other threads were packing
  for (std::uint64_t term = 0; term < k; term += block_terms) {
    for (std::uint64_t i = 0; copies && i < m; ++i) {
      std::copy_n(left.data + i * left.stride + term, std::min(block_terms, k - term),
                  copied.data() + i * apart);
    }
    for (std::uint64_t first = 0; first < n; first += block_columns<T>) {
      const packed_numbers<T> packed = block(term, first, false);
      if (packed.here == nullptr) {
        later.push_back(first);
      } else {
        add_block(term, first, packed);
      }
    }
    for (const std::uint64_t first : later) add_block(term, first, block(term, first, true));
    later.clear();
  }
}

template <class T>
void multiply_alone(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, operand<T> right,
                    result_operand<T> out) {
  packed_block<T> packed;
  multiply(m, n, k, left, out, [&](std::uint64_t term, std::uint64_t column, bool /*now*/) {
    pack(n, k, right, term, column, packed.data());
    return packed_numbers<T>{packed.data(), packed.data()};
  });
}

}  // namespace

template <class T>
packed_factor<T>::packed_factor(std::uint64_t n, std::uint64_t k, operand<T> right)
  : n_(n),
    k_(k),
    right_(right),
    packed_(allocate_zeroed(std::max<std::size_t>(1, parts(k, block_terms) * parts(n, block_columns<T>) *
                                                         block_numbers<T> * sizeof(T)),
                            "the packed factor of a product")),
    states_(parts(k, block_terms) * parts(n, block_columns<T>)) {}

template <class T>
void packed_factor<T>::multiply(std::uint64_t m, operand<T> left, result_operand<T> out) {
  // This thread packs a block here if another thread is still packing the same block. Waiting for that thread
  // would take as long.
  packed_block<T> own;
  T* const all = static_cast<T*>(packed_.get());
  cpu::multiply(m, n_, k_, left, out, [&](std::uint64_t term, std::uint64_t column, bool now) {
    const std::uint64_t index = term / block_terms * parts(n_, block_columns<T>) + column / block_columns<T>;
    T* const place = all + index * block_numbers<T>;
    T* const next = all + (index + 1) % states_.size() * block_numbers<T>;
    std::atomic<state>& is = states_[index];
    state seen = is.load(std::memory_order_acquire);
    if (seen == state::missing &&
        is.compare_exchange_strong(seen, state::being_packed, std::memory_order_acquire)) {
      pack(n_, k_, right_, term, column, place);
      is.store(state::there, std::memory_order_release);
      return packed_numbers<T>{place, next};
    }
    if (seen == state::there) return packed_numbers<T>{place, next};
    if (!now) return packed_numbers<T>{};
    pack(n_, k_, right_, term, column, own.data());
    return packed_numbers<T>{own.data(), next};
  });
}

template class packed_factor<float>;
template class packed_factor<double>;

void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<float> left,
                       operand<float> right, result_operand<float> out) {
  multiply_alone(m, n, k, left, right, out);
}

void multiply_in_order(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<double> left,
                       operand<double> right, result_operand<double> out) {
  multiply_alone(m, n, k, left, right, out);
}

}  // namespace duomap::cpu
