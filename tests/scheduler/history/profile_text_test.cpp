// Profiles as text: what is written is read again, and nothing else is.
#include "scheduler/history/profile_text.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/history/example_profile.hpp"

#include <cstddef>
#include <random>
#include <string>

namespace duomap::test::scheduler_profile_text_test {

using scheduler::parse_profile;
using scheduler::task_profile;

TEST_CASE("profile: what is written is read again", "[profile]") {
  const task_profile profile = a_profile();
  const auto again = parse_profile(to_text(profile));
  REQUIRE(again);
  CHECK(again->task == profile.task);
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

TEST_CASE("profile: a text that was changed in any place is no profile", "[profile]") {
  const std::string text = to_text(a_profile());
  REQUIRE(parse_profile(text));
  for (std::size_t i = 0; i < text.size(); ++i) {
    CAPTURE(i);
    CHECK_FALSE(parse_profile(text.substr(0, i)));
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(parse_profile(changed));
    changed = text;
    changed.insert(i, 1, ' ');
    CHECK_FALSE(parse_profile(changed));
  }
  CHECK_FALSE(parse_profile(text + "\n"));
  CHECK_FALSE(parse_profile(text + text));
  std::string newer = text;
  newer.replace(newer.find(" 1\n"), 3, " 2\n");
  CHECK_FALSE(parse_profile(newer));
}

TEST_CASE("profile: noise is no profile", "[profile]") {
  std::mt19937 random(seed());
  for (int round = 0; round < 2000; ++round) {
    std::string noise(random() % 200, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    CHECK_FALSE(parse_profile(noise));
    CHECK_FALSE(parse_profile("duomap profile 1\n" + noise));
  }
}

}  // namespace duomap::test::scheduler_profile_text_test
