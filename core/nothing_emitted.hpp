// Writes a note for a run in which map emitted nothing.
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

/// A record for a message: its first bytes, escaped and in quotes. Mentions a carriage return at its end.
[[nodiscard]] std::string shown_bytes(byte_view bytes);

/// Writes the first numbers of a record, in parentheses.
[[nodiscard]] std::string shown_numbers(const std::vector<double>& numbers);

/// The note "no record emitted anything", with the first record as `show` writes it. Reads no pipe again.
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

/// The same note. It reads the input in the record format of `Task`.
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
