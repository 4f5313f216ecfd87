// Tests a cell of one value. Host threads fold into it like GPU threads.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/hash/value_cell.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace duomap::test {

/// Eight threads fold emits, values or items, which `make_emit` makes of random numbers, into one cell.
template <class Cell, reduction R, class MakeEmit>
void check_cell(const MakeEmit& make_emit) {
  constexpr unsigned users = 8;
  constexpr std::uint64_t folds = 20'000;
  std::mt19937_64 random(seed());
  std::vector<emit_type<R>> emits;
  typename R::value_type expected{};
  for (std::uint64_t i = 0; i < folds; ++i) {
    emits.push_back(make_emit(random));
    fold_emit(R{}, expected, i > 0, emits.back());
  }

  Cell cell;
  cell.clear(R{});
  std::vector<std::thread> threads;
  for (unsigned user = 0; user < users; ++user) {
    threads.emplace_back([&, user] {
      for (std::uint64_t i = user; i < folds; i += users) gpu::fold_into(cell, emits[i], R{});
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK((cell.read() == expected));
}

}  // namespace duomap::test
