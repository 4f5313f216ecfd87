// Accumulators in device memory, for more keys than fit into shared memory.
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

/// One cell for each key. Lanes of a warp with the same key combine their values first, so that a frequent
/// key costs one memory operation for each warp instead of 32.
template <reduction R>
class device_cells {
 public:
  using value_type = typename R::value_type;
  static constexpr fold_kind kind = fold_kind_of<R>();

 private:
  struct locked_cell {
    unsigned state;
    unsigned word[words_of<value_type>];
  };
  static constexpr unsigned empty = 0;
  static constexpr unsigned locked = 1;
  static constexpr unsigned full = 2;
  using bits =
      std::conditional_t<sizeof(value_type) <= 4 && has_start_value<R>, unsigned, unsigned long long>;
  using cell = std::conditional_t<kind == fold_kind::numbers, value_type,
                                  std::conditional_t<kind == fold_kind::swap, bits, locked_cell>>;

 public:
  /// Bytes of device memory for the cells.
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t keys) {
    return mark_bytes(keys) + keys * sizeof(cell);
  }

  device_cells() = default;
  /// `memory`: bytes(keys) bytes, aligned to 256.
  device_cells(void* memory, std::uint64_t keys)
    : marks_(static_cast<unsigned*>(memory)),
      cells_(reinterpret_cast<cell*>(static_cast<unsigned char*>(memory) + mark_bytes(keys))),
      keys_(keys) {}

  [[nodiscard]] DUOMAP_HD std::uint64_t keys() const { return keys_; }

  __device__ void clear(std::uint64_t key, const R& reduce) const {
    if constexpr (has_start_value<R>) {
      if (key % 32 == 0) marks_[key / 32] = 0;
    }
    if constexpr (kind == fold_kind::numbers) {
      cells_[key] = start_value(reduce);
    } else if constexpr (kind == fold_kind::swap) {
      bits start = 0;
      if constexpr (has_start_value<R>) start = bits_of_value<bits>(start_value(reduce));
      cells_[key] = start;
    } else {
      cells_[key].state = empty;
    }
  }

  /// Folds a value into the cell of a key. Any set of lanes may call it.
  __device__ void fold(std::uint64_t key, const value_type& value, const R& reduce) const {
    value_type all = value;
    if (reduce_over_peers(key, all, reduce)) fold_alone(key, all, reduce);
  }

  /// Folds like fold(), for a key that no other lane of the warp has.
  __device__ void fold_alone(std::uint64_t key, const value_type& value, const R& reduce) const {
    if constexpr (has_start_value<R>) mark(key);
    if constexpr (kind == fold_kind::numbers) {
      if constexpr (duomap::detail::is_sum_fields<R>) {
        add_fields(cells_[key], value);
      } else {
        add(cells_[key], value);
      }
    } else if constexpr (kind == fold_kind::swap) {
      fold_bits(cells_ + key, value, reduce);
    } else {
      fold_locked(cells_[key], value, reduce);
    }
  }

  /// The value of a key. Call it in a later kernel.
  [[nodiscard]] __device__ maybe<value_type> read(std::uint64_t key) const {
    maybe<value_type> found{};
    if constexpr (has_start_value<R>) found.present = (marks_[key / 32] >> key % 32 & 1) != 0;
    if constexpr (kind == fold_kind::numbers) {
      found.value = cells_[key];
    } else if constexpr (kind == fold_kind::swap) {
      const bits held = cells_[key];
      if constexpr (!has_start_value<R>) found.present = held >> 32 != 0;
      memcpy(&found.value, &held, sizeof(value_type));
    } else {
      found.present = cells_[key].state == full;
      found.value = locked_value(cells_[key]);
    }
    return found;
  }

 private:
  [[nodiscard]] static constexpr std::uint64_t mark_bytes(std::uint64_t keys) {
    return has_start_value<R> ? (keys + 2047) / 2048 * 256 : 0;
  }

  // A mark that another thread has just set may look unset. The mark is then set twice.
  __device__ void mark(std::uint64_t key) const {
    const unsigned bit = 1u << key % 32;
    if ((marks_[key / 32] & bit) == 0) atomicOr(marks_ + key / 32, bit);
  }

  template <class N>
  __device__ static void add(N& to, const N& number) {
    if constexpr (std::is_floating_point_v<N>) {
      atomicAdd(&to, number);
    } else if constexpr (sizeof(N) == 4) {
      atomicAdd(reinterpret_cast<unsigned*>(&to), static_cast<unsigned>(number));
    } else {
      atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(number));
    }
  }

  __device__ static void add_fields(value_type& to, const value_type& value) {
    // Adds each number of `value` to the number at the same offset in `to`.
    const auto* const from = reinterpret_cast<const unsigned char*>(&value);
    auto* const into = reinterpret_cast<unsigned char*>(&to);
    R::for_each_number(value, [&](const auto& number) {
      using type = std::remove_cvref_t<decltype(number)>;
      const auto offset = reinterpret_cast<const unsigned char*>(&number) - from;
      add(*reinterpret_cast<type*>(into + offset), number);
    });
  }

  __device__ static void fold_bits(bits* at, const value_type& value, const R& reduce) {
    bits seen = *const_cast<volatile bits*>(at);
    while (true) {
      value_type held;
      memcpy(&held, &seen, sizeof held);
      bits wanted = 0;
      if constexpr (has_start_value<R>) {
        wanted = bits_of_value<bits>(value_type(reduce(held, value)));
      } else {
        wanted = bits_of_value<bits>(seen == 0 ? value : value_type(reduce(held, value))) | bits{1} << 32;
      }
      if (wanted == seen) return;
      const bits found = atomicCAS(at, seen, wanted);
      if (found == seen) return;
      seen = found;
    }
  }

  // Reads a value without the first-level cache, which may have an older value.
  [[nodiscard]] __device__ static value_type locked_value(const locked_cell& cell) {
    value_words<value_type> words;
#pragma unroll
    for (unsigned w = 0; w < words_of<value_type>; ++w) words.word[w] = __ldcg(cell.word + w);
    return words.value();
  }

  __device__ static void fold_locked(locked_cell& cell, const value_type& value, const R& reduce) {
    // Each pass of the loop either takes the lock, folds and releases the lock, or does nothing. So a thread
    // that holds the lock never waits for another thread of its warp.
    for (bool done = false; !done;) {
      const unsigned before = atomicExch(&cell.state, locked);
      if (before == locked) continue;
      __threadfence();
      const value_words<value_type> folded(before == full ? value_type(reduce(locked_value(cell), value))
                                                          : value);
#pragma unroll
      for (unsigned w = 0; w < words_of<value_type>; ++w) __stcg(cell.word + w, folded.word[w]);
      __threadfence();
      atomicExch(&cell.state, full);
      done = true;
    }
  }

  unsigned* marks_ = nullptr;
  cell* cells_ = nullptr;
  std::uint64_t keys_ = 0;
};

}  // namespace duomap::gpu
