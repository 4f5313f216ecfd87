// The memory through which a function compiled by Numba passes its emits to a task.
// python/duomap/_compile_function.py has the same layout.
#pragma once

#include <array>
#include <cstdint>

namespace duomap::python {

/// Emits that wait for the task. The compiled function stores emits here, and makes no call until the batch
/// is full.
struct emit_batch {
  static constexpr std::uint64_t capacity = 512;

  std::uint64_t count = 0;
  /// Hands over all emits and sets `count` to 0. The compiled function calls it. It never throws, because
  /// Numba's machine code cannot be unwound.
  void (*flush)(emit_batch*) = nullptr;
  /// The bytes of the chunk. A key inside the chunk may wait in the batch. A key outside is in memory that
  /// the function made, and is handed over at once.
  const char* data = nullptr;
  std::uint64_t size = 0;
  std::uint64_t record = 0;                    ///< number of the present record, counted from 0 in this call
  std::array<std::uint64_t, capacity> keys;    ///< numbers, or addresses of bytes
  std::array<std::uint64_t, capacity> sizes;   ///< sizes of keys that are bytes
  std::array<std::uint64_t, capacity> values;  ///< values of any type, in 8 bytes each
  /// For dense keys: the worker's array of values, in 8 bytes each. The function itself reduces values of
  /// keys below `keys_there` in this array. Other keys go into the batch.
  void* cells = nullptr;
  unsigned char* present = nullptr;  ///< for each key, not 0 if it has a value; null if all keys have one
  std::uint64_t keys_there = 0;
};

/// Maps `count` records. Record i of a text is [begins[i], ends[i]) of `data`. For rows both lists are null,
/// because rows lie one behind the other. Returns 0 unless the function raised an exception, at
/// batch->record.
using compiled_function = std::int32_t (*)(const char* data, const std::uint64_t* begins,
                                           const std::uint64_t* ends, std::uint64_t count, emit_batch* batch);

}  // namespace duomap::python
