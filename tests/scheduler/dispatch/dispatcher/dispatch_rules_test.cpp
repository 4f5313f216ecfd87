// Tests scheduler/dispatch/dispatcher/grain_dispatcher.cpp: the dispatch rules that a user can choose.
#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/claims.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

#include <cstdint>
#include <vector>

namespace duomap::test::scheduler_dispatch_rules_test {

using scheduler::dispatch_rule;
using scheduler::grain_dispatcher;
using scheduler::grain_range;

TEST_CASE("grain dispatcher: a split set beforehand is kept", "[dispatcher]") {
  grain_dispatcher all(1000, {device_of(1e-5), pool_of(4, 1e-5)},
                       {.rule = dispatch_rule::split, .shares = {0.3, 0.7}});
  REQUIRE(all.starts(0, 0));
  all.started(0, 0);
  std::uint32_t first = 0;
  for (const grain_range& one : take_all(all, 0, 0)) first += one.size();
  CHECK(first == 300);
  std::uint32_t second = 0;
  for (const grain_range& one : take_all(all, 1, 0)) second += one.size();
  CHECK(second == 700);
}

}  // namespace duomap::test::scheduler_dispatch_rules_test
