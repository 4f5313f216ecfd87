// Tests the comparison of a benchmark's variants: the order in which they run, the warm-up runs that are not
// timed, and the check that all answers are equal.
#include "bench/harness/comparison.hpp"

#include "bench/harness/forked_variant.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap::test::bench_harness_comparison_test {
namespace {

using apps::comparison;
using apps::timed_run;
using apps::variant;

// Variants that write their names, in the order of their runs.
struct written {
  run_control control;
  std::string order;

  variant of(const std::string& name, double seconds, unsigned warm_up = 1) {
    const auto run = [this, name, seconds] {
      order += name;
      return timed_run{.seconds = seconds, .processor_seconds = 2 * seconds};
    };
    return {.name = name, .run = run, .warm_up = warm_up};
  }

  // The names of the variants in the order of their runs.
  std::string runs(const std::vector<variant>& variants, const apps::comparison_rules& rules) {
    order.clear();
    static_cast<void>(comparison(control).in_turn(variants, rules));
    return order;
  }
};

variant answering(const std::string& name, std::uint64_t rows) {
  return {.name = name, .run = [rows] {
            return timed_run{.seconds = 1, .answer = apps::answer_digest{.rows = rows}};
          }};
}

}  // namespace

TEST_CASE("variants take turns, after as many runs to warm up as they want", "[bench]") {
  written all;
  CHECK(all.runs({all.of("a", 1), all.of("b", 1, 0)}, apps::rounds_of_one_run(2)) == "aabab");
  CHECK(all.runs({all.of("a", 1), {.name = "none", .not_measured = "no GPU"}}, apps::rounds_of_one_run(1)) ==
        "aa");
  apps::comparison_rules led_in = apps::rounds_of_one_run(2);
  led_in.short_seconds = 0.1;
  CHECK(all.runs({all.of("a", 0.01), all.of("b", 1, 2)}, led_in) == "abbaabaab");
}

TEST_CASE("steady samples time short runs as often as long ones", "[bench]") {
  written all;
  const auto found = comparison(all.control)
                         .in_turn({all.of("a", 1), all.of("b", 5e-3)},
                                  apps::steady_samples({.least = 2, .most = 2, .seconds = 0}));
  // After the warm-up runs, `a` makes one long run in each round. `b` makes one short run that does not
  // count, then two that count.
  CHECK(all.order == "abbabbbabbb");
  REQUIRE(found.size() == 2);
  CHECK(found[0].seconds() == std::vector<double>{1, 1});
  CHECK(found[1].seconds() == std::vector<double>{5e-3, 5e-3});
  CHECK(found[1].processor_seconds() == std::vector<double>{10e-3, 10e-3});
  CHECK(found[1].first_seconds == 5e-3);

  CHECK(all.runs({all.of("a", 1, 3), all.of("b", 1)},
                 apps::steady_samples({.least = 1, .most = 1, .seconds = 0})) == "aaabab");
  CHECK(all.runs({all.of("a", 1), all.of("b", 1), all.of("c", 1)},
                 apps::steady_samples({.least = 3, .most = 3, .seconds = 0}, apps::turns::back_and_forth)) ==
        "abcabccbaabc");
}

TEST_CASE("a comparison that is cancelled ends", "[bench]") {
  run_control control;
  const auto cancel = [&] {
    control.cancelled = true;
    return timed_run{.seconds = 1};
  };
  CHECK_THROWS_AS(comparison(control).in_turn({{.name = "a", .run = cancel}}, apps::steady_samples({})),
                  interrupted);
}

TEST_CASE("a variant need not run in every round", "[bench]") {
  run_control control;
  int calls = 0;
  const auto sometimes = [&]() -> std::optional<timed_run> {
    if (++calls == 2) return std::nullopt;
    return timed_run{.seconds = 1};
  };
  CHECK(comparison(control).alone({.name = "a", .run = sometimes, .warm_up = 0}, 3).runs.size() == 2);
}

TEST_CASE("a comparison refuses another answer, of a later call too", "[bench]") {
  run_control control;
  comparison all(control);
  CHECK_NOTHROW(all.alone(answering("one", 3), 1));
  CHECK(all.answer().rows == 3);
  CHECK_THROWS_WITH(all.alone(answering("other", 4), 1),
                    contains("other (cpu, 1 thread) gave another answer than one (cpu, 1 thread): 4 rows"));
}

TEST_CASE("a row has the medians of its runs, and the cold one", "[bench]") {
  run_control control;
  double next = 8;
  const variant one{
      .name = "a",
      .threads = 2,
      .run =
          [&] {
            next /= 2;
            return timed_run{.seconds = next, .host_bytes = 7, .figures = {{"of it", next, "s"}}};
          },
      .first_is_cold = true};
  const auto row = row_of(one, comparison(control).alone(one, 3), "a text", {10, "B"});
  CHECK(row.cold_seconds == 4);
  CHECK(row.seconds == std::vector<double>{2, 1, 0.5});
  CHECK(row.figures.at(0).value == 1);
  CHECK(row.host_bytes == 7);
  CHECK(row.work.amount == 10);
  CHECK(row.checked);
}

TEST_CASE("a forked variant runs in a process of its own", "[bench]") {
  run_control control;
  int calls = 0;
  const auto solve = [&](const std::function<void()>& stop_clock) {
    ++calls;
    stop_clock();
    apps::answer_digest answer;
    answer.add("key", 3, 2);
    return answer;
  };
  comparison all(control);
  const auto found = all.alone(apps::forked_variant("child", 1, solve, control), 2);
  CHECK(found.runs.size() == 2);
  CHECK(all.answer().total == 2);
  CHECK(calls == 0);
  const auto fail = [](const std::function<void()>&) -> apps::answer_digest {
    throw error(exit_status::failed, "no");
  };
  CHECK_THROWS_WITH(all.alone(apps::forked_variant("child", 1, fail, control), 1), contains("no"));
}

}  // namespace duomap::test::bench_harness_comparison_test
