// Keeps a block's accumulators in shared memory, with several copies for each key, so that threads seldom use
// the same accumulator.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/dense/fold_kind.hpp"
#include "gpu/engines/dense/peers.cuh"
#include "gpu/engines/dense/value_words.cuh"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace duomap::gpu {

namespace detail {

template <class R>
inline constexpr bool has_double = std::same_as<typename R::value_type, double>;
template <auto... Fields>
inline constexpr bool has_double<sum_fields<Fields...>> =
    (std::same_as<typename duomap::detail::member_of<decltype(Fields)>::number, double> || ...);

/// The number of 32-bit words that a number takes in a cell. A double is swapped as a whole, so it needs an
/// even address; in a cell with a double, all numbers take two words.
template <class R, class N>
inline constexpr unsigned words_in_cell = has_double<R> ? 2 : sizeof(N) / 4;

template <class R>
inline constexpr unsigned words_of_numbers = words_in_cell<R, typename R::value_type>;
template <auto... Fields>
inline constexpr unsigned words_of_numbers<sum_fields<Fields...>> =
    ((words_in_cell<sum_fields<Fields...>, typename duomap::detail::member_of<decltype(Fields)>::number> *
      (sizeof(typename duomap::detail::member_of<decltype(Fields)>::field) /
       sizeof(typename duomap::detail::member_of<decltype(Fields)>::number))) +
     ...);

template <class R>
inline constexpr bool adds_integers = is_sum_of_numbers<R>&& std::is_integral_v<typename R::value_type>;
template <auto... Fields>
inline constexpr bool adds_integers<sum_fields<Fields...>> =
    is_sum_of_numbers<sum_fields<Fields...>> &&
    (std::is_integral_v<typename duomap::detail::member_of<decltype(Fields)>::number> && ...);

template <class R>
[[nodiscard]] constexpr unsigned words_of_cell() {
  using value = typename R::value_type;
  switch (fold_kind_of<R>()) {
    case fold_kind::numbers:
      return words_of_numbers<R>;
    case fold_kind::swap:
      return sizeof(value) <= 4 && has_start_value<R> ? 1 : 2;
    case fold_kind::lock:
      return 1 + words_of<value>;
  }
  return 0;
}

}  // namespace detail

/// Cells for keys 0 .. keys - 1. Thread t of the block folds into copy t % copies. The copies of one word of
/// a cell lie side by side. So with 32 copies or more, the lanes of a warp share no cell and no bank,
/// whatever their keys. If each thread has a copy of its own, no operation is atomic.
///
/// Marks say which keys were emitted. To save writes, a lane marks a key only if it finds the start value in
/// the accumulator, as the first lane that folds always does.
template <reduction R>
class block_cells {
 public:
  using value_type = typename R::value_type;
  static constexpr fold_kind kind = fold_kind_of<R>();
  static constexpr unsigned words = detail::words_of_cell<R>();

  /// Bytes of shared memory for the cells, a multiple of 16.
  [[nodiscard]] DUOMAP_HD static constexpr std::uint64_t bytes(std::uint64_t keys, std::uint64_t copies) {
    return (4 * words * keys * copies + (has_start_value<R> ? (keys + 31) / 32 * 4 : 0) + 15) / 16 * 16;
  }

  /// `memory`: bytes(keys, 1 << copies_log2) bytes, aligned to 16.
  __device__ block_cells(void* memory, std::uint32_t keys, unsigned copies_log2)
    : memory_(static_cast<std::uint32_t*>(memory)),
      marks_(memory_ + (std::uint64_t{keys} * words << copies_log2)),
      keys_(keys),
      copies_log2_(copies_log2),
      copy_(threadIdx.x & ((1u << copies_log2) - 1)),
      exclusive_(1u << copies_log2 >= blockDim.x) {}

  /// Called by all threads of the block; a barrier must follow.
  __device__ void clear(const R& reduce) const {
    const std::uint32_t cells = keys_ << copies_log2_;
    for (std::uint32_t i = threadIdx.x; i < cells; i += blockDim.x) {
      std::uint32_t* const cell = cell_of(i >> copies_log2_);
      const std::uint32_t copy = i & ((1u << copies_log2_) - 1);
      if constexpr (kind == fold_kind::numbers) {
        unsigned at = 0;
        value_type start = start_value(reduce);
        for_each_number<R>(start, [&](auto& number) {
          put_number(cell, at, copy, number);
          at += detail::words_in_cell<R, std::remove_reference_t<decltype(number)>>;
        });
      } else if constexpr (kind == fold_kind::swap) {
        bits start = 0;
        if constexpr (has_start_value<R>) start = bits_of_value<bits>(start_value(reduce));
        reinterpret_cast<bits*>(cell)[copy] = start;
      } else {
        cell[copy] = empty;
      }
    }
    if constexpr (has_start_value<R>) {
      for (std::uint32_t i = threadIdx.x; i < (keys_ + 31) / 32; i += blockDim.x) marks_[i] = 0;
    }
  }

  /// Folds a value into the cell of a key. Any set of lanes may call it.
  __device__ void fold(std::uint32_t key, const value_type& value, const R& reduce) const {
    if constexpr (lanes_wait) {
      // Lanes of a warp may have the same cell, so one lane folds for all lanes with this cell.
      if (copies_log2_ < 5) {
        value_type all = value;
        if (reduce_over_peers(key, all, reduce)) fold_one(key, all, reduce);
        return;
      }
    }
    fold_one(key, value, reduce);
  }

  /// The value in a copy of a key. Call it after a barrier.
  [[nodiscard]] __device__ maybe<value_type> read(std::uint32_t key, std::uint32_t copy) const {
    std::uint32_t* const cell = cell_of(key);
    maybe<value_type> found{};
    if constexpr (has_start_value<R>) found.present = (marks_[key / 32] >> key % 32 & 1) != 0;
    if constexpr (kind == fold_kind::numbers) {
      unsigned at = 0;
      for_each_number<R>(found.value, [&](auto& number) {
        get_number(cell, at, copy, number);
        at += detail::words_in_cell<R, std::remove_reference_t<decltype(number)>>;
      });
    } else if constexpr (kind == fold_kind::swap) {
      const bits held = reinterpret_cast<const bits*>(cell)[copy];
      if constexpr (!has_start_value<R>) found.present = held >> 32 != 0;
      memcpy(&found.value, &held, sizeof(value_type));
    } else {
      found.present = cell[copy] == full;
      found.value = locked_value(cell + copy);
    }
    return found;
  }

 private:
  /// Whether lanes that fold into the same cell must try again until no other lane interferes. For 32-bit
  /// integers the hardware adds the values of several lanes itself.
  static constexpr bool lanes_wait = !detail::adds_integers<R>;
  static constexpr std::uint32_t empty = 0;
  static constexpr std::uint32_t locked = 1;
  static constexpr std::uint32_t full = 2;
  /// The word that is swapped: the value. Without a start value, the high half says whether there is a value.
  using bits = std::conditional_t<words == 1, unsigned int, unsigned long long>;

  [[nodiscard]] __device__ std::uint32_t* cell_of(std::uint32_t key) const {
    return memory_ + (key * words << copies_log2_);
  }

  /// Marks a key. This is rare, because only a lane that finds the start value calls it.
  __device__ void mark(std::uint32_t key) const {
    const std::uint32_t bit = 1u << key % 32;
    if ((*const_cast<volatile std::uint32_t*>(marks_ + key / 32) & bit) == 0)
      atomicOr(marks_ + key / 32, bit);
  }

  __device__ void fold_one(std::uint32_t key, const value_type& value, const R& reduce) const {
    std::uint32_t* const cell = cell_of(key);
    if constexpr (kind == fold_kind::numbers) {
      fold_numbers(key, cell, value);
    } else if constexpr (kind == fold_kind::swap) {
      fold_bits(key, reinterpret_cast<bits*>(cell) + copy_, value, reduce);
    } else {
      fold_locked(cell + copy_, value, reduce);
    }
  }

  // The layout of a number: 32 bits at [at][copy]; 64-bit integers as two halves, at [at] and [at + 1];
  // doubles as a whole.
  template <class N>
  __device__ void put_number(std::uint32_t* cell, unsigned at, std::uint32_t copy, const N& number) const {
    std::uint32_t* const first = cell + (at << copies_log2_);
    if constexpr (std::same_as<N, double>) {
      reinterpret_cast<double*>(first)[copy] = number;
    } else {
      const value_words<N> parts(number);
      first[copy] = parts.word[0];
      if constexpr (sizeof(N) == 8) first[(1u << copies_log2_) + copy] = parts.word[1];
    }
  }
  template <class N>
  __device__ void get_number(const std::uint32_t* cell, unsigned at, std::uint32_t copy, N& number) const {
    const std::uint32_t* const first = cell + (at << copies_log2_);
    if constexpr (std::same_as<N, double>) {
      number = reinterpret_cast<const double*>(first)[copy];
    } else {
      value_words<N> parts;
      parts.word[0] = first[copy];
      if constexpr (sizeof(N) == 8) parts.word[1] = first[(1u << copies_log2_) + copy];
      number = parts.value();
    }
  }

  /// Adds to a number in a cell. Returns whether the number had its start value.
  template <class N>
  __device__ bool add_alone(std::uint32_t* cell, unsigned at, const N& number) const {
    N before;
    get_number(cell, at, copy_, before);
    put_number(cell, at, copy_, static_cast<N>(before + number));
    if constexpr (std::same_as<N, double>) {
      return __double_as_longlong(before) == __double_as_longlong(start_number<double>());
    } else {
      return value_words<N>(before).word[0] == value_words<N>(start_number<N>()).word[0];
    }
  }
  template <class N>
  __device__ bool add_shared(std::uint32_t* cell, unsigned at, const N& number) const {
    std::uint32_t* const low = cell + (at << copies_log2_) + copy_;
    if constexpr (std::same_as<N, double>) {
      double* const place = reinterpret_cast<double*>(cell + (at << copies_log2_)) + copy_;
      return __double_as_longlong(atomicAdd(place, number)) == __double_as_longlong(start_number<double>());
    } else if constexpr (std::same_as<N, float>) {
      return __float_as_uint(atomicAdd(reinterpret_cast<float*>(low), number)) ==
             __float_as_uint(start_number<float>());
    } else if constexpr (sizeof(N) == 4) {
      return atomicAdd(low, static_cast<std::uint32_t>(number)) == 0;
    } else {
      // Shared memory adds 32 bits in hardware, but 64 bits by a loop of compare-and-swap. So the two halves
      // are added separately. If the low half wraps around, the high half gets a carry.
      const auto all = static_cast<unsigned long long>(number);
      const auto low_part = static_cast<std::uint32_t>(all);
      const std::uint32_t before = atomicAdd(low, low_part);
      const std::uint32_t carried =
          static_cast<std::uint32_t>(all >> 32) + (before + low_part < before ? 1 : 0);
      if (carried != 0) atomicAdd(low + (1u << copies_log2_), carried);
      return before == 0;
    }
  }

  __device__ void fold_numbers(std::uint32_t key, std::uint32_t* cell, const value_type& value) const {
    unsigned at = 0;
    bool was_start = false;
    const auto add_with = [&](const auto& add) {
      for_each_number<R>(value, [&](const auto& number) {
        const bool first = add(cell, at, number);
        if (at == 0) was_start = first;
        at += detail::words_in_cell<R, std::remove_cvref_t<decltype(number)>>;
      });
    };
    if (exclusive_) {
      add_with([&](auto... with) { return add_alone(with...); });
    } else {
      add_with([&](auto... with) { return add_shared(with...); });
    }
    if (was_start) mark(key);
  }

  __device__ void fold_bits(std::uint32_t key, bits* at, const value_type& value, const R& reduce) const {
    bits seen = *const_cast<volatile bits*>(at);
    while (true) {
      value_type held;
      memcpy(&held, &seen, sizeof held);
      bits wanted = 0;
      if constexpr (has_start_value<R>) {
        if (seen == bits_of_value<bits>(start_value(reduce))) mark(key);
        wanted = bits_of_value<bits>(value_type(reduce(held, value)));
      } else {
        wanted = bits_of_value<bits>(seen == 0 ? value : value_type(reduce(held, value))) | bits{1} << 32;
      }
      if (wanted == seen) return;
      if (exclusive_) {
        *at = wanted;
        return;
      }
      const bits found = atomicCAS(at, seen, wanted);
      if (found == seen) return;
      seen = found;
    }
  }

  [[nodiscard]] __device__ value_type locked_value(const std::uint32_t* state) const {
    value_words<value_type> parts;
#pragma unroll
    for (unsigned w = 0; w < words_of<value_type>; ++w) parts.word[w] = state[(w + 1) << copies_log2_];
    return parts.value();
  }
  __device__ void put_locked(std::uint32_t* state, const value_type& value) const {
    const value_words<value_type> parts(value);
#pragma unroll
    for (unsigned w = 0; w < words_of<value_type>; ++w) state[(w + 1) << copies_log2_] = parts.word[w];
  }

  __device__ void fold_locked(std::uint32_t* state, const value_type& value, const R& reduce) const {
    if (exclusive_) {
      put_locked(state, *state == full ? value_type(reduce(locked_value(state), value)) : value);
      *state = full;
      return;
    }
    // Each pass of the loop either takes the lock, folds and releases the lock, or does nothing. So a thread
    // that holds the lock never waits for another thread of its warp.
    for (bool done = false; !done;) {
      const std::uint32_t before = atomicExch(state, locked);
      if (before == locked) continue;
      __threadfence_block();
      put_locked(state, before == full ? value_type(reduce(locked_value(state), value)) : value);
      __threadfence_block();
      atomicExch(state, full);
      done = true;
    }
  }

  std::uint32_t* memory_;
  std::uint32_t* marks_;
  std::uint32_t keys_;
  unsigned copies_log2_;
  std::uint32_t copy_;
  bool exclusive_;
};

}  // namespace duomap::gpu
