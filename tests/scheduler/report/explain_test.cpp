// Tests the explanations and timelines of runs, and what runs teach the profile.
#include "scheduler/report/explain.hpp"

#include "core/output/byte_sink.hpp"
#include "scheduler/history/profile_text.hpp"
#include "scheduler/history/stored_text.hpp"
#include "scheduler/history/task_history.hpp"
#include "scheduler/report/trace.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace duomap::test::scheduler_explain_test {
namespace {

using scheduler::explain;
using scheduler::profile_access;

using scheduler::profile_store;
using scheduler::task_history;
using scheduler::write_trace;

run_report explained_run() {
  run_report report;
  report.units = 1000;
  executor_report cpu;
  cpu.name = "cpu";
  cpu.workers = 16;
  cpu.chunks = 1;
  cpu.units = 250;
  cpu.busy_seconds = 3;
  cpu.wait_seconds = 1;
  cpu.seconds_per_unit = 0.001;
  executor_report gpu;
  gpu.name = "gpu 0";
  gpu.kind = executor_kind::device;
  gpu.workers = 1;
  gpu.units = 750;
  gpu.chunks = 20;
  gpu.refused = 2;
  gpu.start_seconds = 0.25;
  gpu.copy_seconds = 0.1;
  gpu.engine = {.past_block_tables = 7, .write_seconds = 0.5, .group_seconds = 0.25, .reduce_seconds = 0.125};
  gpu.trouble = "lost in finish; the others have done its work";
  report.executors = {cpu, gpu};
  report.degraded = true;
  return report;
}

std::string trace_text(const std::vector<timeline_event>& events) {
  const temporary_folder folder;
  const std::string path = folder.write("trace.json", "");
  const int file = ::open(path.c_str(), O_WRONLY);
  REQUIRE(file >= 0);
  byte_sink sink(file, "a trace");
  write_trace(sink, events);
  sink.flush();
  ::close(file);
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("explain: what starting a GPU would bring", "[explain]") {
  run_report report;
  report.account = {.spent = 0.5, .missed = 0.05, .coming = 0.025, .start = 0.25};
  CHECK(explain(report) == std::vector<std::string>{
                               "the runs before this one have taken 0.5 s; a GPU would have saved 0.05 s of "
                               "that, and is expected to save 0.025 s in this run; starting one costs about "
                               "0.25 s; it is not started yet"});
  report.account = {.spent = 0.5, .missed = 0.25, .expected = 0.5, .start = 0.25, .started = true};
  CHECK(explain(report) == std::vector<std::string>{
                               "the runs before this one have taken 0.5 s; a GPU would have saved 0.25 s of "
                               "that, and is expected to save 0 s in this run; starting one costs about "
                               "0.25 s; it saved an earlier process 0.5 s; it is started during this run"});
  report.account = {.spent = 0.75, .missed = 0.25, .saved = 0.125, .start = 0.25, .ready = true};
  CHECK(explain(report) ==
        std::vector<std::string>{
            "the runs before this one have taken 0.75 s; a GPU would have saved 0.25 s of "
            "that before it was started, has saved 0.125 s since, and cost about 0.25 s to "
            "start"});
}

TEST_CASE("explain: what every executor did", "[explain]") {
  const auto lines = explain(explained_run());
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] ==
        "cpu: 25.0 % of the input, 250 units in 1 chunk, 1000 units/s (+- 0.0 %), waited 25.0 % of its time");
  CHECK(lines[1] ==
        "gpu 0: 75.0 % of the input, 750 units in 20 chunks, waited 0.0 % of its time, started in 0.25 s, "
        "copied for 0.1 s and computed for 0 s; its emits were written in 0.5 s, grouped in 0.25 s and "
        "reduced in 0.125 s, 7 emits had no place in shared memory, 2 chunks found no memory and were done "
        "again; lost in finish; the others have done its work");
  CHECK_THAT(lines[2], contains("degraded"));
  CHECK(explain(run_report{}).empty());
}

TEST_CASE("explain: why an executor was given nothing", "[explain]") {
  run_report report;
  report.units = 4;
  report.executors = {{.name = "cpu", .workers = 1, .reason = "it is held back"}};
  CHECK(explain(report) == std::vector<std::string>{"cpu: nothing: it is held back"});
}

TEST_CASE("trace: a lane is a thread with a name", "[explain]") {
  CHECK(trace_text({}) == "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n]}\n");
  CHECK(trace_text({{"cpu worker 0", "submit", 0, 0.001},
                    {"gpu \"0\"", "finish", 0.5, 0.5000005},
                    {"cpu worker 0", "wait", 0.001, 2}}) ==
        "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
        R"({"ph":"M","pid":1,"tid":0,"name":"thread_name","args":{"name":"cpu worker 0"}},)"
        "\n"
        R"({"ph":"X","pid":1,"tid":0,"name":"submit","ts":0.000,"dur":1000.000},)"
        "\n"
        R"({"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"gpu \"0\""}},)"
        "\n"
        R"({"ph":"X","pid":1,"tid":1,"name":"finish","ts":500000.000,"dur":0.500},)"
        "\n"
        R"({"ph":"X","pid":1,"tid":0,"name":"wait","ts":1000.000,"dur":1999000.000})"
        "\n]}\n");
  CHECK_THAT(trace_text({{"\xFF", "submit", 0, 1}}), contains("\"name\":\"?\""));
}

TEST_CASE("memory: the second run knows what the first has measured", "[explain]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  const auto machine = [](const std::string& cores) {
    return std::vector<scheduler::identity>{{"cpu", {{"cores", cores}}}, {"gpu 0", {}}};
  };
  const auto here = machine("16");
  task_history first(store, "a task", 1000);
  CHECK_FALSE(first.models(here)[0].known());
  CHECK_FALSE(first.learn({}, {}, 1));
  // A short run stores the CPU's speed. After a very short run, only this process keeps it.
  const auto profile = store.path_of("a task");
  CHECK_FALSE(first.learn(explained_run().executors, here,
                          0.9 * scheduler::measured_thresholds.least_stored_seconds));
  CHECK_FALSE(std::filesystem::exists(profile));
  CHECK(task_history(store, "a task", 2000).models(here)[0].trusted);
  CHECK(first.learn(explained_run().executors, here,
                    0.9 * scheduler::measured_thresholds.least_lesson_seconds));
  CHECK(std::filesystem::exists(profile));
  CHECK(task_history(store, "a task", 2000).models(here)[0].trusted);
  CHECK_FALSE(task_history(store, "a task", 2000).models(here)[1].known());
  CHECK_FALSE(task_history(store, "another task", 2000).models(here)[0].known());
  CHECK(first.learn(explained_run().executors, here, 1));

  const task_history second(store, "a task", 2000);
  CHECK(second.models(here)[0].seconds_per_unit == 0.001);
  CHECK(second.models(here)[0].trusted);
  CHECK_FALSE(second.models(here)[1].known());

  const auto there = machine("8");
  task_history elsewhere(store, "a task", 2000);
  CHECK(elsewhere.models(there)[0].known());
  CHECK_FALSE(elsewhere.models(there)[0].trusted);
  auto slower = explained_run().executors;
  slower[0].seconds_per_unit = 0.0011;
  CHECK(elsewhere.learn(slower, there, 1));
  CHECK(elsewhere.models(there)[0].seconds_per_unit == 0.0011);
  CHECK(elsewhere.models(there)[0].trusted);
  CHECK(task_history(store, "a task", 2000).models(here)[0].seconds_per_unit == 0.001);
}

TEST_CASE("task history: a run that devices made short stores what they were worth, and no speeds",
          "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  const std::vector<scheduler::identity> here{{"cpu", {}}, {"gpu 0", {}}};
  constexpr double is_short = 0.9 * scheduler::measured_thresholds.least_stored_seconds;
  constexpr double pays = scheduler::worth_a_start();
  const std::uint64_t units = explained_run().units;
  task_history one(store, "a task with devices", 1000);
  CHECK_FALSE(one.learn(explained_run().executors, here, is_short, 0.9 * pays));
  CHECK(one.worth(units) == 0);
  CHECK(one.learn(explained_run().executors, here, is_short, 2 * pays));
  CHECK(one.worth(units) == pays);
  // A start may also pay for a run of half the size, but not for a smaller one.
  CHECK(one.worth(units / 2) == pays);
  CHECK(one.worth(units / 2 - 1) == 0);
  // The profile is stored only once.
  CHECK_FALSE(one.learn(explained_run().executors, here, is_short, 3 * pays));
  // The process also knows the CPU's speed, which is not in the file.
  const auto text = scheduler::read_stored(store.file_of("a task with devices"));
  REQUIRE(text);
  const auto stored = scheduler::parse_profile(*text);
  REQUIRE(stored);
  CHECK(stored->worth == pays);
  CHECK(stored->executors.empty());
  CHECK(task_history(store, "a task with devices", 2000).worth(units) == pays);
}

TEST_CASE("task history: a process that gains less halves what devices were worth, if its runs are as large",
          "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  const std::vector<scheduler::identity> here{{"cpu", {}}, {"gpu 0", {}}};
  constexpr double pays = scheduler::worth_a_start();
  const std::uint64_t units = explained_run().units;
  const auto worth_after_a_run = [&](const std::string& task, std::uint64_t worth_units) {
    REQUIRE(store.save({.task = task, .worth = pays, .worth_units = worth_units}, true));
    CHECK(task_history(store, task, 1000).learn(explained_run().executors, here, 1));
    return task_history(store, task, 2000).worth(worth_units);
  };
  CHECK(worth_after_a_run("of unknown size", 0) == pays / 2);
  CHECK(worth_after_a_run("as large", 2 * units) == pays / 2);
  CHECK(worth_after_a_run("smaller", 2 * units + 2) == pays);
}

}  // namespace duomap::test::scheduler_explain_test
