// Tests the progress count when several runs use one run_control in turn: the count continues.
#include "core/begin_progress.hpp"

#include "tests/catch.hpp"

namespace duomap::test::core_begin_progress_test {

TEST_CASE("progress: each run begins where those before have ended", "[run_control]") {
  run_control control;
  begin_progress(&control, 10);
  CHECK(control.units_total == 10);
  control.units_done = 10;
  begin_progress(&control, 0);  // a total of 0 means that it is unknown
  CHECK(control.units_total == 0);
  control.units_done = 25;
  end_progress(&control);
  CHECK(control.units_total == 25);
  begin_progress(&control, 5);
  CHECK(control.units_total == 30);
  begin_progress(nullptr, 5);
  end_progress(nullptr);
}

}  // namespace duomap::test::core_begin_progress_test
