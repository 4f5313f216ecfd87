// Writes the note of a run in which no record emitted anything.
// host only
#pragma once

#include "core/boundary.hpp"
#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/input/input.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace duomap {

/// A record's bytes for a message: the first of them, escaped and in quotes, and a note on a carriage return
/// at their end.
[[nodiscard]] std::string shown_bytes(byte_view bytes);

/// Writes the first of the numbers in parentheses.
[[nodiscard]] std::string shown_numbers(const std::vector<double>& numbers);

/// "no record emitted anything", and the first record as `show` gives it; sources that can be read only once
/// are passed over.
[[nodiscard]] std::string nothing_emitted_text(const input& from, const boundary& records,
                                               const std::function<std::string(const chunk&)>& show);

namespace detail {

template <class Record>
[[nodiscard]] std::string shown_record(const Record& record) {
  if constexpr (requires { static_cast<double>(record.values[0]); }) {
    return shown_numbers({record.values, record.values + record.width});
  } else if constexpr (requires { record.text; }) {
    return shown_bytes(record.text);
  } else if constexpr (requires { record.whole().text; }) {
    return shown_bytes(record.whole().text);
  } else if constexpr (std::is_same_v<Record, byte_view>) {
    return shown_bytes(record);
  } else {
    return {};
  }
}

}  // namespace detail

/// The note for an input with the records of `Task`.
template <class Task>
[[nodiscard]] std::string nothing_emitted_text(const Task& task, const input& from) {
  const auto format = format_of(task);
  return nothing_emitted_text(from, format_boundary<typename Task::format>(format), [&](const chunk& part) {
    std::string text;
    if constexpr (requires { format.for_each_record(part, [](const typename Task::format::record&) {}); }) {
      bool is_first = true;
      format.for_each_record(part, [&](const typename Task::format::record& record) {
        if (is_first) text = detail::shown_record(record);
        is_first = false;
      });
    }
    return text;
  });
}

}  // namespace duomap
