// Reads numbered records into registers and maps them there.
#pragma once

#include "core/chunk.hpp"
#include "core/record/formats.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/engines/hash_partitioned/key_bits.hpp"
#include "gpu/engines/hash_partitioned/key_value.hpp"

#include <concepts>
#include <cstdint>
#include <cstring>

namespace duomap::gpu {

namespace detail {

/// The row size of a task whose records() is a constant; 0 for other tasks.
template <class Task>
[[nodiscard]] consteval std::uint64_t known_row_bytes() {
  if constexpr (requires { typename std::integral_constant<std::uint64_t, Task::records().width>; }) {
    using value = std::remove_cvref_t<decltype(std::declval<typename Task::format::record>()[0])>;
    return Task::records().width * sizeof(value);
  } else {
    return 0;
  }
}

[[nodiscard]] inline std::uint64_t record_count(const chunk& part, const index_range&) { return part.size; }
template <class T>
[[nodiscard]] std::uint64_t record_count(const chunk& part, const rows<T>& format) {
  return part.size / format.row_bytes();
}

}  // namespace detail

/// The emitter of one record, which keeps its emits. After the compiler has unrolled the loop of at most four
/// rounds, all indices are constants, so that the members stay in registers.
template <class Task>
struct register_emitter {
  static constexpr unsigned most = static_cast<unsigned>(max_emits_of<Task>);
  using key_type = typename Task::key;
  using value_type = typename Task::reduce::value_type;

  key_bits<key_type> keys[most]{};
  value_type values[most]{};
  unsigned count = 0;

  DUOMAP_HD void operator()(const key_type& key, const value_type& value) {
    for (unsigned i = 0; i < most; ++i) {
      if (count == i) {
        keys[i] = bits_of_key(key);
        values[i] = value;
      }
    }
    ++count;
  }
};

/// The emits of one thread's records. Bit i of `valid` says whether there is an i-th emit.
template <class Task, unsigned Count>
struct emits_in_registers {
  key_bits<typename Task::key> keys[Count];
  typename Task::reduce::value_type values[Count];
  std::uint32_t valid;
};

/// Reads records in groups. If the row size is known at compile time and divides 16 bytes, a group is the
/// rows of one 16-byte read, and reads can begin long before the records are mapped. Otherwise a group is one
/// record, and map itself reads it.
template <class Task>
class record_reader {
  using format_type = typename Task::format;
  static constexpr std::uint64_t row_bytes = detail::known_row_bytes<Task>();

 public:
  using task = Task;
  static constexpr unsigned most_emits = register_emitter<Task>::most;
  static constexpr unsigned emit_bytes =
      sizeof(key_value<key_bits<typename Task::key>, typename Task::reduce::value_type>);
  /// Rows of at least 4 bytes: a group then has at most four records, whose emits take at most 128 bytes.
  static constexpr bool reads_ahead =
      row_bytes >= 4 && 16 % row_bytes == 0 && 16 / row_bytes * most_emits * emit_bytes <= 128;
  static constexpr unsigned group_records = reads_ahead ? static_cast<unsigned>(16 / row_bytes) : 1;
  static constexpr unsigned group_emits = group_records * most_emits;

  struct nothing {};
  using bytes = std::conditional_t<reads_ahead, uint4, nothing>;

  /// Sets *broken_promise to 1 if map emits more often than it promised.
  __device__ record_reader(const Task& task, const format_type& format, const chunk& part,
                           unsigned* broken_promise)
    : task_(task), format_(format), part_(part), broken_promise_(broken_promise) {}

  /// Begins to read `Groups` groups, each 32 groups behind the last, so that a warp reads 512 bytes at a
  /// time.
  template <unsigned Groups>
  __device__ void load(std::uint64_t first, bytes (&read)[Groups]) const {
    if constexpr (reads_ahead) {
      const auto* const from = reinterpret_cast<const uint4*>(part_.data) + first;
#pragma unroll
      for (unsigned g = 0; g < Groups; ++g) read[g] = __ldcs(from + 32 * g);
    }
  }

  /// Maps the groups that load() has read. All of them must be inside the input; map_one() maps the records
  /// at the end of the input. So no record needs a test. A test for each record and a shift for each key took
  /// 1.05 ms instead of 0.56 for 268 million pairs with ten keys on an H200.
  template <unsigned Groups>
  __device__ void map(std::uint64_t first, const bytes (&read)[Groups],
                      emits_in_registers<Task, Groups * group_emits>& all) const {
    all.valid = 0;
#pragma unroll
    for (unsigned g = 0; g < Groups; ++g) {
#pragma unroll
      for (unsigned r = 0; r < group_records; ++r) {
        register_emitter<Task> emit;
        map_record(read[g], r, (first + 32 * g) * group_records + r, emit);
        if (emit.count > most_emits) *broken_promise_ = 1;
#pragma unroll
        for (unsigned e = 0; e < most_emits; ++e) {
          const unsigned at = g * group_emits + r * most_emits + e;
          all.keys[at] = emit.keys[e];
          all.values[at] = emit.values[e];
          all.valid |= (emit.count > e ? 1u : 0u) << at;
        }
      }
    }
  }

  __device__ void map_one(std::uint64_t i, register_emitter<Task>& emit) const {
    task_.map(record_in_memory(format_, i), emit);
    if (emit.count > most_emits) *broken_promise_ = 1;
  }

 private:
  __device__ void map_record(const bytes& read, unsigned r, std::uint64_t i,
                             register_emitter<Task>& emit) const {
    if constexpr (reads_ahead) {
      using value = std::remove_cvref_t<decltype(std::declval<typename format_type::record>()[0])>;
      constexpr unsigned width = static_cast<unsigned>(row_bytes / sizeof(value));
      value values[16 / sizeof(value)];
      memcpy(values, &read, sizeof values);
      task_.map(typename format_type::record{values + r * width, width, first_index(format_) + i}, emit);
    } else {
      map_one(i, emit);
    }
  }

  [[nodiscard]] __device__ std::uint64_t record_in_memory(const index_range&, std::uint64_t i) const {
    return part_.offset + i;
  }
  template <class T>
  [[nodiscard]] __device__ row<T> record_in_memory(const rows<T>& format, std::uint64_t i) const {
    return {reinterpret_cast<const T*>(part_.data + i * format.row_bytes()), format.width,
            first_index(format) + i};
  }
  template <class T>
  [[nodiscard]] __device__ std::uint64_t first_index(const rows<T>& format) const {
    return (part_.offset - format.header_bytes) / format.row_bytes();
  }

  const Task& task_;
  const format_type& format_;
  const chunk& part_;
  unsigned* broken_promise_;
};

}  // namespace duomap::gpu
