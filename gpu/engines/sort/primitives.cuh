// Plain functions for CUB's sort, scan and selection, so that CUB is compiled once, not for each task.
#pragma once

#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Two arrays of sort keys, and two arrays of the values that are sorted with them. [0] holds the input.
struct sort_arrays {
  std::uint32_t* keys[2];
  std::uint32_t* values[2];
};

/// Sorts pairs by the low `bits` bits of their keys, 8 bits in each pass; equal keys keep their order.
/// Afterwards arrays.keys[0] and arrays.values[0] point to the sorted arrays.
void sort_pairs(sort_arrays& arrays, std::uint32_t count, unsigned bits, scratch& temporary,
                const stream& on);

/// Replaces each number by the sum of all numbers up to and including it.
void sum_up_to_each(std::uint32_t* numbers, std::uint32_t count, scratch& temporary, const stream& on);

/// Replaces each number by the sum of all numbers before it.
void sum_before_each(std::uint64_t* numbers, std::uint64_t count, scratch& temporary, const stream& on);

/// Writes the indices i with chosen[group_of[i]] != 0, ascending, to `indices`, which has room for `count` of
/// them, and their number to *selected on the device.
void select_groups(const std::uint32_t* group_of, const std::uint8_t* chosen, std::uint32_t count,
                   std::uint32_t* indices, std::uint32_t* selected, scratch& temporary, const stream& on);

/// An emit, and its run of equal sort keys.
struct run_member {
  std::uint32_t run;
  std::uint32_t emit;
};

/// Sorts by run and, within a run, by key; members with the same run and key keep their order. keys.at(i) is
/// the key of emit i.
void sort_members(run_member* members, std::uint32_t count, const strided_keys& keys, scratch& temporary,
                  const stream& on);

}  // namespace duomap::gpu
