// Tests the device ledger, which records the grains that devices hold.
#include "scheduler/dispatch/dispatcher/device_ledger.hpp"

#include "tests/catch.hpp"

#include <stdexcept>
#include <vector>

namespace duomap::test::scheduler_device_ledger_test {
namespace {

using scheduler::device_ledger;
using scheduler::grain_range;

std::uint32_t sum(const std::vector<grain_range>& all) {
  std::uint32_t grains = 0;
  for (const grain_range& one : all) grains += one.size();
  return grains;
}

}  // namespace

TEST_CASE("device ledger: a claim is on record until the commit after it has ended", "[dispatch]") {
  device_ledger all(2);
  CHECK_FALSE(all.holds(0));
  all.claimed(0, {0, 10});
  CHECK(all.holds_uncommitted(0));
  CHECK(all.others_hold(1));
  CHECK_FALSE(all.others_hold(0));
  all.commits(0);
  CHECK_FALSE(all.holds_uncommitted(0));
  CHECK(all.holds(0));
  CHECK(all.commits_of(0) == 0);
  all.claimed(0, {10, 15});
  all.committed(0);
  CHECK(all.commits_of(0) == 1);
  CHECK(all.holds_uncommitted(0));  // grains that the device claimed during the commit
  CHECK(all.newest(0) == 5);
  CHECK(all.grains() == 15);
}

TEST_CASE("device ledger: the end of the newest claim comes back, and nothing else does", "[dispatch]") {
  device_ledger all(1);
  all.claimed(0, {0, 10});
  all.claimed(0, {20, 30});
  all.returned(0, {25, 30});
  CHECK(all.newest(0) == 5);
  CHECK(all.grains() == 15);
  CHECK_THROWS_AS(all.returned(0, {20, 22}), std::logic_error);
  all.returned(0, {20, 25});
  CHECK(all.newest(0) == 10);
  all.returned(0, {0, 10});
  CHECK(all.newest(0) == 0);
  CHECK_FALSE(all.holds(0));
  CHECK(all.grains() == 0);
}

TEST_CASE("device ledger: of a lost device all comes back that was not committed", "[dispatch]") {
  for (const bool committing_too : {false, true}) {
    device_ledger all(2);
    all.claimed(0, {0, 10});
    all.commits(0);
    all.committed(0);
    all.claimed(0, {10, 30});
    all.commits(0);
    all.claimed(0, {30, 70});
    all.claimed(1, {70, 75});
    CHECK(sum(all.failed(0, committing_too)) == (committing_too ? 60 : 40));
    CHECK_FALSE(all.holds(0));
    CHECK(all.holds(1));
    CHECK(all.grains() == (committing_too ? 15 : 35));
    CHECK(all.failed(0, true).empty());
  }
}

}  // namespace duomap::test::scheduler_device_ledger_test
