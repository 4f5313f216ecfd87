// Tests the page of a benchmark run. tests/browser/report_page.py has a browser open such a page.
#include "bench/harness/bench_html.hpp"

#include "bench/tests/harness/support.hpp"
#include "tests/catch.hpp"

#include <cstddef>

namespace duomap::test::bench_harness_bench_html_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a page has the tables and a picture with spreads", "[bench]") {
  apps::bench_run run =
      synthetic_run({synthetic_row("the loop", {4, 5, 6}), synthetic_row("duomap", {1, 1.5, 2})});
  set_speed_ups(run.tables.front());
  const std::string page = html_of(run, nullptr);
  CHECK_THAT(page, contains("<h2>Word count</h2>") && contains("duomap bench wordcount &#39;a text&#39;") &&
                       contains("Medians of 3 runs") && contains(">5.00 s</td>") && contains("3.33x") &&
                       contains("A processor, 4 cores"));
  CHECK(count(page, "<img ") == 2);  // times as fast, and times with their spreads
  CHECK_THAT(page,
             contains("class=%22whisker%22") && !contains("<script") && !contains("http-equiv=\"refresh"));
  run.tables.front().plotted = apps::bench_axis::seconds;
  CHECK(count(html_of(run, nullptr), "<img ") == 1);
}

TEST_CASE("a page compares with a saved run", "[bench]") {
  const apps::bench_run before =
      synthetic_run({synthetic_row("duomap", {2, 2, 2}), synthetic_row("grep", {1, 1, 1})});
  const apps::bench_run now = synthetic_run({synthetic_row("duomap", {1, 1, 1})});
  const apps::saved_comparison compared = compare(before, now);
  const std::string page = html_of(now, &compared);
  CHECK_THAT(page, contains("Compared with a saved run") && contains(">faster</td>") &&
                       contains(">0.500</td>") && contains("Only before: wordcount: a text, grep") &&
                       contains("before and now"));
}

TEST_CASE("names in a page are text", "[bench]") {
  const std::string evil = "</style><script>alert(1)</script><img src=x onerror=alert(1)>\"'";
  apps::bench_run run = synthetic_run({synthetic_row(evil, {1, 2, 3})});
  run.command = run.machine.cpu = run.tables.front().title = run.tables.front().name = evil;
  run.tables.front().notes = {evil};
  run.tables.front().rows.front().not_measured = run.tables.front().rows.front().note = evil;
  const apps::saved_comparison compared = compare(run, run);
  const std::string page = html_of(run, &compared);
  CHECK(count(page, "<script") == 0);
  CHECK(count(page, "</style") == 1);
  CHECK(count(page, "<img src=x") == 0);
  // Each image has two attributes, so four quotes: no text of a run adds one that would end an attribute.
  for (std::size_t at = page.find("<img "); at != std::string::npos; at = page.find("<img ", at + 1))
    CHECK(count(page.substr(at, page.find('>', at) - at), "\"") == 4);
}

}  // namespace duomap::test::bench_harness_bench_html_test
