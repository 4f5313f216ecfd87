// Tests the page of a report: names of a run appear only in its data, whatever they are, and the page stays
// small.
#include "apps/report/html_report.hpp"

#include "apps/report/report_page.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace duomap::apps::apps_report_html_report_test {
namespace {

using nlohmann::json;

std::string page_of(const run_summary& summary, const std::string& command) {
  return html_report(summary, command);
}

// The data script's content, as a browser finds it.
std::string data_of(const std::string& page) {
  constexpr std::string_view opening = "id=\"data\">";
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

run_summary mixed_run() {
  run_summary summary;
  summary.report.task = "wordcount";
  summary.report.units = 1000;
  summary.report.executors = {{"cpu", 2, 3, 250, 2.0}, {"gpu 0: NVIDIA H200", 1, 6, 750, 1.25}};
  summary.report.timeline = {{"cpu worker 0", "map", 0, 0.001, 250},
                             {"gpu 0: NVIDIA H200 kernels", "map", 0.0005, 0.0015, 750}};
  summary.report.account = device_account{.missed = 1, .coming = 2, .start = 3};
  summary.wall_seconds = 1.5;
  return summary;
}

}  // namespace

TEST_CASE("report: a job in steps explains itself in words of its own", "[apps]") {
  run_summary summary = mixed_run();
  summary.report.account.reset();
  iterative_report steps{.units = 100, .steps = 3};
  steps.parts.push_back({.name = "cpu", .share = 1, .steps = 3});
  steps.account = step_account{.start = 0.25, .pool = 0.125, .started = false};
  summary.explanation = explanation_of_steps(steps);
  const json data = json::parse(data_of(page_of(summary, "duomap run kmeans x")));
  CHECK(data["explained"] == json(summary.explanation.lines));
  CHECK(data["explained"][1] == "cpu: has 100.0 %, took part in 3 steps");
  CHECK(data["explained"][2] ==
        "starting a GPU and bringing the data there costs about 0.25 s; the steps without one have taken "
        "0.125 s; it was not started");
  CHECK(data["has_account"] == false);
  CHECK(data["step_account"] == json({{"start_seconds", 0.25}, {"pool_seconds", 0.125}, {"started", false}}));
}

TEST_CASE("report: the data are the summary, the words and the timeline", "[apps]") {
  const run_summary summary = mixed_run();
  const json data = json::parse(data_of(page_of(summary, "duomap run wordcount x")));
  CHECK(data["summary"] == json::parse(summary_json(summary)));
  CHECK(data["lines"] == json(summary_lines(summary)));
  CHECK(data["explained"].size() == 3);
  CHECK(data["has_account"] == true);
  CHECK(data["step_account"] == nullptr);
  CHECK(data["command"] == "duomap run wordcount x");
  CHECK(data["timeline"]["kinds"] == json({"map"}));
  CHECK(data["timeline"]["events"] == 2);
  CHECK(data["timeline"]["lanes"][0] ==
        json({{"name", "cpu worker 0"}, {"spans", {0, 0, 1000, 1000, 1, 250}}}));
  CHECK(data["timeline"]["lanes"][1]["spans"] == json({0, 500, 1000, 1000, 1, 750}));
  REQUIRE(data["speed"]["units"].size() == 2);
  std::int64_t sum = 0;
  for (const auto& part : data["speed"]["units"][1]) sum += part.get<std::int64_t>();
  CHECK(std::abs(sum - 750) <= 80);  // rounding 160 parts costs up to half a unit each
}

TEST_CASE("report: the first rows of a result", "[apps]") {
  CHECK(preview_of("a\t1\nb\t2\n") == "a\t1\nb\t2\n");
  CHECK(preview_of("no end") == "no end\n");
  CHECK(preview_of("").empty());
  CHECK(count(preview_of(std::string(50, '\n')), "\n") == 10);
  // The preview contains no half of a character.
  CHECK(preview_of("x" + std::string(80, '\xc3') + "\n").empty());
  std::string accents = "x";
  for (int i = 0; i < 100; ++i) accents += "\xc3\xa9";
  CHECK(preview_of(accents).size() == 159 + 5);
  CHECK(preview_of(std::string_view("\0binary\n", 8)).empty());
  CHECK(preview_of("\x93"
                   "duomap\n")
            .empty());
  run_summary summary = mixed_run();
  summary.preview = "a\t1\n";
  CHECK(json::parse(data_of(page_of(summary, "")))["preview"] == "a\t1\n");
}

TEST_CASE("report: no name breaks out of the data", "[apps]") {
  const std::string names[] = {"</script><script>alert(1)</script>",
                               "<!--<script>",
                               "]]>&amp;&lt;",
                               "\"quoted' and \\ back",
                               "{{nonce}} {{data}} {{",
                               std::string("control \x01\x1b[31m\0 bytes\r\n\t\x7f", 24),
                               "\u2028\u2029",
                               "\xff\xfe no UTF-8 \xc3",
                               "<img src=x onerror=alert(1)>"};
  const std::string page_without = page_of(mixed_run(), "duomap");
  for (const std::string& name : names) {
    INFO(name);
    run_summary summary = mixed_run();
    summary.report.task = name;
    summary.report.executors[1].name = name;
    summary.report.timeline[1].lane = name + " kernels";
    summary.report.notes = {name};
    summary.preview = name;
    const std::string page = page_of(summary, "duomap run wordcount '" + name + "'");
    const std::string text = data_of(page);
    CHECK(text.find_first_of("<>&") == std::string::npos);
    CHECK(count(page, "<script") == count(page_without, "<script"));
    CHECK(count(page, "</script") == count(page_without, "</script"));
    const json data = json::parse(text);
    // The JSON library replaces bytes that are not UTF-8 like this.
    const std::string shown =
        json::parse(json(name).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
    CHECK(data["summary"]["notes"][0] == shown);
    CHECK(data["timeline"]["lanes"][1]["name"] == shown + " kernels");
    CHECK(data["command"] == "duomap run wordcount '" + shown + "'");
  }
}

TEST_CASE("report: scripts and styles count with a number that no name can know", "[apps]") {
  const auto nonce_of = [](const std::string& page) {
    constexpr std::string_view opening = "script-src 'nonce-";
    return page.substr(page.find(opening) + opening.size(), 32);
  };
  const std::string first = page_of(mixed_run(), "");
  const std::string second = page_of(mixed_run(), "");
  CHECK(nonce_of(first) != nonce_of(second));
  CHECK(nonce_of(first).find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(count(first, nonce_of(first)) == 4);
  CHECK(first.find("default-src 'none'") != std::string::npos);
  CHECK(first.find("{{") == std::string::npos);
  // The page inserts text only as text.
  CHECK(report_page.find("innerHTML") == std::string_view::npos);
  CHECK(report_page.find("http:") == report_page.find("http://www.w3.org/2000/svg"));
  CHECK(report_page.find("https:") == std::string_view::npos);
}

TEST_CASE("report: ten seconds of sixteen workers and a GPU are at most 600 KB", "[apps]") {
  run_summary summary = mixed_run();
  summary.report.timeline.clear();
  for (int worker = 0; worker < 16; ++worker) {
    for (int chunk = 0; chunk < 10'000; ++chunk)
      summary.report.timeline.push_back({"cpu worker " + std::to_string(worker), "map",
                                         chunk * 1e-3 + 1e-7 * worker, chunk * 1e-3 + 0.98e-3, 1'048'577});
  }
  for (const char* const lane :
       {"gpu 0: NVIDIA H200", "gpu 0: NVIDIA H200 copies", "gpu 0: NVIDIA H200 kernels"}) {
    for (int chunk = 0; chunk < 20'000; ++chunk)
      summary.report.timeline.push_back({lane, "map", chunk * 5e-4, chunk * 5e-4 + 3.33e-4, 33'554'432});
  }
  const std::string page = page_of(summary, "duomap");
  CHECK(page.size() <= 600'000);
  CHECK(page.size() > 200'000);
}

}  // namespace duomap::apps::apps_report_html_report_test
