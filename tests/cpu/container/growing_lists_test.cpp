// Tests cpu/container/collecting_container.hpp and top_container.hpp: a growing list moves to twice its
// memory, and the budget counts both until the old memory is free.
#include "core/chunk.hpp"
#include "core/memory_budget.hpp"
#include "core/record/index_range.hpp"
#include "core/reduce.hpp"
#include "cpu/container/collecting_container.hpp"
#include "cpu/container/top_container.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace duomap::test::cpu_container_growing_lists_test {
namespace {

// Large enough that the container takes over the list instead of copying its entries.
constexpr std::uint64_t capacity = 1 << 15;

struct collected {
  using format = index_range;
  using key = std::uint64_t;
  using reduce = collect<std::uint64_t>;
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const { emit(index, index); }
};

struct best {
  using format = index_range;
  using key = no_key;
  using reduce = top_k<std::uint64_t, std::greater<>>;
  [[nodiscard]] reduce reduction() const { return {.k = 10 * capacity}; }
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const { emit(index); }
};

/// Maps one index more than `capacity`, and returns the bytes that the container then holds.
template <class Container, class Task>
std::uint64_t held_of_more_than_capacity(const Task& task, std::uint64_t bytes) {
  const auto memory = std::make_shared<memory_budget>(bytes);
  Container container(task, memory);
  container.fill(chunk{nullptr, capacity + 1, 0, 0}, [&](auto& emit) {
    for (std::uint64_t index = 0; index <= capacity; ++index) task.map(index, emit);
  });
  return memory->taken();
}

TEST_CASE("lists that grow count twice while they move", "[container]") {
  const auto check = [](std::uint64_t entry, const auto& held) {
    CHECK(held(3 * capacity * entry + 64) >= 2 * capacity * entry);
    CHECK(held(3 * capacity * entry + 64) < 3 * capacity * entry);
    CHECK_THROWS_AS(held(3 * capacity * entry - 64), memory_exceeded);
  };
  SECTION("collected rows") {
    using container = cpu::collecting_container<collected>;
    check(sizeof(container::entry),
          [](std::uint64_t bytes) { return held_of_more_than_capacity<container>(collected{}, bytes); });
  }
  SECTION("best values") {
    check(sizeof(std::uint64_t), [](std::uint64_t bytes) {
      return held_of_more_than_capacity<cpu::top_container<best>>(best{}, bytes);
    });
  }
}

}  // namespace
}  // namespace duomap::test::cpu_container_growing_lists_test
