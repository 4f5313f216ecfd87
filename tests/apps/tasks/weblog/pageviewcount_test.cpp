// Tests page view count and rank: which views count, long visits, and equal answers on all devices.
#include "apps/tasks/weblog/pageviewcount.hpp"

#include "apps/report/quantity.hpp"
#include "apps/tasks/weblog/count_views.hpp"
#include "apps/tasks/weblog/malformed_lines.hpp"
#include "core/verify/verify.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_weblog_pageviewcount_test {
namespace {

using apps::request_count;
using apps::view_choice;
using apps::visit_count;
using apps::visitor;
using page_counts = std::map<std::string, std::uint64_t>;

template <class Task>
page_counts rows_of(const keyed_result<Task>& result) {
  page_counts rows;
  result.for_each([&](byte_view key, std::uint64_t value) { rows[std::string(key.text())] += value; });
  return rows;
}

std::string log_line(const std::string& client, const std::string& url, const std::string& agent,
                     const std::string& method = "GET", unsigned status = 200) {
  return client + " - - [10/Oct/2000:13:55:36 -0700] \"" + method + " " + url + " HTTP/1.1\" " +
         std::to_string(status) + " 1 \"-\" \"" + agent + "\"\n";
}

page_counts visits_on(device_choice device, const visit_count& task, const std::string& log) {
  const auto pool = cpu::machine_pool(2, text_input(""));
  run_report report;
  return rows_of(
      apps::count_visits(task, run(task, text_input(log), *pool, {.device = device}), *pool, report));
}

/// A log with every kind of line: visits around the size limit of the first pass, duplicates, malformed and
/// unwanted lines.
std::string mixed_log(std::mt19937_64& random, unsigned count) {
  std::string log;
  for (unsigned i = 0; i < count; ++i) {
    const std::string client = "10.0.0." + std::to_string(random() % 4);
    std::string url = "/" + std::to_string(random() % 20);
    if (random() % 4 == 0) url += std::string(985 + random() % 20, 'x');
    switch (random() % 8) {
      case 0:
        log += "not a line of a log " + std::to_string(random() % 3) + "\n";
        break;
      case 1:
        log += log_line(client, url, "a", "-");
        break;
      case 2:
        log += "\n";
        break;
      case 3:
        log += client + " - - [t] \"GET " + url + "\" 404 -\n";
        break;
      default:
        log += log_line(client, url, random() % 2 == 0 ? "agent" : "another agent");
    }
  }
  return log;
}

}  // namespace

TEST_CASE("page views: what counts", "[weblog]") {
  const std::string log = log_line("a", "/x?q=1", "m") + log_line("a", "/x?q=2", "m") +
                          log_line("b", "/x", "m", "HEAD", 304) + log_line("a", "/x?q=1", "n", "POST", 201) +
                          log_line("a", "?only", "m", "GET", 500) + "rubbish\n\n";
  const auto count = [&](const view_choice& choice) {
    return rows_of(run(request_count{choice}, text_input(log), {.device = device_choice::cpu}));
  };
  CHECK((count({}) == page_counts{{"/x?q=1", 2}, {"/x?q=2", 1}, {"/x", 1}, {"?only", 1}, {"", 1}}));
  view_choice choice{.query_belongs = false};
  CHECK((count(choice) == page_counts{{"/x", 4}, {" ", 1}, {"", 1}}));
  choice.add_status(304);
  choice.add_status(500);
  CHECK((count(choice) == page_counts{{"/x", 1}, {" ", 4}, {"", 1}}));
  choice.methods[choice.method_count++] = {"HEAD", 4};
  CHECK((count(choice) == page_counts{{"/x", 1}, {" ", 4}, {"", 1}}));
}

TEST_CASE("page views: a visit counts once, however long it is", "[weblog]") {
  const visit_count task;
  // The first pass counts visits below a size limit. The test takes sizes below, at and above the limit.
  const std::uint64_t others = 1 + 1 + 1 + 1;  // the bytes of "\na\nm"
  for (const std::uint64_t bytes : {visit_count::most_bytes - 1, visit_count::most_bytes,
                                    visit_count::most_bytes + 1, std::uint64_t{100'000}}) {
    const std::string url = "/" + std::string(bytes - others - 1, 'u');
    const std::string again = "a - - [later] \"HEAD " + url + "\" 200 1 \"-\" \"m\"\n";
    const std::string log = log_line("a", url, "m") + again + log_line("a", url, "n") +
                            log_line("b", url, "m") + again + log_line("b", "/", "m");
    CHECK((visits_on(device_choice::cpu, task, log) == page_counts{{url, 3}, {"/", 1}}));
    CHECK((visits_on(device_choice::cpu, {{}, visitor::client}, log) == page_counts{{url, 2}, {"/", 1}}));
  }
}

TEST_CASE("page views: laws and malformed lines of many sources", "[weblog]") {
  std::mt19937_64 random(seed());
  const std::string log = mixed_log(random, 300);
  for (const law_check& check : verify(request_count{}, text_input(log))) CHECK(check.holds());
  for (const law_check& check : verify(visit_count{}, text_input(log))) CHECK(check.holds());
  std::vector<std::unique_ptr<source>> sources;
  for (const char* const name : {"one", "two"})
    sources.push_back(std::make_unique<text_source>("\nbad\n" + log_line("a", "/", "m") + "worse", name));
  const std::string second = std::to_string(5 + log_line("a", "/", "m").size());
  sequential caller;
  CHECK(apps::malformed_text(4, input(std::move(sources)), {}, caller) ==
        "4 lines are in neither the common nor the combined log format: 'one', byte 1: 'bad'; 'one', byte " +
            second +
            ": "
            "'worse'; 'two', byte 1: 'bad'; and so on");
}

TEST_CASE("page views: the first malformed lines are found wherever they are", "[weblog]") {
  const std::string good = log_line("a", "/", "m");
  const std::uint64_t lines = (std::uint64_t{40} << 20) / good.size();  // so that it is read in parts
  const std::vector<std::vector<double>> cases = {{1.0}, {0.1, 0.3, 0.4, 0.8}, {0.26, 0.27, 0.99}, {0.0}};
  sequential caller;
  for (const std::vector<double>& places : cases) {
    std::string log, expected;
    std::size_t seen = 0;
    for (std::uint64_t i = 0; i < lines; ++i) {
      if (seen < places.size() && i == static_cast<std::uint64_t>(places[seen] * double(lines - 1))) {
        if (seen < 3)
          expected += (seen == 0 ? ": " : "; ") + ("'log', byte " + apps::count_text(log.size())) + ": 'bad'";
        log += "bad\n";
        ++seen;
      }
      log += good;
    }
    if (seen > 3) expected += "; and so on";
    const std::string found = apps::malformed_text(seen, text_input(log, "log"), {}, caller);
    CHECK(found.substr(found.find(" format") + 7) == expected);
  }
}

TEST_CASE("page views: a strict run names the first malformed line, whichever was seen", "[weblog]") {
  std::mt19937_64 random(seed());
  INFO("seed " << seed());
  const std::string good = log_line("a", "/", "m");
  for (const layout form : {layout::addressable, layout::streamed}) {
    std::vector<std::string> lines(torture ? 50 : 30'000, good);
    const std::uint64_t first = random() % lines.size();
    const std::uint64_t second = first + random() % (lines.size() - first);
    lines[second] = "a b c\n";
    lines[first] = "a - - [t] \"GET /\" 20x 1\n";
    std::string log;
    std::uint64_t byte = 0;
    for (std::uint64_t i = 0; i < lines.size(); ++i) {
      if (i == first) byte = log.size();
      log += lines[i];
    }
    const input logs = make_input({"log", {good + good, log, log}}, form);
    cpu::tbb_pool pool(3);
    const std::string text = apps::strict_text(stopped_by_map(2, 12, "some line"), logs, {}, pool);
    CHECK_THAT(text, contains("line " + apps::count_text(first + 1) + ", byte " + apps::count_text(byte) +
                              ": 'a - - [t] \"GET /\" 20x 1': no closed quote and status of three digits"));
    CHECK_THROWS_AS(run(request_count{.strict = true}, logs, pool, {.device = device_choice::cpu}),
                    stopped_by_map);
  }
}

TEST_CASE("page views: the best pages, ties by page", "[weblog]") {
  const auto pool = cpu::machine_pool(2, text_input(""));
  const auto counts =
      run(request_count{},
          text_input(log_line("a", "/b", "") + log_line("a", "/c", "") + log_line("a", "/a", "") +
                     log_line("a", "/c", "") + log_line("a", "/aLongerUrlThatStandsOutside", "")),
          *pool, {.device = device_choice::cpu});
  for (const std::uint64_t k : {1u, 3u, 9u}) {
    std::string order;
    for (const apps::ranked_page& one : run(apps::page_rank{k}, entries_of(counts), *pool)[0])
      order += std::string(one.page, one.page_bytes) + " " + std::to_string(one.views) + "\n";
    const std::string all = "/c 2\n/a 1\n/aLongerUrlThatStandsOutside 1\n/b 1\n";
    CHECK(order == (k == 1 ? "/c 2\n" : k == 3 ? "/c 2\n/a 1\n/aLongerUrlThatStandsOutside 1\n" : all));
  }
}

TEST_CASE("page views: a GPU counts as the CPU does", "[gpu][sanitize][weblog]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  for (const unsigned lines : {1u, 33u, 800u}) {
    const std::string log = mixed_log(random, lines) + "last line without an end";
    const auto count = [&](device_choice device, std::optional<engine_kind> engine) {
      return rows_of(run(request_count{}, text_input(log), {.device = device, .gpu = {.engine = engine}}));
    };
    const page_counts expected = count(device_choice::cpu, {});
    CHECK((count(device_choice::gpu, {}) == expected));
    CHECK((count(device_choice::gpu, engine_kind::sort) == expected));
    for (const visitor unique : {visitor::client, visitor::client_and_agent}) {
      const visit_count task{{}, unique};
      CHECK((visits_on(device_choice::gpu, task, log) == visits_on(device_choice::cpu, task, log)));
      CHECK((visits_on(device_choice::cpu_gpu, task, log) == visits_on(device_choice::cpu, task, log)));
    }
  }
}

TEST_CASE("page views: a malformed line stops a strict run on a GPU", "[gpu][sanitize][weblog]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  const std::string good = log_line("a", "/", "m");
  std::string log;
  for (int i = 0; i < 1000; ++i) log += good;
  const request_count strict{.strict = true};
  const visit_count strict_visits{.strict = true};
  CHECK((rows_of(run(strict, text_input(log), {.device = device_choice::gpu})) == page_counts{{"/", 1000}}));
  const std::uint64_t place = random() % 1000 * good.size();
  log.insert(place, "malformed\n");
  for (const device_choice on : {device_choice::gpu, device_choice::cpu_gpu}) {
    try {
      static_cast<void>(run(strict, text_input(log), {.device = on}));
      FAIL("the run went on");
    } catch (const stopped_by_map& stop) {
      CHECK(stop.source() == 0);
      CHECK(stop.offset() == place);
    }
    CHECK_THROWS_AS(run(strict_visits, text_input(log), {.device = on}), stopped_by_map);
  }
}

}  // namespace duomap::test::apps_tasks_weblog_pageviewcount_test
