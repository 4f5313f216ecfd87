// Tests how progress is shown: the bar, the event, the rate, and the silence of a short run.
#include "apps/cli/progress.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <nlohmann/json.hpp>

namespace duomap::apps::apps_cli_progress_test {
namespace {

progress_state state(std::uint64_t done, std::uint64_t total, double rate, double gpu_share = 0) {
  return {.done = done, .total = total, .seconds = 1, .rate = rate, .gpu_share = gpu_share};
}

}  // namespace

TEST_CASE("a bar with a known total", "[apps]") {
  CHECK(progress_text(state(0, 1000, 0), 200) ==
        "[------------------------]   0 %  0 B of 1.00 kB  0.00 B/s");
  CHECK(progress_text(state(500'000'000, 2'000'000'000, 1e9), 200) ==
        "[######------------------]  25 %  500 MB of 2.00 GB  1.00 GB/s  1.50 s left");
  CHECK(progress_text(state(2000, 2000, 2000), 200) ==
        "[########################] 100 %  2.00 kB of 2.00 kB  2.00 kB/s");
  // The file has grown beyond its size at the start.
  CHECK(progress_text(state(3000, 2000, 3000), 200) ==
        "[########################] 100 %  3.00 kB of 2.00 kB  3.00 kB/s");
  // Almost all units done must not show as 100 %.
  CHECK(progress_text(state(999'999, 1'000'000, 1e6), 200).starts_with("[#######################-]  99 %"));
  // The remaining time is in hours.
  CHECK(progress_text(state(1'000'000'000'000, 9'000'000'000'000, 1e9), 200).ends_with("2 h 13 min left"));
  progress_state of_indices = state(500'000, 2'000'000, 1e6);
  of_indices.unit = input_unit::indices;
  CHECK(progress_text(of_indices, 200) ==
        "[######------------------]  25 %  500,000 of 2,000,000 indices  1.00 M indices/s  1.50 s left");
  CHECK(progress_text(state(500, 1000, 100, 0.829), 200) ==
        "[############------------]  50 %  500 B of 1.00 kB  100 B/s  GPU 82 %  5.00 s left");
}

TEST_CASE("a bar with an unknown total", "[apps]") {
  CHECK(progress_text(state(1'500'000, 0, 750'000), 200) == "1.50 MB done  750 kB/s");
  CHECK(progress_text(state(1'500'000, 0, 750'000), 20) == "1.50 MB done");
}

TEST_CASE("a narrow terminal gets less, and never half of a number", "[apps]") {
  const progress_state now = state(500'000'000, 2'000'000'000, 1e9, 0.5);
  const auto text = [&](std::size_t columns) {
    return progress_text(now, columns);
  };
  CHECK(text(80) == "[##--------]  25 %  500 MB of 2.00 GB  1.00 GB/s  GPU 50 %  1.50 s left");
  CHECK(text(60) == "[##--------]  25 %  1.00 GB/s  GPU 50 %  1.50 s left");
  CHECK(text(50) == "[##--------]  25 %  1.00 GB/s  1.50 s left");
  CHECK(text(40) == " 25 %  1.00 GB/s  1.50 s left");
  CHECK(text(20) == " 25 %  1.50 s left");
  CHECK(text(10) == " 25 %");
  for (std::size_t columns = 0; columns < 120; ++columns)
    CHECK(text(columns).size() <= (columns == 0 ? 0 : columns - 1));
}

TEST_CASE("the time that is left follows the speed of late", "[apps]") {
  recent_rate rate;
  CHECK(rate.units_per_second() == 0);
  std::uint64_t done = 0;
  for (int i = 1; i <= 600; ++i) rate.add(0.1 * i, done += 100);  // a minute at 1000 units a second
  CHECK(std::abs(rate.units_per_second() - 1000) < 1);
  for (int i = 601; i <= 1200; ++i) rate.add(0.1 * i, done += 10);  // then a minute at 100 units a second
  CHECK(std::abs(rate.units_per_second() - 100) < 1);
  CHECK(std::abs(state(done, done + 1000, rate.units_per_second()).seconds_left().value() - 10) < 0.1);
  rate.add(121, 0);  // the count falls: a device was lost, and its work is done again
  CHECK(rate.units_per_second() == 0);
  CHECK_FALSE(state(done, done + 1000, 0).seconds_left());
}

TEST_CASE("an event is an object on a line", "[apps]") {
  const auto event = nlohmann::json::parse(progress_event(state(250, 1000, 50, 0.25)));
  CHECK(event == nlohmann::json({{"event", "progress"},
                                 {"seconds", 1.0},
                                 {"units_done", 250},
                                 {"units_total", 1000},
                                 {"units_per_second", 50.0},
                                 {"gpu_share", 0.25},
                                 {"seconds_left", 15.0}}));
  const auto unknown = nlohmann::json::parse(progress_event(state(250, 0, 50)));
  CHECK(unknown["units_total"].is_null());
  CHECK(unknown["seconds_left"].is_null());
  CHECK_FALSE(progress_event(state(250, 0, 50)).ends_with('\n'));
}

TEST_CASE("a short run says nothing", "[apps]") {
  for (const progress_style style :
       {progress_style::none, progress_style::bar, progress_style::lines, progress_style::events}) {
    const test::child_end end = test::in_child([&] {
      const run_control control;
      progress shown(control, style);
      shown.draw();
      shown.finish();
    });
    CHECK(end.status == 0);
    CHECK(end.error_output.empty());
  }
}

}  // namespace duomap::apps::apps_cli_progress_test
