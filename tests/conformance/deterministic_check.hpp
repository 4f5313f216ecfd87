// The contract of deterministic mode: every cut of the input and every backend give the same bytes.
#pragma once

#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/cpu_backends.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace duomap::test {

/// An answer as bytes: the key and value of each row, or the value of each slot.
template <class Task>
[[nodiscard]] std::string answer_bytes(const result_for<Task>& result) {
  std::string all;
  const auto append = [&](const auto& value) {
    if constexpr (requires { value.score; }) {
      // Field by field, because padding may differ.
      all += raw(value.score) + raw(value.index);
    } else {
      all += raw(value);
    }
  };
  if constexpr (detail::is_slots<typename Task::reduce>) {
    std::apply([&](const auto&... slot) { (..., (slot ? append(*slot) : void(all += '?'))); },
               answer_of<Task>(result));
  } else {
    for (const auto& row : answer_of<Task>(result)) {
      all += row.key;
      append(row.value);
    }
  }
  return all;
}

/// Rows of two 32-bit numbers. The second, as a float, has any size; some are zeros of either sign. A few in
/// 10,000 are infinite or NaN, so some keys have finite numbers only.
[[nodiscard]] inline std::string random_numbers(std::mt19937_64& random, std::uint64_t rows) {
  static constexpr std::uint32_t special[] = {0, 0x80000000, 1, 0x7F7FFFFF, 0x3F800000, 0xBF800000};
  std::string bytes;
  // Half of the calls use exponents close together, like those of measured values.
  const bool any = random() % 2 == 0;
  for (std::uint64_t i = 0; i < rows; ++i) {
    std::uint32_t number = static_cast<std::uint32_t>(random());
    const bool infinite = random() % 5000 == 0;
    if (!any || ((number >> 23 & 0xFF) == 0xFF && !infinite))
      number = (number & 0x80FFFFFFu) | static_cast<std::uint32_t>(0x3E + random() % 3) << 24;
    if (infinite) number |= 0x7F800000;
    if (random() % 50 == 0) number = special[random() % std::size(special)];
    bytes += raw(static_cast<std::uint32_t>(random())) + raw(number);
  }
  return bytes;
}

/// One worker maps the rows in their order. Many cuts, backends and workers must give the same bytes.
template <class Task, class Make>
void check_same_bytes(const Task& task, std::mt19937_64& random, const Make& make) {
  std::size_t turn = 0;
  for (const std::uint64_t rows : {0u, 1u, 2u, 33u, 1000u, torture ? 2000u : 30'000u}) {
    const sample numbers{std::to_string(rows) + " rows",
                         {random_numbers(random, rows), random_numbers(random, rows / 3)}};
    const auto expected = answer_bytes<Task>(
        run_shaped(task, make_input(numbers), pool_set({1}), cpu_backends, product_shapes[0]));
    for (const auto& workers : pool_shapes) {
      const run_shape& shape = rows > 1000 ? product_shapes[turn++ % std::size(product_shapes)]
                                           : small_shapes[turn++ % std::size(small_shapes)];
      INFO(numbers.name << "; " << workers.size() << " backends, the first with " << workers.front()
                        << " workers; " << shape);
      const auto result = run_shaped(task, make_input(numbers, shape.form), pool_set(workers), make, shape);
      CHECK(answer_bytes<Task>(result) == expected);
    }
  }
}

}  // namespace duomap::test
