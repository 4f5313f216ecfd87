// Tests how scheduler/dispatch/execute.cpp copes with devices that fail, on real threads.
// dispatcher/faults_test.cpp tests faults at every moment, in simulated time.
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/dispatch/run_state.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/scripted_device.hpp"
#include "tests/scheduler/support.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_device_test {
TEST_CASE("devices: one that is lost leaves its work to the others, and the report says so", "[device]") {
  std::mt19937 random(seed());
  const std::vector<device_script> scripts{
      {.fails_at_start = 0},  {.fails_at_submit = 0}, {.fails_at_submit = 3}, {.fails_at_finish = 0},
      {.fails_at_finish = 2}, {.full_at_finish = 1},  {.memory = 0}};
  for (const device_script& script : scripts) {
    for (const bool with_stream : {false, true}) {
      const auto failed = std::make_shared<scripted_device>(script);
      const auto reports = check_run(random, {failed}, with_stream);
      // If the pool has done all work before the device starts, the device cannot fail.
      if (reports[0].trouble.empty()) continue;
      CHECK_THAT(reports[0].trouble, contains("the others have done"));
      CHECK(reports[1].trouble.empty());
    }
  }
}

TEST_CASE("devices: a run does not wait for one that others start, nor for one that is not there",
          "[device]") {
  std::mt19937 random(seed());
  constexpr int never = std::numeric_limits<int>::max();
  for (const device_script& script :
       {device_script{.asked_until_ready = 1}, {.asked_until_ready = never}, {.is_there = false}}) {
    for (const bool with_stream : {false, true}) {
      const auto reports = check_run(random, {std::make_shared<scripted_device>(script)}, with_stream);
      CHECK(reports[0].trouble.empty());
      if (script.asked_until_ready == never || !script.is_there) CHECK(reports[0].units == 0);
    }
  }
}

TEST_CASE("devices: pools that are held back are woken only when they are needed", "[device]") {
  std::mt19937 random(seed());
  const auto pool_was_woken = [](const std::vector<executor_report>& reports) {
    return reports.back().busy_seconds + reports.back().wait_seconds > 0;
  };
  constexpr double long_time = 60;
  const auto begin = std::chrono::steady_clock::now();
  SECTION("not when devices do all") {
    const auto reports =
        check_run(random, {std::make_shared<scripted_device>(device_script{})}, false, long_time);
    CHECK_FALSE(pool_was_woken(reports));
    CHECK(reports.back().workers == 2);
    CHECK_THAT(reports.back().reason, contains("held back"));
  }
  SECTION("for streams") {
    const auto device = std::make_shared<scripted_device>(device_script{});
    CHECK(pool_was_woken(check_run(random, {device}, true, long_time)));
    CHECK_FALSE(device->took_block());
  }
  SECTION("when a device is lost, or cannot go on") {
    for (const device_script& script :
         {device_script{.fails_at_finish = 2}, {.fails_at_commit = 0}, {.fails_at_start = 0}, {.memory = 0}})
      CHECK(pool_was_woken(check_run(random, {std::make_shared<scripted_device>(script)}, false, long_time)));
  }
  SECTION("when one does not answer, or not in time") {
    for (const double hold_back_seconds : {long_time, 1e-3}) {
      const auto hanging = std::make_shared<scripted_device>(device_script{.hangs_at_finish = 2});
      CHECK(pool_was_woken(check_run(random, {hanging}, false, hold_back_seconds)));
      hanging->wake_up();
      while (hanging.use_count() > 1) std::this_thread::yield();
    }
  }
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < long_time / 2);
}

TEST_CASE("devices: whichever call fails or hangs, every byte counts once", "[device]") {
  std::mt19937 random(seed());
  const std::vector<int device_script::*> faults{
      &device_script::fails_at_start,  &device_script::hangs_at_start, &device_script::fails_at_submit,
      &device_script::fails_at_finish, &device_script::full_at_finish, &device_script::hangs_at_finish,
      &device_script::fails_at_commit, &device_script::hangs_at_commit};
  unsigned faults_met = 0;
  for (int device_script::*const fault : faults) {
    // A claim has 1000 of the 20,000 bytes. In half of the runs the pool is held back, because it may
    // otherwise finish before the device fails.
    for (int call = 0; call < 20; ++call) {
      device_script script;
      script.*fault = call;
      const auto device = std::make_shared<scripted_device>(script);
      const double hold_back_seconds = call % 2 == 0 ? 60 : 0;
      if (!check_run(random, {device}, false, hold_back_seconds)[0].trouble.empty()) ++faults_met;
      device->wake_up();
      while (device.use_count() > 1) std::this_thread::yield();
    }
  }
  CHECK(faults_met > 10);
}

TEST_CASE("devices: what was committed before a loss is not done again", "[device]") {
  std::mt19937 random(seed());
  for (const int commit : {0, 1}) {
    check_run(random, {std::make_shared<scripted_device>(device_script{.fails_at_commit = commit})});
  }
}

TEST_CASE("devices: little memory makes chunks small", "[device]") {
  std::mt19937 random(seed());
  for (const std::uint64_t memory : {40U, 100U, 1000U})
    check_run(random, {std::make_shared<scripted_device>(device_script{.memory = memory})});
}

TEST_CASE("devices: one that hangs times out, and its thread outlives the run", "[device]") {
  std::mt19937 random(seed());
  const std::vector<device_script> scripts{
      {.hangs_at_start = 0}, {.hangs_at_finish = 0}, {.hangs_at_finish = 2}, {.hangs_at_commit = 0}};
  for (const device_script& script : scripts) {
    const auto hanging = std::make_shared<scripted_device>(script);
    const auto reports = check_run(random, {hanging});
    if (hanging->abandoned()) CHECK_THAT(reports[0].trouble, contains("did not answer"));
    const auto committed = hanging->committed().size();
    hanging->wake_up();
    // After the run, nothing that the device commits counts.
    while (hanging.use_count() > 1) std::this_thread::yield();
    CHECK(hanging->committed().size() == committed);
  }
}

namespace {

/// Runs a device that hangs beside another device. Returns whether losing it ended the run.
bool ends_by_loss(const input& from, const std::shared_ptr<scripted_device>& hanging, bool strict = false) {
  const space_boundary records(10);
  const auto other = std::make_shared<scripted_device>(device_script{});
  executor* const all[] = {hanging.get(), other.get()};
  scheduler::chunk_source todo(from, records, {.block_bytes = 100}, nullptr);
  scheduler::execute_options how{.models = fast_devices(2, false), .strict = strict};
  how.late_chunk_seconds = how.late_commit_seconds = 0.02;
  how.keeps_alive = std::make_shared<std::vector<std::shared_ptr<scripted_device>>>(
      std::vector<std::shared_ptr<scripted_device>>{hanging, other});
  bool lost = false;
  try {
    scheduler::execute(todo, all, nullptr, how);
  } catch (const device_lost& failed) {
    lost = true;
    CHECK_THAT(failed.what(), contains("does not answer"));
  }
  how.keeps_alive.reset();
  hanging->wake_up();
  while (hanging.use_count() > 1) std::this_thread::yield();
  return lost;
}

}  // namespace

TEST_CASE("devices: one that hangs with blocks of a stream, or in a strict run, ends the run", "[device]") {
  std::mt19937 random(seed());
  for (const bool strict : {false, true}) {
    source_set sources = text_of(random, 20'000);
    // The first executor gets the stream's only block before any grains. It finishes the block, then hangs in
    // its next chunk before it commits. Nobody can read the block again.
    if (!strict) sources.add_stream(std::string(50, ' '));
    const input from = sources.take();
    const auto hanging = std::make_shared<scripted_device>(device_script{.hangs_at_finish = 1});
    const bool lost = ends_by_loss(from, hanging, strict);
    // The other device may be so fast that this device never gets the block.
    CHECK(lost == (hanging->abandoned() && (strict || hanging->took_block())));
  }
}

TEST_CASE("devices: one that hangs in a block of a stream ends the run", "[device]") {
  bool met = false;
  // The other device may be so fast that this device never gets a block.
  for (int call = 0; call < 200 && !met; ++call) {
    source_set sources;
    sources.add_stream(std::string(20'000, ' '));
    const input from = sources.take();
    const auto hanging = std::make_shared<scripted_device>(device_script{.hangs_at_finish = 0});
    const bool lost = ends_by_loss(from, hanging);
    met = hanging->abandoned();
    CHECK(lost == met);
  }
  CHECK(met);
}

TEST_CASE("devices: without somebody to keep it alive none times out", "[device]") {
  source_set sources;
  sources.add_memory("some words");
  const input from = sources.take();
  const space_boundary records(10);
  const scheduler::chunk_source todo(from, records, {}, nullptr);
  const auto device = std::make_shared<scripted_device>(device_script{});
  executor* const all[] = {device.get()};
  CHECK_FALSE(scheduler::executor_configs_of(todo, all, {})[0].can_time_out);
  CHECK(scheduler::executor_configs_of(todo, all, {.keeps_alive = device})[0].can_time_out);
}

TEST_CASE("devices: their copies and kernels have lanes of their own", "[device]") {
  source_set sources;
  sources.add_memory(std::string(5000, ' '));
  const input from = sources.take();
  const space_boundary records(10);
  scripted_device device({});
  executor* const all[] = {&device};
  scheduler::chunk_source todo(from, records, {}, nullptr);
  const auto begin = std::chrono::steady_clock::now().time_since_epoch();
  const auto done = scheduler::execute(todo, all, nullptr, {.timeline = true});
  CHECK(done.events_dropped == 0);
  const auto of = [&](const std::string& lane) {
    std::vector<timeline_event> some;
    std::copy_if(done.timeline.begin(), done.timeline.end(), std::back_inserter(some),
                 [&](const timeline_event& one) { return one.lane == lane; });
    return some;
  };
  const auto host = of("device");
  const auto copies = of("device copies");
  const auto kernels = of("device kernels");
  CHECK(done.executors[0].chunks == copies.size());
  REQUIRE(copies.size() == kernels.size());
  REQUIRE(!copies.empty());
  CHECK(host.size() > copies.size());
  CHECK(host.size() + 2 * copies.size() == done.timeline.size());
  const double run_began = 1000 - copies[0].end;
  CHECK(run_began >= std::chrono::duration<double>(begin).count());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    CHECK(copies[i].end - copies[i].begin == Approx(2));
    CHECK(kernels[i].end - kernels[i].begin == Approx(1));
    CHECK(copies[i].end == Approx(copies[0].end + static_cast<double>(i)));
    CHECK(kernels[i].end == Approx(copies[i].end + 1000));
    CHECK(copies[i].units == kernels[i].units);
  }
  const auto units_of = [](const std::vector<timeline_event>& events) {
    std::uint64_t sum = 0;
    for (const timeline_event& one : events) sum += one.units;
    return sum;
  };
  CHECK(units_of(kernels) == 5000);
  CHECK(units_of(host) == 5000);  // the units of the submitted chunks
  CHECK(scheduler::execute(todo, {}, nullptr).timeline.empty());
}

TEST_CASE("devices: alone, or in a strict run, a loss is an error", "[device]") {
  std::mt19937 random(seed());
  for (const bool strict : {false, true}) {
    source_set sources = text_of(random, 20'000);
    const input from = sources.take();
    const space_boundary records(10);
    scripted_device failed({.fails_at_finish = 1});
    plain_pool pool(1);
    std::vector<executor*> all{&failed};
    if (strict) all.push_back(&pool);
    scheduler::chunk_source todo(from, records, {}, nullptr);
    scheduler::execute_options how{.models = {{.seconds_per_unit = 1e-7}, {.seconds_per_unit = 1}},
                                   .strict = strict};
    CHECK_THROWS_AS(scheduler::execute(todo, all, nullptr, how), device_lost);
  }
  source_set sources = text_of(random, 1000);
  const input from = sources.take();
  const space_boundary records(10);
  scripted_device full({.memory = 0});
  executor* const all[] = {&full};
  scheduler::chunk_source todo(from, records, {}, nullptr);
  CHECK_THROWS_AS(scheduler::execute(todo, all, nullptr), out_of_memory);
}

TEST_CASE("devices: alone they read streams, which are lost with them", "[device]") {
  source_set sources;
  sources.add_stream(std::string(5000, ' '));
  const input from = sources.take();
  const space_boundary records(10);
  for (const bool fails : {false, true}) {
    scripted_device one({.fails_at_finish = fails ? 3 : not_at_all});
    scripted_device other({.claim = 500});
    executor* const all[] = {&one, &other};
    scheduler::chunk_source todo(from, records, {.block_bytes = 100, .readers = 2}, nullptr);
    if (!fails) {
      CHECK_NOTHROW(scheduler::execute(todo, all, nullptr));
      auto chunks = one.committed();
      const auto rest = other.committed();
      chunks.insert(chunks.end(), rest.begin(), rest.end());
      require_tiles(chunks, sources.contents(), records);
    } else {
      try {
        scheduler::execute(todo, all, nullptr);
        CHECK(one.committed().size() <= 3);  // the other device has done the rest
      } catch (const device_lost&) {
      }
    }
  }
}

TEST_CASE("devices: hundreds of runs with random faults on threads", "[device]") {
  std::mt19937 random(seed());
  const auto maybe = [&] {
    return random() % 4 == 0 ? static_cast<int>(random() % 12) : not_at_all;
  };
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::vector<std::shared_ptr<scripted_device>> devices;
    for (std::size_t count = 1 + random() % 3; count > 0; --count) {
      device_script script{.fails_at_start = random() % 10 == 0 ? 0 : not_at_all,
                           .fails_at_submit = maybe(),
                           .fails_at_finish = maybe(),
                           .fails_at_commit = random() % 8 == 0 ? 0 : not_at_all,
                           .full_at_finish = maybe(),
                           .claim = 1 + random() % 3000};
      if (random() % 4 == 0) script.memory = random() % 500;
      if (round % 30 == 0) script.hangs_at_finish = static_cast<int>(random() % 5);
      devices.push_back(std::make_shared<scripted_device>(script));
    }
    check_run(random, devices, random() % 3 == 0, random() % 2 == 0 ? 0 : 1e-3);
    for (const auto& each : devices) each->wake_up();
    for (const auto& each : devices) {
      while (each.use_count() > 1) std::this_thread::yield();
    }
  }
}

}  // namespace duomap::test::scheduler_device_test
