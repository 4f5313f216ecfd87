// The device memory of a piece, which is the emits that the sort engine sorts at once: its arrays, and the
// bytes that one emit takes in the arrays.
#pragma once

#include "core/key.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/sort/emit_space.hpp"
#include "gpu/engines/sort/emit_write.cuh"
#include "gpu/engines/sort/long_keys.cuh"
#include "gpu/engines/sort/scratch.cuh"
#include "gpu/engines/sort/segments.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// The arrays of a piece, kept for the next piece.
struct piece_arrays {
  scratch entries;  // the emits as entries, or as values without keys
  scratch store;
  scratch sort_keys[2];
  scratch order[2];
  scratch values;  // the values in sorted order
  scratch segment_of;
  scratch reduced;
  scratch carries;
  long_key_memory long_keys;
  segment_memory segments;
};

/// The bytes that one emit of a task takes in the arrays.
template <sort_task Task>
struct emit_memory {
  using entry = emit_entry<Task>;
  using value_type = typename Task::reduce::value_type;
  static constexpr bool collects = duomap::detail::is_collect<typename Task::reduce>;
  static constexpr bool is_sorted = !collects && !std::same_as<typename Task::key, no_key>;

  /// The size of an emit in the form in which the device writes it.
  static constexpr std::uint64_t emit_bytes = writes_entries<Task> ? sizeof(entry) : sizeof(value_type);
  /// The number of texts of a collected emit that may be long.
  static constexpr std::uint32_t text_count =
      collects && stores_bytes<Task> ? (has_long_keys<Task> ? 1 : 0) + (has_long_values<Task> ? 1 : 0) : 0;

  [[nodiscard]] static constexpr piece_limit limit(std::uint64_t memory) {
    return {memory, bytes_per_emit, copies_of_bytes};
  }

 private:
  // An emit that is reduced takes: two sort keys and two indices, because sorting needs two arrays of each;
  // its value in sorted order; its segment's number; and, if no other emit has its key, an entry and an
  // offset for its long key. A collected emit takes the slots of its texts.
  static constexpr std::uint64_t bytes_per_emit =
      emit_bytes + (is_sorted ? 5 * sizeof(std::uint32_t) + sizeof(value_type) + sizeof(entry) : 0) +
      (is_sorted && stores_bytes<Task> ? sizeof(std::uint64_t) : 0) + text_count * sizeof(std::uint32_t);
  // A collected byte is in the store and among the distinct texts, and the table of texts takes a third byte.
  static constexpr std::uint64_t copies_of_bytes = text_count > 0 ? 3 : is_sorted ? 2 : 1;
};

}  // namespace duomap::gpu
