// Makes iterative jobs on devices that follow a script.
#pragma once

#include "core/result.hpp"
#include "core/run_control.hpp"
#include "cpu/cpu_backend.hpp"
#include "duomap.hpp"
#include "scheduler/iterative/iteration.hpp"
#include "scheduler/report/explain.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/dense_tasks.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_iteration_test {

using scheduler::iteration;
using scheduler::iteration_parts;

/// Simulated time; only executors advance it.
struct simulated_clock {
  double now = 0;
  std::atomic<unsigned> looks{0};
};

inline const std::uint64_t grain_units = rows<std::int32_t>{}.grain();

/// Converts seconds for a unit in grains of 64 KiB to the grain size of this build.
inline double per_unit(double seconds) { return seconds * 65536 / static_cast<double>(grain_units); }

/// How a device behaves, and the calls that it got.
struct script {
  double fixed = 10e-6;
  double seconds_per_unit = per_unit(1e-9);
  double start_seconds = 0;
  std::uint64_t most_bytes = ~std::uint64_t{0};  // that the device claims to have
  std::uint64_t real_bytes = ~std::uint64_t{0};  // that the device really has
  std::optional<unsigned> fails_at_step = {};    // fails in finish(); with `at_begin` in begin()
  bool at_begin = false;
  bool fails_at_start = false;
  std::optional<unsigned> fails_at_hold = {};
  std::optional<unsigned> bad_at_step = {};    // begin() throws an error that loses no device
  std::optional<unsigned> hangs_at_step = {};  // the step never ends
  run_control* cancels_after_long = nullptr;   // cancelled while the device hangs
  std::function<void()> while_held = {};       // called in hold()
  // Counts of the calls to this device.
  int open = 0;  // begun, but not finished
  std::uint64_t copied = 0;
  unsigned steps = 0;
  unsigned holds = 0;
  unsigned given_up = 0;
};

/// Keeps a copy of its part, as a real device does, so that a missed change of the part shows.
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

  chunk held() const override {
    chunk mine = part_;
    if (mine.data != nullptr) mine.data = bytes_.data();
    return mine;
  }

  void begin(const Task& task, bool /*timed*/) override {
    if (how_.at_begin && how_.fails_at_step == how_.steps) throw device_lost("scripted");
    if (how_.bad_at_step == how_.steps) throw std::logic_error("scripted");
    ++how_.open;
    task_ = task;
    begun_ = time_.now;
  }

  std::optional<resident_step<Task>> finish_within(double most_seconds) override {
    if (how_.hangs_at_step == how_.steps) {
      REQUIRE(how_.given_up == 0);
      time_.now += most_seconds;
      if (how_.cancels_after_long != nullptr && time_.now > 1000) how_.cancels_after_long->cancelled = true;
      return std::nullopt;
    }
    --how_.open;
    if (how_.fails_at_step == how_.steps++) throw device_lost("scripted");
    const double seconds = how_.fixed + how_.seconds_per_unit * static_cast<double>(part_.size);
    time_.now = std::max(time_.now, begun_ + seconds);
    sequential here;
    cpu::cpu_backend<Task> map(*task_, here);
    map.submit(0, held());
    return resident_step<Task>{std::move(map.release_partials(here).front()), seconds};
  }

  void give_up() noexcept override { ++how_.given_up; }

 private:
  script& how_;
  simulated_clock& time_;
  std::string bytes_;
  chunk part_;
  chunk held_;
  std::optional<Task> task_;
  double begun_ = 0;
};

/// The CPU's backend, in simulated time.
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
  std::vector<partial_for<Task>> release_partials(worker_pool& pool) override {
    return workers_.release_partials(pool);
  }

 private:
  cpu::cpu_backend<Task> workers_;
  double seconds_per_unit_;
  simulated_clock& time_;
  std::atomic<std::uint64_t> units_{0};
};

/// An iterative job over random numbers, with scripted devices.
template <map_reduce_task Task = nearest_centre>
struct scripted_job {
  explicit scripted_job(std::uint64_t rows) : numbers(rows) {
    std::mt19937_64 random(seed());
    for (auto& number : numbers) number = static_cast<std::int32_t>(random());
    for (auto& centre : centres) centre = static_cast<std::int32_t>(random());
    from = view_input({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int32_t)});
  }

  iteration<Task>& start(const run_options& options = {}) {
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
    parts.pool_seconds = expected_pool_seconds;
    if (starts_beside) {
      parts.start_beside = [this] {
        ready_at = time.now + 0.25;
        ++starts;
      };
      parts.start_seconds_left = [this]() -> std::optional<double> {
        return time.now < ready_at ? std::optional(ready_at - time.now) : std::nullopt;
      };
    }
    parts.start_seconds = 0.25;
    parts.copy_bytes_per_second = 20e9;
    parts.clock = [this] {
      ++time.looks;
      return time.now;
    };
    job.emplace(task(), from, std::move(parts), workers, options);
    return *job;
  }

  [[nodiscard]] Task task() const { return {.centres = {centres.data(), centres.size()}}; }

  /// Does one step with new centres, and compares it with an ordinary run.
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
  double expected_pool_seconds = 0;
  bool starts_beside = false;  // then a start takes 0.25 s
  int starts = 0;              // starts that have begun
  double ready_at = 0;
  simulated_clock time;
  threaded_pool workers{2};
  std::optional<iteration<Task>> job;
};

// 20 and a half grains.
inline const std::uint64_t some_rows = 41 * grain_units / 8;

}  // namespace duomap::test::scheduler_iteration_test
