// The steps of an iterative job with scripted devices: they map what they hold on the host, say how long that
// took, and fail when they are told to.
#include "scheduler/iterative/iteration.hpp"

#include "core/result.hpp"
#include "cpu/cpu_backend.hpp"
#include "duomap.hpp"
#include "scheduler/report/explain.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/dense_tasks.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_iteration_test {
namespace {

using scheduler::iteration;
using scheduler::iteration_parts;

/// Simulated time, which only executors pass.
struct simulated_clock {
  double now = 0;
};

const std::uint64_t grain_units = rows<std::int32_t>{}.grain();

/// Seconds for a unit, told for grains of 64 KiB, whatever they are in this build.
double per_unit(double seconds) { return seconds * 65536 / static_cast<double>(grain_units); }

/// How a device behaves.
struct script {
  double fixed = 10e-6;
  double seconds_per_unit = per_unit(1e-9);
  double start_seconds = 0;
  std::uint64_t most_bytes = ~std::uint64_t{0};  // that it says it has
  std::uint64_t real_bytes = ~std::uint64_t{0};  // that it has
  std::optional<unsigned> fails_at_step = {};    // fails in finish(); with `at_begin` in begin()
  bool at_begin = false;
  bool fails_at_start = false;
  std::optional<unsigned> fails_at_hold = {};
  std::optional<unsigned> bad_at_step = {};  // begin() throws what is nobody's loss
  std::function<void()> while_held = {};     // called in hold()
  // What it was asked for.
  int open = 0;  // begun and not finished
  std::uint64_t copied = 0;
  unsigned steps = 0;
  unsigned holds = 0;
};

/// Keeps a copy of its part, as a device does, so that it notices when it is not given what has changed.
template <map_reduce_task Task>
class scripted_loop final : public resident_loop<Task> {
 public:
  scripted_loop(script& how, simulated_clock& time) : how_(how), time_(time) {}

  std::uint64_t most_bytes() override { return how_.most_bytes; }

  std::uint64_t hold(const chunk& part) override {
    if (how_.while_held) how_.while_held();
    if (how_.fails_at_hold == how_.holds++) throw device_lost("scripted");
    part_ = part;
    if (part.data == nullptr) return 0;
    if (part.size > how_.real_bytes) throw out_of_memory("scripted");
    bytes_.assign(part.data, part.size);
    bytes_.append(read_padding, '\0');
    const std::uint64_t missing =
        part.offset == held_.offset ? part.size - std::min(part.size, held_.size) : part.size;
    if (missing > 0) held_ = part;
    how_.copied += missing;
    return missing;
  }

  void begin(const Task& task, bool /*timed*/) override {
    if (how_.at_begin && how_.fails_at_step == how_.steps) throw device_lost("scripted");
    if (how_.bad_at_step == how_.steps) throw std::logic_error("scripted");
    ++how_.open;
    task_ = task;
    begun_ = time_.now;
  }

  resident_step<Task> finish() override {
    --how_.open;
    if (how_.fails_at_step == how_.steps++) throw device_lost("scripted");
    const double seconds = how_.fixed + how_.seconds_per_unit * static_cast<double>(part_.size);
    time_.now = std::max(time_.now, begun_ + seconds);
    sequential here;
    cpu::cpu_backend<Task> map(*task_, here);
    chunk mine = part_;
    if (mine.data != nullptr) mine.data = bytes_.data();
    map.submit(0, mine);
    return {map.release_partial(here), seconds};
  }

 private:
  script& how_;
  simulated_clock& time_;
  std::string bytes_;
  chunk part_;
  chunk held_;
  std::optional<Task> task_;
  double begun_ = 0;
};

/// The CPU's backend, which takes simulated time.
template <map_reduce_task Task>
class timed_pool final : public backend<Task> {
 public:
  timed_pool(const Task& task, worker_pool& on, double seconds_per_unit, simulated_clock& time)
    : workers_(task, on), seconds_per_unit_(seconds_per_unit), time_(time) {}
  std::string name() const override { return "cpu"; }
  unsigned workers() const noexcept override { return workers_.workers(); }
  unsigned depth() const noexcept override { return 1; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::pool}; }
  void drive(const std::function<void(unsigned)>& body) override {
    workers_.drive(body);
    time_.now += seconds_per_unit_ * static_cast<double>(units_.load());
  }
  void submit(unsigned worker, const chunk& part) override {
    units_ += part.size;
    workers_.submit(worker, part);
  }
  chunk_report finish(unsigned worker) override { return workers_.finish(worker); }
  void commit(unsigned /*worker*/) override {}
  partial_for<Task> release_partial(worker_pool& pool) override { return workers_.release_partial(pool); }

 private:
  cpu::cpu_backend<Task> workers_;
  double seconds_per_unit_;
  simulated_clock& time_;
  std::atomic<std::uint64_t> units_{0};
};

/// A job over numbers, with scripted devices.
template <map_reduce_task Task = nearest_centre>
struct scripted_job {
  explicit scripted_job(std::uint64_t rows) : numbers(rows) {
    std::mt19937_64 random(seed());
    for (auto& number : numbers) number = static_cast<std::int32_t>(random());
    for (auto& centre : centres) centre = static_cast<std::int32_t>(random());
    from = view_input({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int32_t)});
  }

  iteration<Task>& start(const iterative_options& options = {}) {
    iteration_parts<Task> parts;
    if (pool_seconds_per_unit > 0) {
      parts.make_pool = [this](const Task& with, worker_pool& on) {
        return std::make_unique<timed_pool<Task>>(with, on, pool_seconds_per_unit, time);
      };
    }
    parts.find_devices = [this](std::vector<std::string>&) {
      std::vector<scheduler::resident_device<Task>> all;
      for (script& one : devices) {
        all.push_back({"gpu " + std::to_string(all.size()), [this, &one](const Task&) {
                         if (one.fails_at_start) throw device_lost("scripted");
                         time.now += one.start_seconds;
                         return std::make_unique<scripted_loop<Task>>(one, time);
                       }});
      }
      return all;
    };
    parts.start_at_once = start_at_once;
    parts.start_seconds = 0.25;
    parts.copy_bytes_per_second = 20e9;
    parts.clock = [this] {
      return time.now;
    };
    job.emplace(task(), from, std::move(parts), workers, options);
    return *job;
  }

  [[nodiscard]] Task task() const { return {.centres = {centres.data(), centres.size()}}; }

  /// One step with new centres, compared with a plain run.
  void step() {
    for (auto& centre : centres) centre = centre * 3 / 2 % 2'000'000'000 + 1;
    sequential here;
    const auto found = make_result(task(), job->step(task()), here);
    const auto expected = run(task(), from, here, {.device = device_choice::cpu});
    REQUIRE(found.size() == expected.size());
    for (std::uint64_t key = 0; key < found.size(); ++key) REQUIRE(found[key] == expected[key]);
  }
  void steps(unsigned count) {
    for (unsigned i = 0; i < count; ++i) step();
  }

  std::vector<std::int32_t> numbers;
  std::vector<std::int64_t> centres = std::vector<std::int64_t>(9);
  input from;
  std::vector<script> devices;
  double pool_seconds_per_unit = per_unit(4e-9);
  bool start_at_once = true;
  simulated_clock time;
  threaded_pool workers{2};
  std::optional<iteration<Task>> job;
};

// 20 grains and a half.
const std::uint64_t some_rows = 41 * grain_units / 8;

}  // namespace

TEST_CASE("iteration: steps give what runs give, and the split is corrected", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(1);
  job.start();
  job.steps(30);
  const iterative_report told = job.job->report();
  CHECK(told.steps == 30);
  CHECK(told.units == some_rows * 4);
  REQUIRE(told.parts.size() == 2);
  CHECK(told.parts[0].name == "cpu");
  CHECK(told.parts[1].share > 0.7);
  CHECK(told.parts[1].share < 0.9);
  CHECK(told.parts[1].moved_bytes == job.devices[0].copied);
  // What the device once held is not brought again.
  CHECK(told.parts[1].moved_bytes <= told.units);
  CHECK(told.planned_seconds > 0);
  CHECK_FALSE(told.degraded);
}

TEST_CASE("iteration: a device that cannot help gets nothing, and the report says why", "[iteration]") {
  for (const bool slow_device : {true, false}) {
    scripted_job job(some_rows);
    job.devices.resize(1);
    (slow_device ? job.devices[0].seconds_per_unit : job.pool_seconds_per_unit) = per_unit(1e-6);
    job.start();
    job.steps(20);
    const iterative_report told = job.job->report();
    CHECK(told.parts[slow_device ? 1 : 0].share == 0);
    CHECK(told.parts[slow_device ? 1 : 0].reason == "it would make a step less than 2 % shorter");
    CHECK(told.parts[slow_device ? 0 : 1].share == 1);
  }
}

TEST_CASE("iteration: it explains its split in words", "[iteration]") {
  iterative_report told{
      .units = 1000, .steps = 7, .seconds = 0.25, .step_seconds = 0.03125, .split_changes = 2};
  told.degraded = true;
  told.parts.push_back({.name = "cpu", .planned_share = 0.25, .share = 0.5, .steps = 7});
  told.parts.push_back({.name = "gpu 0",
                        .planned_share = 0.75,
                        .reason = "it has failed",
                        .steps = 1,
                        .moved_bytes = 750,
                        .moves = 1,
                        .move_seconds = 0.5,
                        .trouble = "gpu 0 takes no part any more: scripted"});
  CHECK(
      scheduler::explain(told) ==
      std::vector<std::string>{
          "7 steps over 1000 units in 0.25 s, the last in 0.03125 s; the split changed 2 times",
          "cpu: planned 25.0 %, has 50.0 %, took part in 7 steps",
          "gpu 0: planned 75.0 %, has nothing: it has failed, took part in 1 step, got 750 bytes in 1 move, "
          "0.5 s; "
          "gpu 0 takes no part any more: scripted",
          "degraded: a device stopped; the results are complete"});
}

TEST_CASE("iteration: a device is not looked for while steps without it are cheap", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(1);
  job.start_at_once = false;
  job.pool_seconds_per_unit = per_unit(1e-9);  // 1.3 ms a step; starting a device takes 250
  job.start();
  job.steps(20);
  CHECK(job.job->report().parts.size() == 1);
  job.pool_seconds_per_unit = per_unit(1e-7);
  job.steps(3);
  CHECK(job.job->report().parts.size() == 2);
  CHECK(job.devices[0].steps > 0);
}

TEST_CASE("iteration: the split by hand moves the boundary, also back", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(3);
  job.start();
  for (const double share : {0.5, 0.9, 0.1, 0.0, 1.0, 0.3}) {
    CAPTURE(share);
    job.job->split_by_hand(share);
    job.steps(2);
    double devices = 0;
    for (std::size_t i = 1; i < 4; ++i) devices += job.job->report().parts[i].share;
    CHECK(devices == Approx(share).margin(0.08));
  }
  CHECK_THROWS_AS(job.job->split_by_hand(1.5), usage_error);
}

TEST_CASE("iteration: a lost device's part is done in the same step", "[iteration]") {
  for (const bool at_begin : {false, true}) {
    for (const unsigned when : {0u, 1u, 7u}) {
      CAPTURE(at_begin, when);
      scripted_job job(some_rows);
      job.devices.resize(2);
      job.devices[0].fails_at_step = when;
      job.devices[0].at_begin = at_begin;
      job.start();
      job.steps(12);
      const iterative_report told = job.job->report();
      CHECK(told.degraded);
      CHECK(told.parts[1].share == 0);
      CHECK_THAT(told.parts[1].trouble, contains("gpu 0 takes no part any more: scripted"));
      CHECK(told.parts[2].share > 0);
    }
  }
}

TEST_CASE("iteration: a device lost while it starts or is given its part", "[iteration]") {
  for (const bool at_start : {true, false}) {
    scripted_job job(some_rows);
    job.devices.resize(1);
    job.devices[0].fails_at_start = at_start;
    if (!at_start) job.devices[0].fails_at_hold = 0;
    job.start();
    job.steps(4);
    CHECK(job.job->report().degraded);
    CHECK(job.job->report().parts[0].share == 1);
  }
}

TEST_CASE("iteration: devices get their parts of the data at the same time", "[iteration]") {
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = 0;
  job.devices.resize(3);
  std::mutex mutex;
  std::condition_variable changed;
  unsigned waiting = 0;
  bool met = true;
  for (script& one : job.devices) {
    // Until all devices are being given something. The limit is for a failure only.
    one.while_held = [&] {
      std::unique_lock lock(mutex);
      ++waiting;
      changed.notify_all();
      met = changed.wait_for(lock, std::chrono::seconds(60), [&] { return waiting >= 3 || !met; }) && met;
    };
  }
  job.start();
  job.step();
  CHECK(met);
  for (script& one : job.devices) {
    CHECK(one.holds == 1);
    one.while_held = {};
  }
  job.steps(4);
}

TEST_CASE("iteration: of devices that get parts at the same time two fail, each in its way", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(3);
  job.devices[0].fails_at_hold = 0;
  job.devices[1].real_bytes = some_rows * 4 / 16;
  job.start();
  job.steps(8);
  const iterative_report told = job.job->report();
  CHECK(told.degraded);
  CHECK(told.parts[1].share == 0);
  CHECK(told.parts[2].share <= 1.0 / 16);
  CHECK(told.parts[3].share > 0.3);
}

TEST_CASE("iteration: without a CPU another device does it, and the last loss is thrown", "[iteration]") {
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = 0;
  job.devices.resize(2);
  job.devices[0].fails_at_step = 3;
  job.devices[1].fails_at_step = 9;
  job.start();
  CHECK_THROWS_WITH(job.steps(20), contains("scripted"));
  CHECK(job.job->report().steps > 3);
  CHECK_THROWS_AS(job.step(), device_lost);
}

TEST_CASE("iteration: a strict job ends with its first device", "[iteration]") {
  for (const bool at_begin : {false, true}) {
    scripted_job job(some_rows);
    job.devices.resize(2);
    job.devices[1].fails_at_step = 2;
    job.devices[1].at_begin = at_begin;
    job.start({.strict = true});
    job.steps(2);
    CHECK_THROWS_AS(job.step(), device_lost);
  }
}

TEST_CASE("iteration: an error of the task ends the step when all devices have ended", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(3);
  job.devices[1].bad_at_step = 1;
  job.start();
  job.step();
  CHECK_THROWS_AS(job.step(), std::logic_error);
  for (const script& one : job.devices) CHECK(one.open == 0);
}

TEST_CASE("iteration: memory that is less than a device says, or than is wished", "[iteration]") {
  scripted_job job(some_rows);
  job.pool_seconds_per_unit = per_unit(100e-9);
  job.devices.resize(1);
  const std::uint64_t all = some_rows * 4;
  job.devices[0].real_bytes = all / 3;
  job.start();
  job.steps(8);
  CHECK(job.job->report().parts[1].share > 0.1);
  CHECK(job.job->report().parts[1].share < 0.34);
  REQUIRE(job.job->report().notes.size() > 0);
  CHECK_THAT(job.job->report().notes[0], contains("gpu 0 gets less of the data: scripted"));

  scripted_job limited(some_rows);
  limited.pool_seconds_per_unit = per_unit(100e-9);
  limited.devices.resize(1);
  limited.start({.most_resident_bytes = all / 2});
  limited.steps(8);
  CHECK(limited.job->report().parts[1].share == Approx(0.5).margin(0.06));

  scripted_job alone(some_rows);
  alone.pool_seconds_per_unit = 0;
  alone.devices.resize(1);
  alone.devices[0].most_bytes = all / 2;
  alone.start();
  CHECK_THROWS_WITH(alone.step(), contains("no memory for its"));
}

TEST_CASE("iteration: no rows, one row, fewer rows than devices", "[iteration]") {
  for (const std::uint64_t rows : {0u, 1u, 2u, 3u}) {
    for (const bool with_pool : {true, false}) {
      CAPTURE(rows, with_pool);
      scripted_job job(rows);
      if (!with_pool) job.pool_seconds_per_unit = 0;
      job.devices.resize(4);
      job.start();
      job.steps(6);
    }
  }
}

TEST_CASE("iteration: cancelled, the step gives nothing, and the job can go on", "[iteration]") {
  scripted_job job(some_rows);
  job.devices.resize(1);
  run_control control;
  job.start({.control = &control});
  job.steps(3);
  control.cancelled = true;
  CHECK_THROWS_AS(job.step(), interrupted);
  control.cancelled = false;
  job.steps(3);
}

TEST_CASE("iteration: what cannot be asked of it", "[iteration]") {
  scripted_job job(some_rows);
  CHECK_THROWS_WITH(job.start({.split = {.policy = split_policy::mars}}), contains("mars"));
  job.pool_seconds_per_unit = 0;
  CHECK_THROWS_WITH(job.start({.split = {.policy = split_policy::by_hand, .gpu_share = 0.5}}),
                    contains("a share to the CPU"));
  job.pool_seconds_per_unit = per_unit(1e-9);
  job.start({.split = {.policy = split_policy::by_hand, .gpu_share = 0.5}});
  CHECK_THROWS_WITH(job.step(), contains("a share to GPUs"));  // there is none
}

}  // namespace duomap::test::scheduler_iteration_test
