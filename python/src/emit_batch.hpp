// What a function compiled by Numba and a task exchange; python/duomap/_compile_function.py has the same
// layout.
#pragma once

#include <array>
#include <cstdint>

namespace duomap::python {

/// Emits that wait for the task. A function fills it without calling anything until it is full.
struct emit_batch {
  static constexpr std::uint64_t capacity = 512;

  std::uint64_t count = 0;
  /// Takes the emits and sets count to 0. It never throws: machine code of Numba cannot be unwound.
  void (*flush)(emit_batch*) = nullptr;
  /// The bytes that keys may lie in until they are taken. A key elsewhere is taken at once.
  const char* data = nullptr;
  std::uint64_t size = 0;
  std::uint64_t record = 0;                   ///< the number of the record that is being mapped, in this call
  std::array<std::uint64_t, capacity> keys;   ///< numbers, or addresses of bytes
  std::array<std::uint64_t, capacity> sizes;  ///< of keys that are bytes
  std::array<std::uint64_t, capacity> values;  ///< of 8 bytes each, whatever their type
  /// Of dense keys, where the worker has their values, of 8 bytes each: the function reduces those of keys
  /// below `keys_there` itself. Other keys go into the batch.
  void* cells = nullptr;
  unsigned char* present = nullptr;  ///< for each key not 0 if it has a value; null: all have one
  std::uint64_t keys_there = 0;
};

/// Maps records: of texts those that begin and end so many bytes behind `data`, of rows all. Not 0: the
/// function raised an exception at batch->record.
using compiled_function = std::int32_t (*)(const char* data, const std::uint64_t* begins,
                                           const std::uint64_t* ends, std::uint64_t count, emit_batch* batch);

}  // namespace duomap::python
