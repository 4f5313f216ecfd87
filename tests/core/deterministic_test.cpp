// Tests deterministic mode on the CPU: every kind of key and reduction, cut anywhere, against exact sums.
#include "core/deterministic.hpp"

#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/cpu_backends.hpp"
#include "tests/conformance/deterministic_check.hpp"
#include "tests/conformance/deterministic_tasks.hpp"
#include "tests/conformance/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace duomap::test::core_deterministic_test {
namespace {

template <class Task>
inline constexpr bool same_rows = std::is_same_v<typename result_for<deterministic<Task>>::value_type,
                                                 typename result_for<Task>::value_type>;
static_assert(same_rows<hashed_sums<float>> && same_rows<dense_sums<double>> && same_rows<moments_by_key>);
static_assert(std::is_same_v<result_for<deterministic<number_slots>>, result_for<number_slots>>);

// Deterministic mode leaves exact tasks as they are, so the same engines run them.
static_assert(is_exact_task<word_counts> && is_exact_task<extremes> && is_exact_task<largest_rows>);
static_assert(is_exact_task<lines_by_head> && is_exact_task<first_places>);
static_assert(!is_exact_task<moments_by_key> && !is_exact_task<number_slots>);
static_assert(std::is_same_v<deterministic<word_counts>::reduce, word_counts::reduce>);

TEST_CASE("deterministic: the bytes of an answer do not depend on cuts, workers or backends") {
  std::mt19937_64 random(seed());
  check_same_bytes(deterministic{hashed_sums<float>{.keys = 3}}, random, cpu_backends);
  check_same_bytes(deterministic{hashed_sums<double>{.keys = 300}}, random, cpu_backends);
  check_same_bytes(deterministic{dense_sums<float>{.keys = 7}}, random, cpu_backends);
  check_same_bytes(deterministic{dense_sums<double>{.keys = 1}}, random, cpu_backends);
  check_same_bytes(deterministic{moments_by_key{}}, random, cpu_backends);
  check_same_bytes(deterministic{number_slots{}}, random, cpu_backends);
}

TEST_CASE("deterministic: what is exact already has the plain task's answer") {
  auto random = seeded();
  const auto texts = boundary_texts(random);
  const pool_set workers({3});
  for (const sample& one : texts) {
    const auto result = run_shaped(deterministic{word_counts{}}, make_input(one), workers, cpu_backends, {});
    CHECK(difference(answer_of<deterministic<word_counts>>(result), expected_answer(word_counts{}, one)) ==
          "");
    const auto lines =
        run_shaped(deterministic{lines_by_head{.grouped = true}}, make_input(one), workers, cpu_backends, {});
    CHECK(difference(answer_of<deterministic<lines_by_head>>(lines),
                     expected_answer(lines_by_head{.grouped = true}, one)) == "");
  }
}

TEST_CASE("deterministic: sums by key are correctly rounded where their numbers allow it") {
  std::mt19937_64 random(seed());
  // Whole numbers of 24 bits, scaled by up to 20 bits, lose no bit in a reproducible sum.
  std::vector<std::uint32_t> rows;
  std::map<std::uint32_t, exact_sum> exact;
  constexpr std::uint32_t keys = 9;
  for (int i = 0; i < 20'000; ++i) {
    const auto key = static_cast<std::uint32_t>(random());
    const float number = std::ldexp(static_cast<float>(static_cast<std::int32_t>(random()) >> 8),
                                    -static_cast<int>(random() % 20));
    rows.push_back(key);
    rows.push_back(std::bit_cast<std::uint32_t>(number));
    exact[key % keys].add(static_cast<double>(number));
  }
  const byte_view bytes{reinterpret_cast<const char*>(rows.data()), rows.size() * 4};
  const auto sums = run(deterministic{hashed_sums<float>{.keys = keys}}, view_input(bytes),
                        {.device = device_choice::cpu, .threads = 2});
  CHECK(sums.size() == keys);
  sums.for_each([&](std::uint32_t key, float value) {
    const auto distance = [&](float from) {
      exact_sum rest = exact[key];
      rest.add(-static_cast<double>(from));
      return rest.magnitude();
    };
    CHECK(distance(value) <= distance(std::nextafter(value, 1e38f)));
    CHECK(distance(value) <= distance(std::nextafter(value, -1e38f)));
  });
}

TEST_CASE("deterministic: a dense key that nobody emitted has the sum of nothing") {
  const std::uint32_t row[] = {1, std::bit_cast<std::uint32_t>(-0.0f)};
  const byte_view bytes{reinterpret_cast<const char*>(row), sizeof row};
  const auto sums = run(deterministic{dense_sums<float>{.keys = 3}}, view_input(bytes),
                        {.device = device_choice::cpu, .threads = 1});
  CHECK(std::bit_cast<std::uint32_t>(sums[0]) == 0);
  CHECK(std::signbit(sums[1]));
  CHECK(!sums.contains(2));
}

TEST_CASE("deterministic: the task's own finish gets the values of its own reduction") {
  const std::uint32_t rows[] = {5, 2000, 5, 4000};
  const byte_view bytes{reinterpret_cast<const char*>(rows), sizeof rows};
  const auto means =
      run(deterministic{moments_by_key{}}, view_input(bytes), {.device = device_choice::cpu, .threads = 1});
  CHECK(means[5] == Approx(5 + (4 + 16) / 2.0 - 6 - 2));
}

TEST_CASE("deterministic: the laws hold on a task's own input, to the last bit") {
  std::mt19937_64 random(seed());
  const input numbers = text_input(random_numbers(random, 4000));
  for (const law_check& law : verify(deterministic{hashed_sums<double>{}}, numbers)) {
    INFO(law.law << ": " << law.counterexample);
    CHECK(law.trials > 0);
    CHECK(law.holds());
  }
  for (const law_check& law : verify(deterministic{number_slots{}}, numbers)) {
    INFO(law.law << ": " << law.counterexample);
    CHECK(law.holds());
  }
}

}  // namespace
}  // namespace duomap::test::core_deterministic_test
