// Tests profiles as text: the parser accepts only unchanged text.
#include "scheduler/history/profile_text.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/history/example_profile.hpp"
#include "tests/scheduler/history/only_as_written.hpp"

namespace duomap::test::scheduler_profile_text_test {

using scheduler::parse_profile;
using scheduler::task_profile;

TEST_CASE("profile: what is written is read again", "[profile]") {
  const task_profile profile = a_profile();
  const auto again = parse_profile(to_text(profile));
  REQUIRE(again);
  CHECK(again->task == profile.task);
  CHECK(again->worth == profile.worth);
  CHECK(again->worth_units == profile.worth_units);
  REQUIRE(again->executors.size() == 3);
  CHECK((again->executors[0].is == profile.executors[0].is));
  CHECK(again->executors[0].stored_at == today);
  CHECK(again->executors[0].model.seconds_per_unit == 1.0 / 3);
  CHECK(again->executors[0].model.claim_seconds == 1e-300);
  CHECK(again->executors[0].runs == 3);
  CHECK(again->executors[0].model.co_run_share == 0.25);
  CHECK_FALSE(again->executors[1].model.co_run_share);
  CHECK((again->executors[1].is == profile.executors[1].is));
  CHECK(again->executors[1].surprises == 1);
  CHECK(again->executors[1].short_run == 0);
  CHECK(again->executors[2].short_run == 2e-3);
  CHECK(to_text(*again) == to_text(profile));
}

TEST_CASE("profile: what devices were worth to runs of unknown size is read again", "[profile]") {
  task_profile profile = a_profile();
  profile.worth_units = 0;
  const auto again = parse_profile(to_text(profile));
  REQUIRE(again);
  CHECK(again->worth == profile.worth);
  CHECK(again->worth_units == 0);
}

TEST_CASE("profile: a text that was changed in any place is no profile, and noise is none", "[profile]") {
  check_only_as_written(to_text(a_profile()), parse_profile);
}

}  // namespace duomap::test::scheduler_profile_text_test
