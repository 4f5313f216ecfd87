// Tests when an idle executor asks a device to give back its newest claim.
#include "scheduler/dispatch/dispatcher/give_back_request.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

namespace duomap::test::scheduler_give_back_request_test {
namespace {

using scheduler::device_ledger;
using scheduler::executor_stage;
using scheduler::executor_table;
using scheduler::request_give_back;

}  // namespace

TEST_CASE("give-back request: a slow device is asked for its newest claim, if that is not its only one",
          "[dispatch]") {
  const executor_table all({device_of(1e-3), pool_of(4, 1e-3)});
  device_ledger ledger(2);
  const auto asked = [&] {
    request_give_back(all, ledger, 1, 0);
    return all[0].wanted_back.exchange(false);
  };
  CHECK_FALSE(asked());
  ledger.claimed(0, {0, 100});
  hold(all[0], 100);
  CHECK_FALSE(asked());
  ledger.claimed(0, {100, 140});
  hold(all[0], 140);
  CHECK(asked());  // the device needs 140 ms; the pool would do 40 of these grains in 40 ms
  SECTION("not when it would be done about as soon") {
    hold(all[0], 70);
    CHECK_FALSE(asked());
  }
  SECTION("but when it is late") {
    hold(all[0], 70, -0.1);
    CHECK(asked());
  }
  SECTION("not when it is lost") {
    all[0].at = executor_stage::failed;
    CHECK_FALSE(asked());
  }
}

TEST_CASE("give-back request: an executor of unknown rate asks for nothing", "[dispatch]") {
  const executor_table all({device_of(1e-3), pool_of(4)});
  device_ledger ledger(2);
  ledger.claimed(0, {0, 100});
  ledger.claimed(0, {100, 101});
  hold(all[0], 101);
  request_give_back(all, ledger, 1, 0);
  CHECK_FALSE(all[0].wanted_back);
}

}  // namespace duomap::test::scheduler_give_back_request_test
