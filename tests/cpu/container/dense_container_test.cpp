// Tests the container of dense keys, before and after every key is present.
#include "core/task.hpp"
#include "cpu/container/container_for.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace duomap::test::cpu_container_dense_container_test {
namespace {

template <class Reduce>
struct keyed_numbers {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = Reduce;
  std::uint64_t keys = 4;
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const { emit(number[0], 1); }
};

constexpr chunk no_bytes{};

TEMPLATE_TEST_CASE("dense container: keys that were not emitted stay absent", "[dense_container]",
                   sum<std::int64_t>, minimum<std::int64_t>) {
  const keyed_numbers<TestType> task;
  cpu::container_for<keyed_numbers<TestType>> all(task);
  // Each of the first chunks adds a key; later chunks find all keys present.
  std::vector<std::int64_t> expected(4, 0);
  for (std::uint64_t part = 0; part < 8; ++part) {
    all.fill(no_bytes, [&](auto& emit) {
      const std::uint64_t key = 3 - part % 4;
      const std::int64_t value = part % 2 == 0 ? 5 : -5;
      emit(key, value);
      expected[key] = part < 4 ? value : TestType{}(expected[key], value);
    });
    if (part == 2) {
      auto copy = all;
      const auto some = copy.take();
      CHECK_FALSE(some.present(0));
      CHECK(some.present(1));
      CHECK(some[3] == 5);
    }
  }
  const auto found = all.take();
  for (std::uint64_t key = 0; key < 4; ++key) {
    CHECK(found.present(key));
    CHECK(found[key] == expected[key]);
  }
}

TEST_CASE("dense container: a sum of 0 is present", "[dense_container]") {
  const keyed_numbers<sum<std::int64_t>> task;
  cpu::container_for<keyed_numbers<sum<std::int64_t>>> all(task);
  all.fill(no_bytes, [](auto& emit) {
    emit(1, 3);
    emit(1, -3);
    emit(2, 0);
  });
  const auto found = all.take();
  CHECK_FALSE(found.present(0));
  CHECK(found.present(1));
  CHECK(found.present(2));
  CHECK_FALSE(found.present(3));
}

TEST_CASE("dense container: a key out of range is refused, before and after all are present",
          "[dense_container]") {
  const keyed_numbers<sum<std::int64_t>> task;
  cpu::container_for<keyed_numbers<sum<std::int64_t>>> all(task);
  for (int round = 0; round < 3; ++round) {
    all.fill(no_bytes, [](auto& emit) {
      const std::vector<std::int64_t> ones(4, 1);
      CHECK_THROWS(emit(4, 1));
      emit_block(emit, 0, ones.data(), 4);
      CHECK_THROWS(emit_block(emit, 1, ones.data(), 4));
    });
  }
  CHECK(all.take()[0] == 3);
}

TEST_CASE("dense container: values are reduced in memory by code that is compiled elsewhere",
          "[dense_container]") {
  const keyed_numbers<sum<std::int64_t>> task;
  cpu::container_for<keyed_numbers<sum<std::int64_t>>> all(task);
  all.fill(no_bytes, [](auto& emit) {
    emit(1, 3);
    const auto memory = emit.in_memory();
    REQUIRE(memory.present != nullptr);
    CHECK(memory.present[1] != 0);
    CHECK(memory.cells[1].value == 3);
    for (const std::uint64_t key : {0u, 2u, 3u}) {
      CHECK(memory.present[key] == 0);
      memory.cells[key].value = 10;
      memory.present[key] = 1;
    }
  });
  all.fill(no_bytes, [](auto& emit) {
    const auto memory = emit.in_memory();
    CHECK(memory.present == nullptr);
    memory.cells[1].value += 4;
    emit(2, 1);
  });
  const auto found = all.take();
  CHECK(found[1] == 7);
  CHECK(found[2] == 11);
  CHECK(found[3] == 10);
}

}  // namespace
}  // namespace duomap::test::cpu_container_dense_container_test
