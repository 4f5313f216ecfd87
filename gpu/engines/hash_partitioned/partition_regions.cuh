// The memory in which a partition's entries wait for the second pass, with its writer and its reader.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "gpu/engines/hash_partitioned/record_reader.cuh"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace duomap::gpu {

namespace detail {

/// The unit in which a value is read and written.
template <class V>
using value_unit = std::conditional_t<
    sizeof(V) % 16 == 0, uint4,
    std::conditional_t<
        sizeof(V) % 8 == 0, unsigned long long,
        std::conditional_t<sizeof(V) % 4 == 0, unsigned int,
                           std::conditional_t<sizeof(V) % 2 == 0, unsigned short, unsigned char>>>>;

}  // namespace detail

/// Regions of equal size, one for each partition, and the number of entries sent to each. Entries that
/// exceeded a region were spilled.
///
/// Entries of more than 16 bytes are stored apart, first all keys and then all values, so that the words that
/// lanes access together lie side by side.
template <class Bits, class V>
struct partition_regions {
  using entry = key_value<Bits, V>;
  using unit = detail::value_unit<V>;
  static constexpr bool apart = sizeof(entry) > 16;
  static constexpr unsigned value_units = sizeof(V) / sizeof(unit);

  void* memory = nullptr;  ///< has as many bytes as bytes() returns
  unsigned int* sent = nullptr;
  std::uint32_t region_entries = 0;  ///< a multiple of 64
  unsigned partition_bits = 0;       ///< 1 to most_partition_bits

  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t region_entries, unsigned partitions) {
    return region_entries * partitions * sizeof(entry);
  }

  [[nodiscard]] DUOMAP_HD unsigned partitions() const { return 1u << partition_bits; }
  [[nodiscard]] DUOMAP_HD unsigned partition_of(Bits key) const {
    return spread(key) >> (32 - partition_bits);
  }

  [[nodiscard]] DUOMAP_HD entry* entries() const { return static_cast<entry*>(memory); }
  [[nodiscard]] DUOMAP_HD Bits* keys() const { return static_cast<Bits*>(memory); }
  [[nodiscard]] DUOMAP_HD unit* values() const {
    return reinterpret_cast<unit*>(keys() + std::uint64_t{region_entries} * partitions());
  }

  __device__ void put(std::uint32_t at, const entry& one) const {
    if constexpr (apart) {
      unit words[value_units];
      memcpy(words, &one.value, sizeof(V));
      keys()[at] = one.key;
#pragma unroll
      for (unsigned i = 0; i < value_units; ++i) values()[std::uint64_t{at} * value_units + i] = words[i];
    } else {
      entries()[at] = one;
    }
  }
};

/// Reads a partition's entries if they are stored apart, as record_reader reads records.
template <class Bits, reduction R, class Stored>
class region_reader {
  using regions = partition_regions<Bits, Stored>;
  using unit = typename regions::unit;
  using value_type = typename R::value_type;

 public:
  using task = fold_key_values<Bits, R, Stored>;
  static constexpr unsigned group_records = 1;
  static constexpr unsigned group_emits = 1;
  /// Bytes of registers for each entry of a tile: the entry that is folded, and the entry of the next tile
  /// that is read meanwhile.
  static constexpr unsigned emit_bytes = 2 * sizeof(key_value<Bits, value_type>);

  struct bytes {
    Bits key;
    unit value[regions::value_units];
  };

  __device__ region_reader(const regions& all, unsigned partition)
    : keys_(all.keys() + std::uint64_t{partition} * all.region_entries),
      values_(all.values() + std::uint64_t{partition} * all.region_entries * regions::value_units) {}

  template <unsigned Groups>
  __device__ void load(std::uint64_t first, bytes (&read)[Groups]) const {
#pragma unroll
    for (unsigned g = 0; g < Groups; ++g) read[g] = load_one(first + 32 * g);
  }

  template <unsigned Groups>
  __device__ void map(std::uint64_t /*first*/, const bytes (&read)[Groups],
                      emits_in_registers<task, Groups>& all) const {
    all.valid = (1u << Groups) - 1;
#pragma unroll
    for (unsigned g = 0; g < Groups; ++g) {
      all.keys[g] = read[g].key;
      all.values[g] = value_of(read[g]);
    }
  }

  __device__ void map_one(std::uint64_t i, register_emitter<task>& emit) const {
    const bytes one = load_one(i);
    emit(one.key, value_of(one));
  }

 private:
  [[nodiscard]] __device__ bytes load_one(std::uint64_t i) const {
    bytes one;
    one.key = __ldcs(keys_ + i);
#pragma unroll
    for (unsigned u = 0; u < regions::value_units; ++u)
      one.value[u] = __ldcs(values_ + i * regions::value_units + u);
    return one;
  }
  [[nodiscard]] __device__ static value_type value_of(const bytes& one) {
    Stored value;
    memcpy(&value, one.value, sizeof value);
    return static_cast<value_type>(value);
  }

  const Bits* keys_;
  const unit* values_;
};

}  // namespace duomap::gpu
