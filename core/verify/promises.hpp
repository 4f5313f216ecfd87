// Tries a task's promises about its emits, record by record: the number of emits, and the places of keys.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/key.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "core/verify/laws.hpp"
#include "core/verify/recording_emitter.hpp"
#include "core/verify/value_text.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

namespace detail {

/// The bytes of a record. On a GPU, keys within the record must be a part of these bytes.
template <class Record>
[[nodiscard]] byte_view bytes_of(const Record& record) {
  if constexpr (std::same_as<Record, byte_view>) {
    return record;
  } else if constexpr (requires { record.text; }) {
    return record.text;
  } else if constexpr (requires { record.whole().text; }) {
    return record.whole().text;
  } else if constexpr (requires { record.values; }) {
    return {reinterpret_cast<const char*>(record.values), record.width * sizeof(*record.values)};
  } else if constexpr (requires { record.positions; }) {
    return {record.data, record.positions};
  } else {
    return {};
  }
}

[[nodiscard]] inline bool is_within(byte_view key, byte_view bytes) {
  const auto behind =
      reinterpret_cast<std::uintptr_t>(key.data) - reinterpret_cast<std::uintptr_t>(bytes.data);
  return behind <= bytes.size && key.size <= bytes.size - behind;
}

}  // namespace detail

/// The checks of a task's promises, one for each promise. There are none for maps of whole chunks.
template <map_reduce_task Task>
class promise_checks {
 public:
  /// Maps the records of a chunk, and checks their emits. `place` is the place of the chunk, for messages.
  void look_at(const Task& task, const chunk& part, const std::string& place) {
    if constexpr (any) {
      format_of(task).for_each_record(part, [&](const typename Task::format::record& record) {
        recording_emitter<Task> seen;
        task.map(record, seen);
        const auto try_one = [&](law_check& check, const std::string& wrong) {
          ++check.trials;
          if (check.holds() && !wrong.empty())
            check.counterexample =
                place + ", record at " + std::to_string(offset_of(record, part)) + ": " + wrong;
        };
        if constexpr (counts) {
          const std::uint64_t emits = seen.emits().size();
          try_one(counts_, emits <= max_emits_of<Task>
                               ? ""
                               : "map emits " + std::to_string(emits) + " times, max_emits_per_record is " +
                                     std::to_string(max_emits_of<Task>));
        }
        if constexpr (within || is_dense || bounded) {
          for (std::size_t i = 0; i < seen.keys().size(); ++i)
            try_one(keys_, wrong_with(seen.keys()[i], seen.emits()[i].key, record, task));
        }
      });
    }
  }

  [[nodiscard]] std::vector<law_check> checks() const {
    std::vector<law_check> all;
    if constexpr (counts) all.push_back(counts_);
    if constexpr (within || is_dense || bounded) all.push_back(keys_);
    return all;
  }

 private:
  static constexpr bool counts = maps_records<Task> && max_emits_of<Task> > 0;
  static constexpr bool within =
      maps_records<Task> && keys_are_within_record<Task> && std::same_as<typename Task::key, byte_view>;
  static constexpr bool bounded = maps_records<Task> && !keys_are_within_record<Task> &&
                                  key_bytes_are_bounded<Task> && std::same_as<typename Task::key, byte_view>;
  static constexpr bool is_dense = maps_records<Task> && std::same_as<typename Task::key, dense>;
  static constexpr bool any = counts || within || is_dense || bounded;

  // `text`: the key for a message. The bytes of a key that map made are gone.
  [[nodiscard]] static std::string wrong_with(const result_key<typename Task::key>& key,
                                              const std::string& text,
                                              const typename Task::format::record& record, const Task& task) {
    if constexpr (within) {
      if (!detail::is_within(key, detail::bytes_of(record)))
        return "the key " + text + " is not bytes of its record";
    } else if constexpr (bounded) {
      const std::uint64_t most = detail::bytes_of(record).size + extra_key_bytes_of<Task>;
      if (key.size > most)
        return "the key " + text + " has " + std::to_string(key.size) + " bytes, and its record " +
               std::to_string(most - extra_key_bytes_of<Task>) + "; max_extra_key_bytes is " +
               std::to_string(extra_key_bytes_of<Task>);
    } else if constexpr (is_dense) {
      if (key >= task.key_count())
        return "the key " + std::to_string(key) + " is not below key_count(), " +
               std::to_string(task.key_count());
    }
    return "";
  }

  law_check counts_{"max_emits_per_record"};
  law_check keys_{within ? "keys_within_record" : bounded ? "max_extra_key_bytes" : "keys below key_count()"};
};

}  // namespace duomap
