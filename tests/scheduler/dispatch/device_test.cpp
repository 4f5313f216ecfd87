// Devices that fail in real runs, on real threads: the scheduler's half of the contract with them. The faults
// at every moment are in dispatcher/faults_test.cpp, in simulated time.
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/dispatch/run_state.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/support.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_device_test {
namespace {

inline constexpr int not_at_all = -1;

/// When a device fails, counted from 0.
struct device_script {
  int fails_at_start = not_at_all;  // 0: in prepare()
  int hangs_at_start = not_at_all;
  int asked_until_ready = 0;  // how often begin_start() says that the start goes on
  bool is_there = true;
  int fails_at_submit = not_at_all;
  int fails_at_finish = not_at_all;
  int fails_at_commit = not_at_all;
  int full_at_finish = not_at_all;
  int hangs_at_finish = not_at_all;
  int hangs_at_commit = not_at_all;
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  // bytes of open chunks
  std::uint64_t claim = 1000;
};

/// Holds what it has finished until it commits, and loses it when it is lost, as a device does.
class scripted_device final : public executor {
 public:
  explicit scripted_device(device_script does) : does_(does) {}

  [[nodiscard]] std::string name() const override { return "device"; }
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }
  [[nodiscard]] unsigned depth() const noexcept override { return 3; }
  [[nodiscard]] executor_traits traits() const noexcept override {
    return {executor_kind::device, does_.claim};
  }
  [[nodiscard]] bool can_be_abandoned() const noexcept override { return true; }
  void drive(const std::function<void(unsigned)>& body) override { body(0); }

  [[nodiscard]] double start_seconds() const noexcept override {
    return does_.asked_until_ready > 0 || !does_.is_there ? 1e-6 : 0;
  }

  start_progress begin_start() override {
    if (!does_.is_there) return start_progress::none;
    if (does_.asked_until_ready == 0) return start_progress::ready;
    --does_.asked_until_ready;
    return start_progress::going_on;
  }

  void prepare(unsigned) override {
    if (does_.asked_until_ready > 0 || !does_.is_there) throw device_lost("started before it was ready");
    if (does_.hangs_at_start == 0) hang();
    if (does_.fails_at_start == 0) throw device_lost("lost at the start");
  }

  void submit(unsigned, const chunk& part) override {
    if (submits_++ == does_.fails_at_submit) throw device_lost("lost in submit");
    if (part.source == 3) took_block_ = true;
    std::uint64_t open = part.size;
    for (const seen_chunk& each : open_) open += each.text.size();
    if (open > does_.memory) {
      --submits_;
      throw out_of_memory("a chunk finds no memory");
    }
    open_.push_back(see(part));
  }

  bool take_back(unsigned) override {
    open_.pop_back();
    return true;
  }

  chunk_report finish(unsigned) override {
    const int number = finishes_++;
    if (number == does_.hangs_at_finish) hang();
    if (number == does_.fails_at_finish) throw device_lost("lost in finish");
    if (number == does_.full_at_finish) throw out_of_memory("a table finds no memory");
    seen_chunk oldest = std::move(open_.front());
    open_.pop_front();
    const std::uint64_t units = oldest.text.size();
    finished_.push_back(std::move(oldest));
    return {.units = units,
            .copy_seconds = 2,
            .compute_seconds = 1,
            .copy_ended = 1000.0 + number,
            .compute_ended = 2000.0 + number};
  }

  void commit(unsigned) override {
    const int number = commits_;
    if (number == does_.hangs_at_commit) hang();
    if (number == does_.fails_at_commit) throw device_lost("lost in commit");
    const std::lock_guard lock(mutex_);
    if (abandoned_) throw device_lost("timed out");
    for (seen_chunk& each : finished_) committed_.push_back(std::move(each));
    finished_.clear();
    ++commits_;
  }

  std::uint64_t abandon() override {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    return static_cast<std::uint64_t>(commits_);
  }

  /// Lets a call that hangs return.
  void wake_up() {
    const std::lock_guard lock(mutex_);
    awake_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] std::vector<seen_chunk> committed() {
    const std::lock_guard lock(mutex_);
    return committed_;
  }
  /// Of the stream behind the three texts of text_of().
  [[nodiscard]] bool took_block() const { return took_block_; }
  [[nodiscard]] bool abandoned() {
    const std::lock_guard lock(mutex_);
    return abandoned_;
  }

 private:
  void hang() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return awake_; });
  }

  device_script does_;
  int submits_ = 0;
  int finishes_ = 0;
  int commits_ = 0;
  std::deque<seen_chunk> open_;
  std::vector<seen_chunk> finished_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool awake_ = false;
  bool abandoned_ = false;
  std::atomic<bool> took_block_{false};
  std::vector<seen_chunk> committed_;
};

/// Workers whose finished chunks are safe.
class plain_pool final : public executor {
 public:
  explicit plain_pool(unsigned workers) : finished_(workers) {}
  [[nodiscard]] std::string name() const override { return "pool"; }
  [[nodiscard]] unsigned workers() const noexcept override { return static_cast<unsigned>(finished_.size()); }
  [[nodiscard]] unsigned depth() const noexcept override { return 1; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::pool}; }
  void drive(const std::function<void(unsigned)>& body) override {
    threaded_pool(workers()).run_workers(body);
  }
  void submit(unsigned worker, const chunk& part) override { finished_[worker].push_back(see(part)); }
  chunk_report finish(unsigned worker) override { return {.units = finished_[worker].back().text.size()}; }
  void commit(unsigned) override {}

  [[nodiscard]] std::vector<seen_chunk> committed() const {
    std::vector<seen_chunk> all;
    for (const auto& some : finished_) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

 private:
  std::vector<std::vector<seen_chunk>> finished_;
};

/// Beliefs that make a device take most of the work, so that its faults happen.
std::vector<scheduler::executor_model> fast_devices(std::size_t devices, bool with_pool) {
  std::vector<scheduler::executor_model> models(devices, {.seconds_per_unit = 1e-7, .claim_seconds = 1e-6});
  if (with_pool) models.push_back({.seconds_per_unit = 1e-5});
  return models;
}

source_set text_of(std::mt19937& random, std::size_t bytes) {
  source_set sources;
  std::string text(bytes, 'w');
  for (char& c : text) c = random() % 6 == 0 ? ' ' : 'w';
  sources.add_memory(text.substr(0, bytes / 3));
  sources.add_memory("");
  sources.add_memory(text.substr(bytes / 3));
  return sources;
}

/// Runs the devices beside a pool and checks that every byte is committed once.
std::vector<executor_report> check_run(std::mt19937& random,
                                       const std::vector<std::shared_ptr<scripted_device>>& devices,
                                       bool with_stream = false, double hold_back_seconds = 0) {
  source_set sources = text_of(random, 20'000);
  if (with_stream) sources.add_stream(std::string(500, ' '));
  const input from = sources.take();
  const space_boundary records(10);
  plain_pool pool(2);
  std::vector<executor*> all;
  for (const auto& each : devices) all.push_back(each.get());
  all.push_back(&pool);
  run_control control;
  scheduler::chunk_source todo(from, records, {.block_bytes = 100}, &control);
  scheduler::execute_options how{.models = fast_devices(devices.size(), true),
                                 .hold_back_seconds = hold_back_seconds};
  how.late_chunk_seconds = 0.02;
  how.late_commit_seconds = 0.02;
  how.keeps_alive = std::make_shared<std::vector<std::shared_ptr<scripted_device>>>(devices);
  auto reports = scheduler::execute(todo, all, &control, how).executors;

  std::vector<seen_chunk> chunks = pool.committed();
  for (const auto& each : devices) {
    const auto some = each->committed();
    chunks.insert(chunks.end(), some.begin(), some.end());
  }
  require_tiles(chunks, sources.contents(), records);
  CHECK(control.units_done == sources.bytes());
  std::uint64_t units = 0;
  for (const executor_report& each : reports) units += each.units;
  CHECK(units == sources.bytes());
  return reports;
}

}  // namespace

TEST_CASE("devices: one that is lost leaves its work to the others, and the report says so", "[device]") {
  std::mt19937 random(seed());
  const std::vector<device_script> scripts{
      {.fails_at_start = 0},  {.fails_at_submit = 0}, {.fails_at_submit = 3}, {.fails_at_finish = 0},
      {.fails_at_finish = 2}, {.full_at_finish = 1},  {.memory = 0}};
  for (const device_script& script : scripts) {
    for (const bool with_stream : {false, true}) {
      const auto failed = std::make_shared<scripted_device>(script);
      const auto reports = check_run(random, {failed}, with_stream);
      // It may have come too late for any work.
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
    // 20,000 bytes in claims of 1000.
    for (int call = 0; call < 20; ++call) {
      device_script script;
      script.*fault = call;
      const auto device = std::make_shared<scripted_device>(script);
      if (!check_run(random, {device})[0].trouble.empty()) ++faults_met;
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
    // Whatever it does now does not count.
    while (hanging.use_count() > 1) std::this_thread::yield();
    CHECK(hanging->committed().size() == committed);
  }
}

TEST_CASE("devices: one that hangs with blocks of a stream, or in a strict run, ends the run", "[device]") {
  std::mt19937 random(seed());
  for (const bool strict : {false, true}) {
    source_set sources = text_of(random, 20'000);
    // One block, before all grains, for whoever comes first; it is finished, but not committed.
    if (!strict) sources.add_stream(std::string(50, ' '));
    const input from = sources.take();
    const space_boundary records(10);
    const auto hanging = std::make_shared<scripted_device>(device_script{.hangs_at_finish = 1});
    const auto other = std::make_shared<scripted_device>(device_script{});
    executor* const all[] = {hanging.get(), other.get()};
    scheduler::chunk_source todo(from, records, {.block_bytes = 100}, nullptr);
    scheduler::execute_options how{.models = fast_devices(2, false), .strict = strict};
    how.late_chunk_seconds = 0.02;
    how.keeps_alive = std::make_shared<std::vector<std::shared_ptr<scripted_device>>>(
        std::vector<std::shared_ptr<scripted_device>>{hanging, other});
    bool ended_well = true;
    try {
      scheduler::execute(todo, all, nullptr, how);
    } catch (const device_lost& failed) {
      ended_well = false;
      CHECK_THAT(failed.what(), contains("does not answer"));
    }
    // The other one may have been so fast that this one did not get so far.
    const bool is_loss = hanging->abandoned() && (strict || hanging->took_block());
    CHECK(ended_well == !is_loss);
    how.keeps_alive.reset();
    hanging->wake_up();
    while (hanging.use_count() > 1) std::this_thread::yield();
  }
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
  CHECK(units_of(host) == 5000);  // as they were submitted
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
    scheduler::chunk_source todo(from, records, {.block_bytes = 100}, nullptr);
    if (!fails) {
      CHECK_NOTHROW(scheduler::execute(todo, all, nullptr));
      auto chunks = one.committed();
      const auto rest = other.committed();
      chunks.insert(chunks.end(), rest.begin(), rest.end());
      require_tiles(chunks, sources.contents(), records);
    } else {
      try {
        scheduler::execute(todo, all, nullptr);
        CHECK(one.committed().size() <= 3);  // the other one was faster
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
