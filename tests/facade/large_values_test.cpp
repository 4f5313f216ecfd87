// Tests that the largest values a task may have (core/task_check.hpp) fit on the workers' stacks.
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace duomap::test::facade_large_values_test {
namespace {

using table = std::array<std::uint64_t, detail::most_on_stack / sizeof(std::uint64_t)>;

template <bool Commutative>
struct table_sum {
  using value_type = table;
  static constexpr bool associative = true;
  static constexpr bool commutative = Commutative;
  value_type operator()(const value_type& one, const value_type& other) const {
    value_type both = one;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] += other[i];
    return both;
  }
};

template <class Key, class Reduce>
struct of_index {
  using format = index_range;
  using key = Key;
  using reduce = Reduce;

  [[nodiscard]] std::uint64_t key_count() const { return 2; }
  void map(std::uint64_t index, auto& emit) const {
    const auto one = std::make_unique<table>();
    one->fill(index);
    if constexpr (std::is_same_v<Key, no_key>) {
      emit(*one);
    } else {
      emit(index % 2, *one);
    }
  }
};

TEMPLATE_TEST_CASE("a value of 256 KiB: each kind of keys", "", (of_index<no_key, table_sum<true>>),
                   (of_index<no_key, table_sum<false>>), (of_index<dense, table_sum<true>>),
                   (of_index<dense, table_sum<false>>), (of_index<std::uint64_t, table_sum<true>>),
                   (of_index<std::uint64_t, table_sum<false>>), (of_index<std::uint64_t, collect<table>>)) {
  for (const unsigned workers : {1U, 3U}) {
    cpu::tbb_pool pool(workers);
    const auto found = run(TestType{}, index_input(9), pool, {.device = device_choice::cpu, .learn = false});
    std::uint64_t sum = 0;
    found.for_each([&](const auto&, const table& value) { sum += value.front() + value.back(); });
    CHECK(sum == 2 * 36);
  }
}

}  // namespace
}  // namespace duomap::test::facade_large_values_test
