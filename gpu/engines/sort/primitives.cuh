// CUB's sort, scan and selection behind plain functions, so that they are compiled once and not per task.
#pragma once

#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Two arrays of sort keys and two of what is sorted along with them; the first of each hold the input.
struct sort_arrays {
  std::uint32_t* keys[2];
  std::uint32_t* values[2];
};

/// Sorts pairs by the low `bits` bits of their keys, equal keys in the order they had: 8 bits a pass. After
/// it arrays.keys[0] and arrays.values[0] are the sorted ones, whichever they were before.
void sort_pairs(sort_arrays& arrays, std::uint32_t count, unsigned bits, scratch& temporary,
                const stream& on);

/// Replaces every number by the sum of all up to it.
void sum_up_to_each(std::uint32_t* numbers, std::uint32_t count, scratch& temporary, const stream& on);

/// Replaces every number by the sum of all before it.
void sum_before_each(std::uint64_t* numbers, std::uint64_t count, scratch& temporary, const stream& on);

/// Writes the indices i with chosen[group_of[i]] != 0, ascending, to `indices`, which has room for all, and
/// their number to *selected on the device.
void select_groups(const std::uint32_t* group_of, const std::uint8_t* chosen, std::uint32_t count,
                   std::uint32_t* indices, std::uint32_t* selected, scratch& temporary, const stream& on);

/// An emit, and the run of equal sort keys it stands in.
struct run_member {
  std::uint32_t run;
  std::uint32_t emit;
};

/// Sorts by run and, within a run, by key; members of one run and one key keep their order. The key of emit i
/// stands at keys.at(i).
void sort_members(run_member* members, std::uint32_t count, const strided_keys& keys, scratch& temporary,
                  const stream& on);

}  // namespace duomap::gpu
