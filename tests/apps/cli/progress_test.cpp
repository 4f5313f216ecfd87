// The text of the progress bar, and that it stays off standard error until it is wanted.
#include "apps/cli/progress.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

namespace duomap::apps::apps_cli_progress_test {

TEST_CASE("a bar with a known total", "[apps]") {
  CHECK(progress_text(0, 1000, 1, 200) == "[------------------------]   0 %  0 B of 1.00 kB  0.00 B/s");
  CHECK(progress_text(500'000'000, 2'000'000'000, 0.5, 200) ==
        "[######------------------]  25 %  500 MB of 2.00 GB  1.00 GB/s  1.50 s left");
  CHECK(progress_text(2000, 2000, 1, 200) ==
        "[########################] 100 %  2.00 kB of 2.00 kB  2.00 kB/s");
  // A file that grew.
  CHECK(progress_text(3000, 2000, 1, 200) ==
        "[########################] 100 %  3.00 kB of 2.00 kB  3.00 kB/s");
  // Nearly done is not done.
  CHECK(progress_text(999'999, 1'000'000, 1, 200).starts_with("[#######################-]  99 %"));
}

TEST_CASE("a bar with an unknown total", "[apps]") {
  CHECK(progress_text(1'500'000, 0, 2, 200) == "1.50 MB done  750 kB/s");
}

TEST_CASE("a bar never fills its line", "[apps]") {
  const std::string whole = progress_text(500, 2000, 0.5, 200);
  for (const std::size_t columns : {0U, 1U, 2U, 10U, 40U, 79U, 80U}) {
    const std::string text = progress_text(500, 2000, 0.5, columns);
    CAPTURE(columns);
    CHECK(text == whole.substr(0, columns == 0 ? 0 : columns - 1));
  }
}

TEST_CASE("a short run draws nothing", "[apps]") {
  const test::child_end end = test::in_child([] {
    const run_control control;
    progress_bar bar(control);
    bar.draw();
    bar.finish();
  });
  CHECK(end.status == 0);
  CHECK(end.error_output.empty());
}

}  // namespace duomap::apps::apps_cli_progress_test
