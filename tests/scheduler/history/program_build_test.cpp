// Tests the identifier of a program's build.
#include "scheduler/history/program_build.hpp"

#include "tests/catch.hpp"

#include <string>

namespace duomap::test::scheduler_program_build_test {

TEST_CASE("profile: a program's build has a name, and always the same", "[profile]") {
  const std::string build = scheduler::program_build();
  CHECK(build == scheduler::program_build());
  CHECK(build.find_first_not_of("0123456789abcdef") == std::string::npos);
}

}  // namespace duomap::test::scheduler_program_build_test
