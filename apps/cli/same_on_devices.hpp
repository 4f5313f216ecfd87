// Checks that a task gives the same rows on the CPU and on devices. Compilers cannot find such mistakes.
// host only
#pragma once

#include "core/boundary.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/input.hpp"
#include "core/input/slice.hpp"
#include "core/output/table_writer.hpp"
#include "core/output/task_cells.hpp"
#include "core/record/index_range.hpp"
#include "core/result.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "core/verify/laws.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/run.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace duomap::apps {

namespace detail {

/// The cells of a row.
using row_cells = std::vector<std::variant<std::uint64_t, std::int64_t, double, std::string>>;

/// All rows of a result, sorted unless they are in the order of the input.
template <class Task, class Result>
[[nodiscard]] std::vector<row_cells> cells_of_rows(const Result& result) {
  std::vector<row_cells> rows;
  result.for_each([&](const auto& key, const auto& value) {
    row_cells row;
    const auto take_cell = [&](const cell& each) {
      std::visit(
          [&]<class Content>(const Content& content) {
            if constexpr (std::same_as<Content, byte_view>) {
              row.emplace_back(std::string(content.text()));
            } else if constexpr (std::same_as<Content, missing_cell>) {
              row.emplace_back(std::string());
            } else {
              row.emplace_back(content);
            }
          },
          each);
    };
    const auto take = [&]<class Content>(const Content& content) {
      if constexpr (std::same_as<Content, text_place>) {
        for (const std::uint64_t number : {content.source, content.offset, content.size})
          row.emplace_back(number);
      } else {
        take_cell(content);
      }
    };
    if constexpr (!std::same_as<typename Task::key, no_key>) for_each_cell(key, take);
    for_each_cell(value, take);
    rows.push_back(std::move(row));
  });
  if constexpr (hashed_key<typename Task::key> && reduction<typename Task::reduce>) std::ranges::sort(rows);
  return rows;
}

/// Compares two cells. Floating-point numbers may differ in the second half of their digits, because sums
/// depend on the order of addition. NaN equals NaN.
[[nodiscard]] inline bool same_cell(const row_cells::value_type& a, const row_cells::value_type& b) {
  const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  if (x == nullptr || y == nullptr) return a == b;
  // Half of the digits of float, because doubles may be made of floats.
  const double digits = std::sqrt(std::numeric_limits<float>::epsilon());
  return *x == *y || (std::isnan(*x) && std::isnan(*y)) ||
         std::abs(*x - *y) <= digits * std::max(std::abs(*x), std::abs(*y));
}

[[nodiscard]] inline std::string row_text(const std::vector<row_cells>& rows, std::size_t index) {
  if (index >= rows.size()) return "no row";
  std::string text;
  for (const auto& one : rows[index]) {
    text += text.empty() ? "" : ", ";
    text += std::visit(
        []<class Content>(const Content& content) {
          if constexpr (std::same_as<Content, std::string>) {
            return value_text(byte_view(content.data(), content.size()));
          } else {
            return value_text(content);
          }
        },
        one);
  }
  return "(" + text + ")";
}

}  // namespace detail

/// Runs the task over the beginning of the input, on the pool and on the devices, and compares the rows.
/// Returns nothing if no device can run the task.
/// @throws errors of run(), also from a device
template <class Kinds, map_reduce_task Task>
[[nodiscard]] std::optional<law_check> same_on_devices(const Task& task, const input& from,
                                                       worker_pool& pool) {
  bool here = false;
  for (const scheduler::device_offer& offer : Kinds::template offers<Task>()) {
    here = here || (offer.has_code && offer.from->is_built() && !offer.from->list().devices.empty());
  }
  if (!here || from.size() == 0) return std::nullopt;

  // The most units that are compared. They fill several blocks of threads, and mapping them takes less time
  // than a device takes to start.
  constexpr std::uint64_t most_units = 1 << 20;
  const format_boundary<typename Task::format> records(format_of(task));
  const source& whole = from[0];
  law_check check("same on CPU and GPU");
  block first;
  input sample;
  if (!whole.addressable()) {
    block_reader reader(whole.open(), records, records.grain(), whole.name());
    if (!reader.next(first) || first.records(0).offset != 0) return check;
    sample = view_input(first.records(0).bytes(), whole.name());
  } else if constexpr (std::same_as<typename Task::format, index_range>) {
    sample = index_input(std::min(whole.units(), most_units));
  } else {
    const auto part = slice(whole, 0, 0, std::min(whole.units(), most_units), records);
    if (!part) return check;
    sample = view_input({whole.bytes().data, part->offset + part->size}, whole.name());
  }

  const auto rows_on = [&](device_choice device) {
    const auto result = run_on<Kinds>(task, sample, pool, {.device = device, .strict = true, .learn = false});
    return detail::cells_of_rows<Task>(result);
  };
  const auto on_pool = rows_on(device_choice::cpu), on_devices = rows_on(device_choice::gpu);
  for (std::size_t i = 0; i < std::max(on_pool.size(), on_devices.size()) && check.holds(); ++i) {
    ++check.trials;
    const bool same = i < on_pool.size() && i < on_devices.size() &&
                      std::ranges::equal(on_pool[i], on_devices[i], detail::same_cell);
    if (!same)
      check.counterexample = "row " + std::to_string(i + 1) + " of the first records of " + whole.name() +
                             ": " + detail::row_text(on_pool, i) + " on the CPU, " +
                             detail::row_text(on_devices, i) + " on the GPU";
  }
  return check;
}

}  // namespace duomap::apps
