#include "gpu/sort/segments.cuh"

#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sort/grid.cuh"
#include "gpu/sort/key_compare.hpp"
#include "gpu/sort/primitives.cuh"

namespace duomap::gpu {
namespace {

/// heads[i] = 1 where a key begins among its sort key's emits, as far as the order has them together; sets
/// *collision when two neighbours share a sort key and not a key.
__global__ void mark_keys(const sorted_emits emits, std::uint32_t* heads, std::uint32_t* collision) {
  for (std::uint64_t i = first_element(); i < emits.count; i += element_step()) {
    bool begins = i == 0 || emits.sort_keys[i] != emits.sort_keys[i - 1];
    if (!begins && emits.keys != nullptr &&
        compare_keys(emits.keys[emits.order[i]], emits.keys[emits.order[i - 1]]) != 0) {
      begins = true;
      *collision = 1;
    }
    heads[i] = begins ? 1 : 0;
  }
}

/// heads[i] = 1 where a sort key begins.
__global__ void mark_runs(const sorted_emits emits, std::uint32_t* heads) {
  for (std::uint64_t i = first_element(); i < emits.count; i += element_step()) {
    heads[i] = i == 0 || emits.sort_keys[i] != emits.sort_keys[i - 1] ? 1 : 0;
  }
}

/// mixed[r] = 1 for runs in which neighbours have different keys: the runs with more than one key.
__global__ void mark_mixed_runs(const sorted_emits emits, const std::uint32_t* run_of, std::uint8_t* mixed) {
  for (std::uint64_t i = first_element() + 1; i < emits.count; i += element_step()) {
    if (run_of[i] == run_of[i - 1] &&
        compare_keys(emits.keys[emits.order[i]], emits.keys[emits.order[i - 1]]) != 0) {
      mixed[run_of[i]] = 1;
    }
  }
}

__global__ void list_members(const sorted_emits emits, const std::uint32_t* run_of,
                             const std::uint32_t* places, std::uint32_t count, run_member* members) {
  for (std::uint64_t i = first_element(); i < count; i += element_step()) {
    members[i] = {run_of[places[i]], emits.order[places[i]]};
  }
}

/// The members of a run stand together before and after they are sorted, so its places stay its own.
__global__ void put_members(const run_member* members, const std::uint32_t* places, std::uint32_t count,
                            const sorted_emits emits) {
  for (std::uint64_t i = first_element(); i < count; i += element_step()) {
    emits.order[places[i]] = members[i].emit;
  }
}

/// Sums that count from 1 become numbers that count from 0.
__global__ void from_zero(std::uint32_t* numbers, std::uint32_t count) {
  for (std::uint64_t i = first_element(); i < count; i += element_step()) --numbers[i];
}

__global__ void gather_keys(const sorted_emits emits, const std::uint32_t* segment_of, char* keys,
                            std::uint64_t stride) {
  for (std::uint64_t i = first_element(); i < emits.count; i += element_step()) {
    if (i > 0 && segment_of[i] == segment_of[i - 1]) continue;
    auto& to = *reinterpret_cast<compact_key*>(keys + segment_of[i] * stride);
    to = emits.keys != nullptr
             ? emits.keys[emits.order[i]]
             : compact_key(emits.sort_keys[i], compact_key::length_tag(sizeof(std::uint64_t)));
  }
}

__global__ void write_key_zero(char* key) {
  *reinterpret_cast<compact_key*>(key) = compact_key(0, compact_key::length_tag(sizeof(std::uint64_t)));
}

template <class T>
[[nodiscard]] T read(const T* from, const stream& on) {
  T value;
  check(cudaMemcpyAsync(&value, from, sizeof value, cudaMemcpyDeviceToHost, on.get()),
        "reading a number from the device");
  on.wait();
  return value;
}

/// Puts the emits of each key together in all runs that have more than one key. One comparison sort of those
/// runs' emits: few as a rule (of a million keys about 116 pairs share 32 bits of their hash), and no worse
/// than n log n when all hashes are the same.
void split_runs(const sorted_emits& emits, std::uint32_t* run_of, scratch& temporary, const stream& on) {
  launch(mark_runs, element_grid(emits.count, on), emits, run_of);
  sum_up_to_each(run_of, emits.count, temporary, on);
  launch(from_zero, element_grid(emits.count, on), run_of, emits.count);
  const device_buffer mixed(emits.count, on);
  check(cudaMemsetAsync(mixed.as<void>(), 0, mixed.size(), on.get()), "clearing the list of mixed runs");
  launch(mark_mixed_runs, element_grid(emits.count, on), emits, run_of, mixed.as<std::uint8_t>());

  const device_buffer places(emits.count * sizeof(std::uint32_t), on);
  const device_buffer selected(sizeof(std::uint32_t), on);
  select_groups(run_of, mixed.as<std::uint8_t>(), emits.count, places.as<std::uint32_t>(),
                selected.as<std::uint32_t>(), temporary, on);
  const auto count = read(selected.as<std::uint32_t>(), on);
  const device_buffer members(count * sizeof(run_member), on);
  launch(list_members, element_grid(count, on), emits, run_of, places.as<std::uint32_t>(), count,
         members.as<run_member>());
  sort_members(members.as<run_member>(), count, emits.keys, temporary, on);
  launch(put_members, element_grid(count, on), members.as<run_member>(), places.as<std::uint32_t>(), count,
         emits);
}

}  // namespace

std::uint32_t number_segments(const sorted_emits& emits, std::uint32_t* segment_of, scratch& temporary,
                              const stream& on) {
  const device_buffer collision(sizeof(std::uint32_t), on);
  check(cudaMemsetAsync(collision.as<void>(), 0, collision.size(), on.get()), "clearing a flag");
  launch(mark_keys, element_grid(emits.count, on), emits, segment_of, collision.as<std::uint32_t>());
  if (emits.keys != nullptr && read(collision.as<std::uint32_t>(), on) != 0) {
    split_runs(emits, segment_of, temporary, on);
    launch(mark_keys, element_grid(emits.count, on), emits, segment_of, collision.as<std::uint32_t>());
  }
  sum_up_to_each(segment_of, emits.count, temporary, on);
  launch(from_zero, element_grid(emits.count, on), segment_of, emits.count);
  return read(segment_of + (emits.count - 1), on) + 1;
}

void write_segment_keys(const sorted_emits& emits, const std::uint32_t* segment_of, void* keys,
                        std::uint64_t stride, const stream& on) {
  if (segment_of == nullptr) {
    launch(write_key_zero, {1, 1, 0, on.get()}, static_cast<char*>(keys));
  } else {
    launch(gather_keys, element_grid(emits.count, on), emits, segment_of, static_cast<char*>(keys), stride);
  }
}

}  // namespace duomap::gpu
