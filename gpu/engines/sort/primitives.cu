#include "gpu/engines/sort/key_compare.hpp"
#include "gpu/engines/sort/primitives.cuh"
#include "gpu/runtime/check.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <utility>

namespace duomap::gpu {
namespace {

/// Calls a CUB function twice: first to ask for the size of its temporary memory, then to run it.
template <class Call>
void with_temporary(scratch& temporary, const stream& on, const char* what, const Call& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), what);
  // CUB takes a null pointer for the question about the size, so the memory has at least one byte.
  void* const memory = temporary.get<char>(bytes + 1, on);
  check(call(memory, bytes), what);
}

struct in_chosen_group {
  const std::uint32_t* group_of;
  const std::uint8_t* chosen;
  [[nodiscard]] __device__ bool operator()(std::uint32_t i) const { return chosen[group_of[i]] != 0; }
};

struct member_before {
  strided_keys keys;
  [[nodiscard]] __device__ bool operator()(const run_member& a, const run_member& b) const {
    return a.run != b.run ? a.run < b.run : compare_keys(keys.at(a.emit), keys.at(b.emit)) < 0;
  }
};

}  // namespace

void sort_pairs(sort_arrays& arrays, std::uint32_t count, unsigned bits, scratch& temporary,
                const stream& on) {
  if (bits == 0 || count < 2) return;
  cub::DoubleBuffer<std::uint32_t> keys(arrays.keys[0], arrays.keys[1]);
  cub::DoubleBuffer<std::uint32_t> values(arrays.values[0], arrays.values[1]);
  with_temporary(temporary, on, "sorting emits", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, values, count, 0, static_cast<int>(bits),
                                           on.get());
  });
  if (keys.selector != 0) std::swap(arrays.keys[0], arrays.keys[1]);
  if (values.selector != 0) std::swap(arrays.values[0], arrays.values[1]);
}

void sum_up_to_each(std::uint32_t* numbers, std::uint32_t count, scratch& temporary, const stream& on) {
  with_temporary(temporary, on, "numbering segments", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, numbers, numbers, count, on.get());
  });
}

void sum_before_each(std::uint64_t* numbers, std::uint64_t count, scratch& temporary, const stream& on) {
  with_temporary(temporary, on, "placing long keys", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, numbers, numbers, count, on.get());
  });
}

void select_groups(const std::uint32_t* group_of, const std::uint8_t* chosen, std::uint32_t count,
                   std::uint32_t* indices, std::uint32_t* selected, scratch& temporary, const stream& on) {
  with_temporary(temporary, on, "finding colliding keys", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, thrust::counting_iterator<std::uint32_t>(0), indices,
                                 selected, count, in_chosen_group{group_of, chosen}, on.get());
  });
}

void sort_members(run_member* members, std::uint32_t count, const strided_keys& keys, scratch& temporary,
                  const stream& on) {
  with_temporary(temporary, on, "sorting colliding keys", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeys(memory, bytes, members, count, member_before{keys}, on.get());
  });
}

}  // namespace duomap::gpu
