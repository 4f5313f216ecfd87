// Makes rows of numbers, as the bytes of a file.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace duomap::test {

template <class Row>
[[nodiscard]] std::string bytes_of(const std::vector<Row>& rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row)};
}

[[nodiscard]] inline std::string random_numbers(std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> numbers(count);
  for (auto& number : numbers) number = static_cast<std::uint32_t>(random());
  return bytes_of(numbers);
}

}  // namespace duomap::test
