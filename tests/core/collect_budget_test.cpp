// The memory of collected emits is counted, and grouping keeps the rows it had.
#include "core/collect_budget.hpp"

#include "core/error.hpp"
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

namespace duomap::test::core_collect_budget_test {
namespace {

TEST_CASE("collect budget: what was taken is gone") {
  collect_budget budget(100);
  budget.take(60);
  budget.take(0);
  CHECK_THROWS_AS(budget.take(41), collected_too_much);
  budget.take(40);
  CHECK_THROWS_WITH(budget.take(1), contains("100 bytes"));
  CHECK_THROWS_AS(budget.take(~std::uint64_t{0}), collected_too_much);
}

TEST_CASE("collect budget: what a device loses is given back, what it has committed is not") {
  const auto all = std::make_shared<collect_budget>(100);
  {
    collect_share lost(all);
    lost.take(40);
    lost.keep();
    lost.take(50);
    CHECK_THROWS_AS(all->take(11), collected_too_much);
    CHECK_THROWS_AS(lost.take(11), collected_too_much);
  }
  collect_share others(all);
  others.take(60);
  CHECK_THROWS_AS(others.take(1), collected_too_much);
  others.give_back();
  others.take(60);
  collect_share without_limit(nullptr);
  without_limit.take(~std::uint64_t{0});
}

TEST_CASE("collect budget: copies count") {
  collect_budget budget(100, 3);
  budget.take(33);
  CHECK_THROWS_WITH(budget.take(1), contains("100 bytes") && contains("3 times"));
}

TEST_CASE("collect budget: several threads take no more than there is") {
  collect_budget budget(10'000);
  std::atomic<std::uint64_t> taken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        for (;;) {
          budget.take(7);
          taken += 7;
        }
      } catch (const collected_too_much&) {
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(taken == 10'000 / 7 * 7);
}

/// Line -> its bytes, so that keys and values of variable length are kept.
struct kept_lines {
  using format = lines;
  using key = byte_view;
  using reduce = collect<byte_view>;

  bool grouped = false;

  [[nodiscard]] reduce reduction() const { return {.grouped = grouped}; }
  DUOMAP_HD void map(const line& one, auto& emit) const { emit(one.text, one.text); }
};

TEST_CASE("collect budget: stored bytes count") {
  const input from = text_input(std::string(3'000'000, 'x'));
  cpu::tbb_pool pool(2);
  const auto limited = [&](bool grouped, std::uint64_t bytes) {
    return run(kept_lines{grouped}, from, pool, {.device = device_choice::cpu, .collect_bytes = bytes})
        .size();
  };
  CHECK(limited(false, 20'000'000) == 1);
  CHECK_THROWS_AS(limited(false, 5'000'000), collected_too_much);
  CHECK(limited(true, 20'000'000) == 1);
  CHECK_THROWS_AS(limited(true, 10'000'000), collected_too_much);
}

TEST_CASE("collect budget: an error's kind") {
  CHECK(collected_too_much("x").status() == exit_status::out_of_memory);
}

}  // namespace
}  // namespace duomap::test::core_collect_budget_test
