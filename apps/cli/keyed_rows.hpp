// Writes keyed results in the form that the run options ask for.
// host only
#pragma once

#include "apps/cli/run_arguments.hpp"
#include "core/output/byte_sink.hpp"
#include "core/output/table_writer.hpp"
#include "core/result.hpp"
#include "core/worker_pool.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// Turns a key or value into a cell; integers of any width are widened.
template <class T>
[[nodiscard]] cell as_cell(const T& content) {
  if constexpr (std::unsigned_integral<T>) {
    return std::uint64_t{content};
  } else if constexpr (std::signed_integral<T>) {
    return std::int64_t{content};
  } else {
    return content;
  }
}

/// Writes the rows of a keyed result as a table of two columns: all rows, or with --top the rows with the
/// largest values, in the order of --sort. Rows that need no order are not copied.
template <class Task>
void write_rows(const keyed_result<Task>& result, const std::vector<std::string>& columns,
                const run_arguments& options, byte_sink& sink, worker_pool& pool) {
  table_writer table(sink, options.format, columns);
  const auto write = [&](const auto& key, const auto& value) {
    table.row({as_cell(key), as_cell(value)});
  };
  if (!options.top && options.order == row_order::none) {
    result.for_each(write);
    return;
  }
  auto rows = options.top                         ? result.top(*options.top, by_value)
              : options.order == row_order::value ? result.sorted(by_value, pool)
                                                  : result.sorted(by_key, pool);
  if (options.top && options.order == row_order::key) parallel_sort(rows, by_key, pool);
  for (const auto& [key, value] : rows) write(key, value);
}

}  // namespace duomap::apps
