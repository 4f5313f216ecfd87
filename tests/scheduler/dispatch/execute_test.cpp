// Tests execute() with scripted executors: the scheduler's promises to them, and how runs end if they fail.
#include "scheduler/dispatch/execute.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/scheduler/dispatch/scripted_executor.hpp"
#include "tests/scheduler/support.hpp"
#include "tests/support/threaded_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::scheduler_execute_test {

using scheduler::chunk_source;
using scheduler::chunk_source_options;
using scheduler::execute;
using test::contains;
using test::seen_chunk;
using test::source_set;
using test::space_boundary;

TEST_CASE("every chunk is submitted and finished once, by executors of every depth", "[execute]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    for (unsigned depth = 1; depth <= 4; ++depth) {
      source_set sources;
      sources.add_random(random, 15, 400);
      const input from = sources.take();
      const space_boundary records(1 + random() % 30);
      const unsigned workers = 1 + static_cast<unsigned>(random() % 3);
      CAPTURE(round, depth, workers, records.grain());
      scripted_executor one({.workers = workers, .depth = depth});
      executor* const all[] = {&one};
      chunk_source todo(from, records, chunk_source_options{.block_bytes = 1 + random() % 100}, nullptr);
      const auto reports = execute(todo, all, nullptr).executors;

      CHECK(one.complaints() == "");
      test::require_tiles(one.finished(), sources.contents(), records);
      CHECK(one.submits == one.finishes);
      CHECK(one.commits == static_cast<int>(workers));
      REQUIRE(reports.size() == 1);
      CHECK(reports[0].name == "scripted");
      CHECK(reports[0].workers == workers);
      CHECK(reports[0].units == sources.bytes());
      CHECK(reports[0].chunks == static_cast<std::uint64_t>(one.finishes));
      CHECK(reports[0].busy_seconds >= 0);
    }
  }
}

// A claim may cover several small sources. While one of their chunks is open, the rest of the claim must not
// get lost.
TEST_CASE("claims over many small sources are worked off by deep executors", "[execute]") {
  for (unsigned depth = 1; depth <= 6; ++depth) {
    for (int count = 0; count <= 40; ++count) {
      CAPTURE(depth, count);
      source_set sources;
      for (int i = 0; i < count; ++i)
        sources.add_memory("a " + std::string(static_cast<std::size_t>(i % 3), 'b'));
      const input from = sources.take();
      const space_boundary records(100);
      scripted_executor one({.depth = depth});
      executor* const all[] = {&one};
      chunk_source todo(from, records, chunk_source_options{}, nullptr);
      execute(todo, all, nullptr);
      test::require_tiles(one.finished(), sources.contents(), records);
    }
  }
}

TEST_CASE("several executors share the work", "[execute]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 10; ++round) {
    source_set sources;
    sources.add_random(random, 10, 4000);
    sources.add_memory(std::string(20'000, ' '));
    const input from = sources.take();
    const space_boundary records(20);
    scripted_executor cores({.workers = 3});
    scripted_executor device({.depth = 3, .on_finish = nap});
    scripted_executor slow({.depth = 2, .on_submit = nap, .on_finish = nap});
    executor* const all[] = {&cores, &device, &slow};
    run_control control;
    chunk_source todo(from, records, chunk_source_options{.block_bytes = 100}, &control);
    const auto reports = execute(todo, all, &control).executors;

    std::vector<seen_chunk> chunks;
    REQUIRE(reports.size() == 3);
    std::size_t i = 0;
    for (const scripted_executor* each : {&cores, &device, &slow}) {
      CHECK(each->complaints() == "");
      CHECK(each->drives == 1);
      CHECK(each->commits == static_cast<int>(each->workers()));
      CHECK(reports[i].chunks == static_cast<std::uint64_t>(each->finishes));
      CHECK(reports[i].units == each->units());
      CHECK(reports[i].workers == each->workers());
      ++i;
      const auto finished = each->finished();
      chunks.insert(chunks.end(), finished.begin(), finished.end());
    }
    test::require_tiles(chunks, sources.contents(), records);
    CHECK(control.units_done == sources.bytes());
    CHECK(control.units_total == todo.known_units());
  }
}

TEST_CASE("progress counts finished units, and all of them when they are known", "[execute]") {
  source_set sources;
  sources.add_memory(std::string(1000, ' '));
  sources.add_memory("");
  const input from = sources.take();
  const space_boundary records(10);
  run_control control;
  std::atomic<bool> never_too_many = true;
  scripted_executor one({.workers = 2, .depth = 2, .on_finish = [&](int) {
                           if (control.units_total != 1000 || control.units_done > 1000)
                             never_too_many = false;
                         }});
  executor* const all[] = {&one};
  chunk_source todo(from, records, chunk_source_options{}, &control);
  execute(todo, all, &control);
  CHECK(never_too_many);
  CHECK(control.units_total == 1000);
  CHECK(control.units_done == 1000);
  // A second run with the same control adds to the count.
  scripted_executor other({.workers = 1, .depth = 1});
  executor* const again[] = {&other};
  chunk_source more(from, records, chunk_source_options{}, &control);
  execute(more, again, &control);
  CHECK(control.units_total == 2000);
  CHECK(control.units_done == 2000);
}

TEST_CASE("without work every worker commits all the same", "[execute]") {
  const input from;
  const space_boundary records(10);
  scripted_executor first({.workers = 2, .depth = 2});
  scripted_executor second({});
  executor* const all[] = {&first, &second};
  chunk_source todo(from, records, chunk_source_options{}, nullptr);
  const auto reports = execute(todo, all, nullptr).executors;
  CHECK(first.commits == 2);
  CHECK(second.commits == 1);
  CHECK(first.submits + second.submits == 0);
  CHECK(reports.size() == 2);
  CHECK(execute(todo, {}, nullptr).executors.empty());
}

TEST_CASE("what a worker throws ends the run for all, and comes out of it", "[execute]") {
  for (const bool streamed : {false, true}) {
    for (const int call : {1, 2, 7}) {
      for (const std::string where : {"submit", "finish", "commit"}) {
        for (const std::size_t thrower : {0U, 1U}) {
          CAPTURE(streamed, call, where, thrower);
          source_set sources;
          for (int i = 0; i < 3; ++i) {
            if (streamed) {
              sources.add_stream(std::string(3000, ' '));
            } else {
              sources.add_memory(std::string(3000, ' '));
            }
          }
          const input from = sources.take();
          const space_boundary records(10);
          std::atomic<bool> failed = false;
          script failing{.workers = 2, .depth = 2};
          if (where == "submit") failing.on_submit = throw_at(call, failed);
          if (where == "finish") failing.on_finish = throw_at(call, failed);
          // A worker commits only once, after all work.
          if (where == "commit") failing.on_commit = throw_at(call == 1 ? 1 : 2, failed);
          const script fine{.workers = 2, .depth = 2, .on_finish = wait_for(failed)};
          scripted_executor first(thrower == 0 ? failing : fine);
          scripted_executor second(thrower == 1 ? failing : fine);
          executor* const all[] = {&first, &second};
          chunk_source todo(from, records, chunk_source_options{.most_grains = 1, .block_bytes = 10},
                            nullptr);
          CHECK_THROWS_WITH(execute(todo, all, nullptr), contains("it failed"));
          CHECK(first.complaints() == "");
          CHECK(second.complaints() == "");
          chunk_source::taker late;
          CHECK_FALSE(todo.next_block(late, true));
          CHECK(todo.stopped());
        }
      }
    }
  }
}

TEST_CASE("the others stop after a failure", "[execute]") {
  // The other executor waits until the first has failed. So much work is left, and it must stop early.
  source_set sources;
  sources.add_memory(std::string(4000, ' '));
  const input from = sources.take();
  const space_boundary records(1);
  std::atomic<bool> failed = false;
  scripted_executor failing({.on_finish = throw_at(1, failed)});
  scripted_executor other({.workers = 2, .depth = 3, .on_finish = wait_for(failed)});
  executor* const all[] = {&failing, &other};
  chunk_source todo(from, records, chunk_source_options{.most_grains = 1}, nullptr);
  CHECK_THROWS_WITH(execute(todo, all, nullptr), contains("it failed"));
  CHECK(other.finishes < 2000);
  CHECK(other.complaints() == "");
}

TEST_CASE("an executor that cannot even start ends the run for all", "[execute]") {
  for (const std::size_t broken : {0U, 1U}) {
    source_set sources;
    sources.add_memory(std::string(4000, ' '));
    const input from = sources.take();
    const space_boundary records(1);
    std::atomic<bool> failed = false;
    const script failing{.on_drive = [&] {
      failed = true;
      throw device_unavailable("no such device");
    }};
    const script fine{.on_finish = wait_for(failed)};
    scripted_executor first(broken == 0 ? failing : fine);
    scripted_executor second(broken == 1 ? failing : fine);
    executor* const all[] = {&first, &second};
    chunk_source todo(from, records, chunk_source_options{.most_grains = 1}, nullptr);
    CHECK_THROWS_AS(execute(todo, all, nullptr), device_unavailable);
    CHECK(first.finishes + second.finishes < 2000);
  }
}

TEST_CASE("an unreadable stream and a cancelled run come out as what they are", "[execute]") {
  const space_boundary records(10);
  {
    source_set sources;
    sources.add_stream(std::string(300, ' '));
    sources.add_broken_stream(std::string(300, ' '));
    const input from = sources.take();
    scripted_executor first({.workers = 3, .depth = 2});
    scripted_executor second({.depth = 3});
    executor* const all[] = {&first, &second};
    chunk_source todo(from, records, chunk_source_options{.block_bytes = 10}, nullptr);
    CHECK_THROWS_AS(execute(todo, all, nullptr), input_error);
  }
  source_set sources;
  sources.add_memory(std::string(3000, ' '));
  sources.add_stream(std::string(3000, ' '));
  const input from = sources.take();
  run_control control;
  // Both executors may cancel, because one may do all work before the other begins.
  const auto cancel = [&](int number) {
    if (number == 5) control.cancelled = true;
  };
  scripted_executor first({.workers = 3, .depth = 2, .on_finish = cancel});
  scripted_executor second({.depth = 3, .on_finish = cancel});
  executor* const all[] = {&first, &second};
  chunk_source todo(from, records, chunk_source_options{.most_grains = 1, .block_bytes = 10}, &control);
  CHECK_THROWS_AS(execute(todo, all, &control), interrupted);
  CHECK(control.units_done < 6000);
}

}  // namespace duomap::test::scheduler_execute_test
