// Tests that a run counts its memory, including the bytes of collected values.
#include "core/memory_budget.hpp"

#include "core/error.hpp"
#include "core/memory_reservation.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace duomap::test::core_memory_budget_test {
namespace {

TEST_CASE("memory budget: what was taken is gone") {
  memory_budget budget(100);
  budget.take(60, "x");
  budget.take(0, "x");
  CHECK_THROWS_AS(budget.take(41, "x"), memory_exceeded);
  budget.take(40, "x");
  CHECK_THROWS_WITH(budget.take(1, "a list"), contains("100 bytes") && contains("100 are taken") &&
                                                  contains("a list would take 1 more"));
  CHECK_THROWS_AS(budget.take(~std::uint64_t{0}, "x"), memory_exceeded);
}

TEST_CASE("memory budget: what a device loses is given back, what it has committed is not") {
  const auto all = std::make_shared<memory_budget>(100);
  {
    memory_reservation lost(all);
    lost.take(40, "x");
    lost.keep();
    lost.take(50, "x");
    CHECK_THROWS_AS(all->take(11, "x"), memory_exceeded);
    CHECK_THROWS_AS(lost.take(11, "x"), memory_exceeded);
  }
  memory_reservation others(all);
  others.take(60, "x");
  CHECK_THROWS_AS(others.take(1, "x"), memory_exceeded);
  others.give_back();
  others.take(60, "x");
  memory_reservation without_limit(nullptr);
  without_limit.take(~std::uint64_t{0}, "x");
}

TEST_CASE("memory budget: copies count") {
  memory_budget budget(100, 3);
  budget.take(33, "x");
  CHECK_THROWS_WITH(budget.take(1, "x"), contains("100 bytes") && contains("3 times"));
}

TEST_CASE("memory budget: several threads take no more than there is") {
  memory_budget budget(10'000);
  std::atomic<std::uint64_t> taken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        for (;;) {
          budget.take(7, "x");
          taken += 7;
        }
      } catch (const memory_exceeded&) {
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(taken == 10'000 / 7 * 7);
}

/// Maps each line to itself, so that the run stores keys and values of variable length.
struct kept_lines {
  using format = lines;
  using key = byte_view;
  using reduce = collect<byte_view>;

  bool grouped = false;

  [[nodiscard]] reduce reduction() const { return {.grouped = grouped}; }
  DUOMAP_HD void map(const line& one, auto& emit) const { emit(one.text, one.text); }
};

TEST_CASE("memory budget: stored bytes count") {
  const input from = text_input(std::string(3'000'000, 'x'));
  cpu::tbb_pool pool(2);
  const auto limited = [&](bool grouped, std::uint64_t bytes) {
    return run(kept_lines{grouped}, from, pool, {.device = device_choice::cpu, .memory = bytes}).size();
  };
  CHECK(limited(false, 20'000'000) == 1);
  CHECK_THROWS_AS(limited(false, 5'000'000), memory_exceeded);
  CHECK(limited(true, 20'000'000) == 1);
  CHECK_THROWS_AS(limited(true, 10'000'000), memory_exceeded);
}

TEST_CASE("memory budget: what is free is asked for once, behind the first MiB") {
  std::atomic<int> asked = 0;
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  memory_budget budget([&] {
    ++asked;
    return 10 * mib;
  });
  budget.take(mib, "x");
  CHECK(asked == 0);
  budget.give_back(mib);
  budget.take(mib, "x");
  CHECK(asked == 0);
  std::vector<std::thread> threads;
  std::atomic<int> taken = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        for (;; ++taken) budget.take(mib / 4, "x");
      } catch (const memory_exceeded&) {
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(asked == 1);
  CHECK(taken == 40);
  CHECK_THROWS_WITH(budget.take(1, "x"), contains(std::to_string(11 * mib) + " bytes"));
  memory_budget unlimited([] { return ~std::uint64_t{0}; }, 3);
  unlimited.take(std::uint64_t{1} << 60, "x");
  memory_budget nothing_left([] { return std::uint64_t{0}; }, 3);
  nothing_left.take(mib / 3, "x");
  CHECK_THROWS_AS(nothing_left.take(1, "x"), memory_exceeded);
}

TEST_CASE("memory budget: shares take again what is copied, and give back what they have") {
  const auto all = std::make_shared<memory_budget>(100);
  memory_reservation one(all);
  one.take(30, "x");
  {
    const memory_reservation copy = one;
    CHECK(all->taken() == 60);
    memory_reservation moved = std::move(one);
    CHECK(all->taken() == 60);
    one.take(10, "x");
    moved.add(std::move(one));
    CHECK(all->taken() == 70);
    moved = copy;
    CHECK(all->taken() == 60);
    CHECK_THROWS_AS(std::vector<memory_reservation>(2, moved), memory_exceeded);
    CHECK(all->taken() == 60);
    moved.require(40, "x");
    CHECK_THROWS_AS(moved.require(41, "x"), memory_exceeded);
    CHECK(all->taken() == 60);
  }
  CHECK(all->taken() == 0);
}

TEST_CASE("memory budget: an error's kind") {
  CHECK(memory_exceeded("x").status() == exit_status::out_of_memory);
}

}  // namespace
}  // namespace duomap::test::core_memory_budget_test
