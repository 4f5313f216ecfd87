#include "core/compact_key.hpp"
#include "gpu/engines/sort/key_compare.hpp"
#include "gpu/engines/sort/primitives.cuh"
#include "gpu/engines/sort/segments.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/grid.cuh"
#include "gpu/runtime/launch.cuh"

#include <bit>

namespace duomap::gpu {
namespace {

/// The key of the lane before; for the first lane, the key at the place before. Called by whole warps.
[[nodiscard]] __device__ compact_key key_before(const sorted_emits& emits, std::uint64_t place,
                                                const compact_key& own) {
  struct words {
    std::uint64_t lo, hi;
  };
  const auto mine = std::bit_cast<words>(own);
  const std::uint64_t lo = __shfl_up_sync(~0u, mine.lo, 1);
  const std::uint64_t hi = __shfl_up_sync(~0u, mine.hi, 1);
  if (threadIdx.x % 32 > 0 || place == 0) return {lo, hi};
  return emits.key_at(place - 1);
}

/// Moves each emit's value to its place, and sets heads[i] = 1 where a new key begins in the sorted order.
/// Sets *collision if two neighbours have the same sort key and different keys. Does both in one access to
/// each emit, because an access costs 64 bytes of memory traffic however few bytes it reads.
template <class Word>
__global__ void arrange(const sorted_emits emits, std::uint32_t* heads, Word* values,
                        std::uint32_t* collision) {
  const std::uint32_t value_words = emits.value_bytes / sizeof(Word);
  // Whole warps run the loop, because lanes read their neighbours' keys.
  for (std::uint64_t first = first_element() / 32 * 32; first < emits.count; first += element_step()) {
    const std::uint64_t i = first + threadIdx.x % 32;
    const bool active = i < emits.count;
    const std::uint32_t emit = active ? emits.order[i] : 0;
    bool begins = active && (i == 0 || emits.sort_keys[i] != emits.sort_keys[i - 1]);
    if (emits.has_keys) {
      const compact_key key = emits.emits.at(emit);
      const compact_key before = key_before(emits, active ? i : 0, key);
      if (active && !begins && compare_keys(key, before) != 0) {
        begins = true;
        *collision = 1;
      }
    }
    if (!active) continue;
    heads[i] = begins ? 1 : 0;
    const auto* const from =
        reinterpret_cast<const Word*>(emits.emits.first + emit * emits.emits.stride + emits.value_offset);
    for (std::uint32_t w = 0; w < value_words; ++w) values[i * value_words + w] = from[w];
  }
}

/// Sets heads[i] = 1 where a new sort key begins.
__global__ void mark_runs(const sorted_emits emits, std::uint32_t* heads) {
  for (std::uint64_t i = first_element(); i < emits.count; i += element_step()) {
    heads[i] = i == 0 || emits.sort_keys[i] != emits.sort_keys[i - 1] ? 1 : 0;
  }
}

/// Sets mixed[r] = 1 if run r has two neighbours with different keys, that is, more than one key.
__global__ void mark_mixed_runs(const sorted_emits emits, const std::uint32_t* run_of, std::uint8_t* mixed) {
  for (std::uint64_t i = first_element() + 1; i < emits.count; i += element_step()) {
    if (run_of[i] == run_of[i - 1] && compare_keys(emits.key_at(i), emits.key_at(i - 1)) != 0)
      mixed[run_of[i]] = 1;
  }
}

__global__ void list_members(const sorted_emits emits, const std::uint32_t* run_of,
                             const std::uint32_t* places, std::uint32_t count, run_member* members) {
  for (std::uint64_t i = first_element(); i < count; i += element_step()) {
    members[i] = {run_of[places[i]], emits.order[places[i]]};
  }
}

/// Puts sorted members back to the places of their own run, because sorting keeps a run's members together.
__global__ void put_members(const run_member* members, const std::uint32_t* places, std::uint32_t count,
                            const sorted_emits emits) {
  for (std::uint64_t i = first_element(); i < count; i += element_step()) {
    emits.order[places[i]] = members[i].emit;
  }
}

__global__ void gather_keys(const sorted_emits emits, const std::uint32_t* segment_of,
                            const writable_keys keys) {
  for (std::uint64_t i = first_element(); i < emits.count; i += element_step()) {
    if (i > 0 && segment_of[i] == segment_of[i - 1]) continue;
    keys.at(segment_of[i] - 1) =
        emits.has_keys ? emits.key_at(i)
                       : compact_key(emits.sort_keys[i], compact_key::length_tag(sizeof(std::uint64_t)));
  }
}

__global__ void write_key_zero(const writable_keys keys) {
  keys.at(0) = compact_key(0, compact_key::length_tag(sizeof(std::uint64_t)));
}

[[nodiscard]] std::uint32_t read(const std::uint32_t* from, const stream& on) {
  std::uint32_t value = 0;
  check(cudaMemcpyAsync(&value, from, sizeof value, cudaMemcpyDeviceToHost, on.get()),
        "reading a number from the device");
  on.wait();
  return value;
}

void launch_arrange(const sorted_emits& emits, std::uint32_t* heads, void* values, std::uint32_t* collision,
                    const stream& on) {
  const launch_shape grid = element_grid(emits.count, on);
  const std::uint32_t sizes =
      static_cast<std::uint32_t>(emits.emits.stride) | emits.value_offset | emits.value_bytes;
  if (sizes % sizeof(std::uint64_t) == 0) {
    launch(arrange<std::uint64_t>, grid, emits, heads, static_cast<std::uint64_t*>(values), collision);
  } else if (sizes % sizeof(std::uint32_t) == 0) {
    launch(arrange<std::uint32_t>, grid, emits, heads, static_cast<std::uint32_t*>(values), collision);
  } else {
    launch(arrange<std::uint8_t>, grid, emits, heads, static_cast<std::uint8_t*>(values), collision);
  }
}

/// Puts the emits of each key together in all runs that have more than one key, by one comparison sort of
/// these runs' emits. These emits are usually few: of a million keys, about 116 pairs share 32 bits of their
/// hash. If all hashes are equal, the sort still takes only n log n steps.
void split_runs(const sorted_emits& emits, std::uint32_t* run_of, scratch& temporary, const stream& on) {
  launch(mark_runs, element_grid(emits.count, on), emits, run_of);
  sum_up_to_each(run_of, emits.count, temporary, on);
  const device_buffer mixed(emits.count + std::uint64_t{1}, on);  // runs are numbered from 1
  check(cudaMemsetAsync(mixed.as<void>(), 0, mixed.size(), on.get()), "clearing the list of mixed runs");
  launch(mark_mixed_runs, element_grid(emits.count, on), emits, run_of, mixed.as<std::uint8_t>());

  const device_buffer places(emits.count * sizeof(std::uint32_t), on);
  const device_buffer selected(sizeof(std::uint32_t), on);
  select_groups(run_of, mixed.as<std::uint8_t>(), emits.count, places.as<std::uint32_t>(),
                selected.as<std::uint32_t>(), temporary, on);
  const std::uint32_t count = read(selected.as<std::uint32_t>(), on);
  const device_buffer members(count * sizeof(run_member), on);
  launch(list_members, element_grid(count, on), emits, run_of, places.as<std::uint32_t>(), count,
         members.as<run_member>());
  sort_members(members.as<run_member>(), count, emits.emits, temporary, on);
  launch(put_members, element_grid(count, on), members.as<run_member>(), places.as<std::uint32_t>(), count,
         emits);
}

}  // namespace

std::uint32_t cut_segments(const sorted_emits& emits, std::uint32_t* segment_of, void* values,
                           segment_memory& memory, const stream& on) {
  auto* const collision = memory.flag.get<std::uint32_t>(1, on);
  check(cudaMemsetAsync(collision, 0, sizeof(std::uint32_t), on.get()), "clearing a flag");
  launch_arrange(emits, segment_of, values, collision, on);
  if (emits.has_keys && read(collision, on) != 0) {
    split_runs(emits, segment_of, memory.temporary, on);
    launch_arrange(emits, segment_of, values, collision, on);
  }
  sum_up_to_each(segment_of, emits.count, memory.temporary, on);
  return read(segment_of + (emits.count - 1), on);
}

void write_segment_keys(const sorted_emits& emits, const std::uint32_t* segment_of, const writable_keys& keys,
                        const stream& on) {
  if (segment_of == nullptr) {
    launch(write_key_zero, {1, 1, 0, on.get()}, keys);
  } else {
    launch(gather_keys, element_grid(emits.count, on), emits, segment_of, keys);
  }
}

}  // namespace duomap::gpu
