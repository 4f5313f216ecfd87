// Tests plots of benchmark tables. bench/tests/cli/bench.py has an XML parser read some.
#include "bench/harness/svg_plot.hpp"

#include "bench/tests/harness/support.hpp"
#include "tests/catch.hpp"

#include <cstddef>

namespace duomap::test::bench_harness_svg_plot_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Whether every opened element is closed, in the right order.
bool balanced(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.ends_with('/')) continue;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

}  // namespace

TEST_CASE("text in a plot is escaped", "[bench]") {
  CHECK(apps::xml_text("a < b && \"c\" > 'd'") == "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(apps::xml_text(std::string("\x01\x1f\n", 3)) == "\n");
}

TEST_CASE("a bar for every measured row", "[bench]") {
  apps::bench_table table = synthetic_run({synthetic_row("<loop>", {4, 5, 6}),
                                           synthetic_row("duomap", {1, 1, 1}), synthetic_row("absent", {})})
                                .tables.front();
  table.rows[2].not_measured = "not there";
  set_speed_ups(table);
  const std::string svg = svg_of(table);
  CHECK(balanced(svg));
  CHECK(count(svg, "<rect") == 2);
  CHECK(count(svg, "class=\"whisker\"") == 0);
  CHECK_THAT(svg, contains("&lt;loop&gt;") && contains("times as fast as the loop") && contains(">5</text>"));
  CHECK_THAT(svg, contains("prefers-color-scheme: dark") && !contains("<loop>") && !contains("absent"));
  CHECK(svg_of(table) == svg);

  table.plotted = apps::bench_axis::seconds;
  CHECK_THAT(svg_of(table), contains("time, s"));
  CHECK(count(svg_of(table), "class=\"whisker\"") == 1);  // duomap's runs do not differ
  table.plotted = apps::bench_axis::rate;
  CHECK(svg_of(table).empty());  // nothing says how much work it was
  for (apps::bench_row& row : table.rows) row.work = {8e9, "B"};
  CHECK_THAT(svg_of(table), contains("throughput, GB/s") && contains(">8</text>"));
  table.plot = apps::bench_plot::none;
  CHECK(svg_of(table).empty());
}

TEST_CASE("a line for every series over its axis", "[bench]") {
  apps::bench_table table{.name = "keys",
                          .title = "Keys",
                          .plot = apps::bench_plot::lines,
                          .plotted = apps::bench_axis::seconds,
                          .x_label = "distinct keys"};
  for (const double x : {10.0, 1000.0, 1e6}) {
    for (const std::string program : {"sort", "hash"}) {
      table.rows.push_back(synthetic_row(program, {x / 1e6 + 0.001}));
      table.rows.back().x = x;
    }
  }
  table.rows.push_back(synthetic_row("nowhere", {1}));  // without a place on the axis
  const std::string svg = svg_of(table);
  CHECK(balanced(svg));
  CHECK(count(svg, "<polyline") == 2);
  CHECK(count(svg, "<circle") == 6);
  CHECK_THAT(svg, contains("distinct keys") && contains(">1e+06</text>") && contains("sort") &&
                      !contains("nowhere"));
  CHECK(count(svg, "class=\"whisker\"") == 0);
  for (apps::bench_row& row : table.rows)
    row.seconds = {row.seconds[0], row.seconds[0] * 2, row.seconds[0] * 3};
  CHECK(balanced(svg_of(table)));
  CHECK(count(svg_of(table), "class=\"whisker\"") == 6);
  table.rows.clear();
  CHECK(svg_of(table).empty());
}

TEST_CASE("one point and equal points are drawn too", "[bench]") {
  apps::bench_table table{.name = "one",
                          .title = "One",
                          .rows = {synthetic_row("duomap", {0.5})},
                          .plot = apps::bench_plot::lines,
                          .plotted = apps::bench_axis::seconds};
  table.rows.front().x = 0;
  const std::string svg = svg_of(table);
  CHECK(balanced(svg));
  CHECK_THAT(svg, !contains("nan") && !contains("inf"));
  CHECK(count(svg, "<circle") == 1);
}

}  // namespace duomap::test::bench_harness_svg_plot_test
