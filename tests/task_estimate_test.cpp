// What is expected of a run before it begins.
#include "task_estimate.hpp"

#include "tests/catch.hpp"

#include <vector>

namespace duomap::test {
namespace {

constexpr gpu::run_outlook of_bytes(std::uint64_t bytes) {
  return {.direct_bytes = bytes, .addressable_units = bytes, .workers = 16, .started = true};
}

}  // namespace

TEST_CASE("the CPU stands by for a look at devices that were never seen alone", "[estimate]") {
  const scheduler::executor_model cpu{.seconds_per_grain = 1e-10};
  const scheduler::executor_model unknown;
  const scheduler::executor_model seen_beside{.seconds_per_grain = 1e-10};
  const scheduler::executor_model seen{.seconds_per_grain = 1e-10, .alone_seconds_per_grain = 2e-11};
  gpu::run_outlook run = of_bytes(4'000'000'000);
  const auto look = [&](const std::vector<scheduler::executor_model>& models) {
    return detail::first_look_seconds(models, run);
  };
  CHECK(look({cpu}) == 0);
  CHECK(look({cpu, seen}) == 0);
  CHECK(look({cpu, unknown}) == Approx(5e-3));
  CHECK(look({cpu, seen_beside}) == Approx(5e-3));
  CHECK(look({cpu, seen, seen_beside}) == Approx(5e-3));
  // Of what the CPU alone takes no more than a tenth, and of nothing too little to see something.
  run.cpu_seconds = 30e-3;
  CHECK(look({cpu, unknown}) == Approx(3e-3));
  run.cpu_seconds = 15e-3;
  CHECK(look({cpu, unknown}) == 0);
  run = of_bytes(128 << 20);
  CHECK(look({cpu, unknown}) == 0);
  run.cpu_seconds = 30e-3;
  CHECK(look({cpu, unknown}) == Approx(3e-3));
}

}  // namespace duomap::test
