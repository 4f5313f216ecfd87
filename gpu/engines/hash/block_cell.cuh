// Keeps a value in a block's table, in shared memory. The cell is small, because more slots mean fewer
// accesses to the device's table.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/hash/field_cell.hpp"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Works like field_cell, but may be too small for a value, and may wrap around. The device's table gets the
/// values, or the part of a sum, that the cell does not hold.
template <reduction R>
struct block_cell : field_cell<R, thread_scope::block> {
  using emitted_type = emit_type<R>;

  [[nodiscard]] __device__ static bool holds(const emitted_type&) { return true; }
  /// Returns whether the cell wrapped around. If so, the caller must add wrapped(emitted) elsewhere.
  __device__ bool add(const emitted_type& emitted, const R& reduce) {
    fold_into(*this, emitted, reduce);
    return false;
  }
  [[nodiscard]] __device__ static emitted_type wrapped(const emitted_type& emitted) { return emitted; }
};

/// Sums of 64 bits in a signed 32-bit cell. It takes half of the memory, and hardware adds 32 bits.
template <reduction R>
  requires(update_kind_of<R>() == update_kind::add && sizeof(typename R::value_type) == 8)
struct block_cell<R> {
  using value = typename R::value_type;
  int total;

  __device__ void clear(const R&) { total = 0; }
  [[nodiscard]] __device__ static bool holds(const value& v) {
    const auto wide = static_cast<std::int64_t>(v);
    return wide == static_cast<int>(wide);
  }
  __device__ bool add(const value& v, const R&) {
    const auto part = static_cast<unsigned>(v);
    const auto before = static_cast<unsigned>(atomicAdd(&total, static_cast<int>(part)));
    const unsigned after = before + part;
    // The sum wrapped around if both terms have one sign and the sum has the other sign.
    return static_cast<int>((before ^ after) & (part ^ after)) < 0;
  }
  [[nodiscard]] __device__ static value wrapped(const value& v) {
    constexpr std::int64_t whole = std::int64_t{1} << 32;
    return static_cast<value>(static_cast<std::int64_t>(v) < 0 ? -whole : whole);
  }
  [[nodiscard]] __device__ value read() const { return static_cast<value>(static_cast<std::int64_t>(total)); }
};

}  // namespace duomap::gpu
