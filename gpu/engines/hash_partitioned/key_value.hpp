// A key with a reduced value, for lists in device memory, and the task that reduces such lists further. host
// safe
#pragma once

#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "gpu/engines/hash_partitioned/key_bits.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace duomap::gpu {

namespace detail {

template <class Bits, class V>
struct plain_key_value {
  Bits key;
  V value;
};

}  // namespace detail

/// A key with a value. It is aligned to its size if that is 8 or 16 bytes, so that one instruction moves it.
template <class Bits, class V, class Plain = detail::plain_key_value<Bits, V>>
struct alignas(sizeof(Plain) == 8 || sizeof(Plain) == 16 ? sizeof(Plain) : alignof(Plain)) key_value {
  Bits key;
  V value;
};

/// The type that stores a value if the sample saw only small ones: 32 bits instead of 64 for integers.
template <class V>
struct narrow {
  using type = V;
};
template <std::integral V>
  requires(sizeof(V) == 8)
struct narrow<V> {
  using type = std::conditional_t<std::is_signed_v<V>, std::int32_t, std::uint32_t>;
};

/// Whether a value fits into the narrower type in which it is stored.
template <class Stored, class V>
[[nodiscard]] DUOMAP_HD constexpr bool fits_in(const V& value) {
  if constexpr (std::is_same_v<Stored, V>) {
    return true;
  } else {
    return static_cast<V>(static_cast<Stored>(value)) == value;
  }
}

/// Reduces rows of key_value: spilled emits of other kernels, and the results of several chunks.
template <fixed_size_key Key, reduction R, class Stored = typename R::value_type>
struct fold_key_values {
  using format = rows<key_value<key_bits<Key>, Stored>>;
  using key = Key;
  using reduce = R;
  static constexpr std::uint64_t max_emits_per_record = 1;

  R with;

  [[nodiscard]] static constexpr format records() { return {}; }
  [[nodiscard]] DUOMAP_HD R reduction() const { return with; }
  DUOMAP_HD void map(const typename format::record& r, auto& emit) const {
    emit(key_of_bits<Key>(r[0].key), static_cast<typename R::value_type>(r[0].value));
  }
};

}  // namespace duomap::gpu
