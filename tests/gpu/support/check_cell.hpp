// Tests a cell of one value, into which threads of the host fold as threads of a GPU do.
#pragma once

#include "core/reduce.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace duomap::test {

/// Eight threads fold values, which `make_value` makes of random numbers, into one cell.
template <class Cell, reduction R, class MakeValue>
void check_cell(const MakeValue& make_value) {
  constexpr unsigned users = 8;
  constexpr std::uint64_t folds = 20'000;
  std::mt19937_64 random(seed());
  std::vector<typename R::value_type> values;
  for (std::uint64_t i = 0; i < folds; ++i) values.push_back(make_value(random));
  typename R::value_type expected = values[0];
  for (std::uint64_t i = 1; i < folds; ++i) expected = R{}(expected, values[i]);

  Cell cell;
  cell.clear(R{});
  std::vector<std::thread> threads;
  for (unsigned user = 0; user < users; ++user) {
    threads.emplace_back([&, user] {
      for (std::uint64_t i = user; i < folds; i += users) cell.fold(values[i], R{});
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK((cell.read() == expected));
}

}  // namespace duomap::test
