// A key with a reduced value, as lists in device memory hold them, and the task that reduces such lists
// further. host safe
#pragma once

#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "gpu/engines/hash_partitioned/key_bits.hpp"

#include <cstdint>

namespace duomap::gpu {

template <class Bits, class V>
struct key_value {
  Bits key;
  V value;
};

/// Reduces rows of key_value: what other kernels could not finish, and the results of several chunks.
template <fixed_size_key Key, reduction R>
struct fold_key_values {
  using format = rows<key_value<key_bits<Key>, typename R::value_type>>;
  using key = Key;
  using reduce = R;
  static constexpr std::uint64_t max_emits_per_record = 1;

  R with;

  [[nodiscard]] static constexpr format records() { return {}; }
  [[nodiscard]] DUOMAP_HD R reduction() const { return with; }
  DUOMAP_HD void map(const typename format::record& r, auto& emit) const {
    emit(key_of_bits<Key>(r[0].key), r[0].value);
  }
};

}  // namespace duomap::gpu
