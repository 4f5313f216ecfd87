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

// Elements that are computed at once stay in registers: `rows` times `columns` of them.
constexpr std::size_t rows = 6;
template <class T>
constexpr std::size_t columns = 128 / sizeof(T);  // two registers of AVX-512, four of AVX2

// Terms of one round: what of `right` belongs to `columns` of them is a panel, and takes 32 KiB.
constexpr std::uint64_t terms_at_once = 256;

// Panels that are packed together, from 512 bytes of a row of `right` at a time.
constexpr std::uint64_t panels = 4;

/// Adds `terms` terms to `rows` x `columns` sums: `left[i]` are those of row i, `panel` has `columns` numbers
/// for each term.
template <class T>
using kernel = void (*)(std::uint64_t terms, const std::array<const T*, rows>& left, const T* panel, T* sums,
                        std::uint64_t stride);

template <class T>
void add_portable(std::uint64_t terms, const std::array<const T*, rows>& left, const T* panel, T* sums,
                  std::uint64_t stride) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint64_t k = 0; k < terms; ++k) {
      for (std::size_t j = 0; j < columns<T>; ++j) {
        T& sum = sums[i * stride + j];
        sum = std::fma(left[i][k], panel[k * columns<T> + j], sum);
      }
    }
  }
}

#if defined(__x86_64__)

using namespace vector_lanes;

// Two of the four registers of a row at a time: AVX2 has 16 registers, and these take 12.
template <class T>
[[gnu::target("avx2,fma")]] void add_avx2(std::uint64_t terms, const std::array<const T*, rows>& left,
                                          const T* panel, T* sums, std::uint64_t stride) {
  using vector = decltype(everywhere(T{}));
  constexpr std::size_t width = sizeof(vector) / sizeof(T);
  for (std::size_t first = 0; first < columns<T>; first += 2 * width) {
    vector sum[rows][2];
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 2; ++j) sum[i][j] = load(sums + i * stride + first + j * width);
    }
    for (std::uint64_t k = 0; k < terms; ++k) {
      const T* const right = panel + k * columns<T> + first;
      const vector right0 = load(right);
      const vector right1 = load(right + width);
      for (std::size_t i = 0; i < rows; ++i) {
        const vector factor = everywhere(left[i][k]);
        sum[i][0] = fma(factor, right0, sum[i][0]);
        sum[i][1] = fma(factor, right1, sum[i][1]);
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 2; ++j) store(sums + i * stride + first + j * width, sum[i][j]);
    }
  }
}

template <class T>
[[gnu::target("avx512f")]] void add_avx512(std::uint64_t terms, const std::array<const T*, rows>& left,
                                           const T* panel, T* sums, std::uint64_t stride) {
  using vector = decltype(everywhere_wide(T{}));
  constexpr std::size_t width = sizeof(vector) / sizeof(T);
  vector sum[rows][2];
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < 2; ++j) sum[i][j] = load_wide(sums + i * stride + j * width);
  }
  for (std::uint64_t k = 0; k < terms; ++k) {
    const vector right0 = load_wide(panel + k * columns<T>);
    const vector right1 = load_wide(panel + k * columns<T> + width);
    for (std::size_t i = 0; i < rows; ++i) {
      const vector factor = everywhere_wide(left[i][k]);
      sum[i][0] = fma(factor, right0, sum[i][0]);
      sum[i][1] = fma(factor, right1, sum[i][1]);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < 2; ++j) store(sums + i * stride + j * width, sum[i][j]);
  }
}

#endif

template <class T>
kernel<T> kernel_for(vector_path path) {
#if defined(__x86_64__)
  if (path == vector_path::avx512) return add_avx512<T>;
  if (path == vector_path::avx2 && __builtin_cpu_supports("fma")) return add_avx2<T>;
#endif
  return add_portable<T>;
}

// What is packed together, at most `panels` of them: panel by panel, in each term by term.
constexpr std::uint64_t block_terms = terms_at_once;
template <class T>
constexpr std::uint64_t block_columns = panels* columns<T>;
template <class T>
constexpr std::uint64_t block_numbers = block_terms* block_columns<T>;

/// Room for one of them, as vector registers want it: none is loaded from two lines of the cache. Pages that
/// a small product does not need are not touched.
template <class T>
class packed_block {
 public:
  T* data() {
    if (!lines_) lines_ = std::make_unique_for_overwrite<line[]>(block_numbers<T> * sizeof(T) / sizeof(line));
    return lines_[0].numbers;
  }

 private:
  struct alignas(64) line {
    T numbers[64 / sizeof(T)];
  };
  std::unique_ptr<line[]> lines_;
};

/// The numbers of `right` for some terms and columns; zeros where a panel has no column.
template <class T>
void pack(operand<T> right, std::uint64_t term, std::uint64_t terms, std::uint64_t column,
          std::uint64_t present, T* packed) {
  for (std::uint64_t k = 0; k < terms; ++k) {
    for (std::uint64_t j = 0; j < present; j += columns<T>) {
      T* const to = packed + j * terms_at_once + k * columns<T>;
      const std::uint64_t there = std::min<std::uint64_t>(columns<T>, present - j);
      if (!right.transposed) std::copy_n(right.data + (term + k) * right.stride + column + j, there, to);
      std::fill(to + there, to + columns<T>, T{});
    }
  }
  if (!right.transposed) return;
  for (std::uint64_t j = 0; j < present; ++j) {
    const T* const from = right.data + (column + j) * right.stride + term;
    T* const to = packed + j / columns<T> * columns<T> * terms_at_once + j % columns<T>;
    for (std::uint64_t k = 0; k < terms; ++k) to[k * columns<T>] = from[k];
  }
}

/// `block(term, terms, column, columns)` gives what pack() has made of these terms and columns.
template <class T, class Block>
void multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, result_operand<T> out,
              const Block& block) {
  const kernel<T> add = kernel_for<T>(active_vector_path());
  std::array<T, rows * columns<T>> edge{};
  const auto add_tile = [&](std::uint64_t term, std::uint64_t terms, std::uint64_t row, std::uint64_t column,
                            const T* panel) {
    const std::uint64_t high = std::min<std::uint64_t>(rows, m - row);
    const std::uint64_t wide = std::min<std::uint64_t>(columns<T>, n - column);
    std::array<const T*, rows> factors;
    for (std::size_t i = 0; i < rows; ++i)
      factors[i] = left.data + (row + std::min<std::uint64_t>(i, high - 1)) * left.stride + term;
    T* const to = out.data + row * out.stride + column;
    if (high == rows && wide == columns<T>) return add(terms, factors, panel, to, out.stride);
    // A part of a tile, at an edge: computed as a whole one beside the matrix.
    for (std::uint64_t i = 0; i < high; ++i)
      std::copy_n(to + i * out.stride, wide, edge.data() + i * columns<T>);
    add(terms, factors, panel, edge.data(), columns<T>);
    for (std::uint64_t i = 0; i < high; ++i)
      std::copy_n(edge.data() + i * columns<T>, wide, to + i * out.stride);
  };

  for (std::uint64_t i = 0; i < m; ++i) std::fill_n(out.data + i * out.stride, n, T{});
  for (std::uint64_t term = 0; term < k; term += block_terms) {
    const std::uint64_t terms = std::min(block_terms, k - term);
    for (std::uint64_t first = 0; first < n; first += block_columns<T>) {
      const std::uint64_t present = std::min(block_columns<T>, n - first);
      const T* const packed = block(term, terms, first, present);
      // A panel stays in the cache nearest to the core, and rows come: the other way round 512 x 512 floats
      // took a Xeon 8 % longer.
      for (std::uint64_t j = 0; j < present; j += columns<T>) {
        for (std::uint64_t row = 0; row < m; row += rows)
          add_tile(term, terms, row, first + j, packed + j * terms_at_once);
      }
    }
  }
}

template <class T>
void multiply_alone(std::uint64_t m, std::uint64_t n, std::uint64_t k, operand<T> left, operand<T> right,
                    result_operand<T> out) {
  packed_block<T> packed;
  multiply(m, n, k, left, out,
           [&](std::uint64_t term, std::uint64_t terms, std::uint64_t column, std::uint64_t present) {
             pack(right, term, terms, column, present, packed.data());
             return packed.data();
           });
}

std::uint64_t parts(std::uint64_t whole, std::uint64_t part) { return (whole + part - 1) / part; }

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
  packed_block<T> own;  // what another thread is packing: waiting for it would take as long
  cpu::multiply(m, n_, k_, left, out,
                [&](std::uint64_t term, std::uint64_t terms, std::uint64_t column, std::uint64_t present) {
                  const std::uint64_t index =
                      term / block_terms * parts(n_, block_columns<T>) + column / block_columns<T>;
                  T* const place = static_cast<T*>(packed_.get()) + index * block_numbers<T>;
                  std::atomic<state>& is = states_[index];
                  state seen = is.load(std::memory_order_acquire);
                  if (seen == state::there) return place;
                  if (seen == state::missing &&
                      is.compare_exchange_strong(seen, state::being_packed, std::memory_order_acquire)) {
                    pack(right_, term, terms, column, present, place);
                    is.store(state::there, std::memory_order_release);
                    return place;
                  }
                  if (seen == state::there) return place;
                  pack(right_, term, terms, column, present, own.data());
                  return own.data();
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
