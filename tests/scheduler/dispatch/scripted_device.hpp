// Makes a device that follows a script, and runs tests with it.
#pragma once

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
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_device_test {

inline constexpr int not_at_all = -1;

/// The call at which a device fails or hangs, counted from 0.
struct device_script {
  int fails_at_start = not_at_all;  // 0 means in prepare()
  int hangs_at_start = not_at_all;
  int asked_until_ready = 0;  // the number of times that begin_start() says "not yet"
  bool is_there = true;
  int fails_at_submit = not_at_all;
  int fails_at_finish = not_at_all;
  int fails_at_commit = not_at_all;
  int full_at_finish = not_at_all;
  int hangs_at_finish = not_at_all;
  int hangs_at_commit = not_at_all;
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  // for the bytes of open chunks
  std::uint64_t claim = 1000;
};

/// Like a real device, it keeps finished chunks until it commits, and loses them if it is lost.
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
    // Like a GPU, it reads input only until the scheduler has given it up. Then the input is freed.
    const std::lock_guard lock(mutex_);
    if (abandoned_) throw device_lost("timed out");
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

  [[nodiscard]] bool hangs() const {
    return does_.hangs_at_start != not_at_all || does_.hangs_at_finish != not_at_all ||
           does_.hangs_at_commit != not_at_all;
  }
  /// Lets a hanging call return.
  void wake_up() {
    const std::lock_guard lock(mutex_);
    awake_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] std::vector<seen_chunk> committed() {
    const std::lock_guard lock(mutex_);
    return committed_;
  }
  /// Whether the device got a block of the stream, which comes after the three texts of text_of().
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

/// A pool: the chunks that its workers have finished are safe.
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

/// Models in which devices are so fast that they get most of the work, and so reach their faults.
inline std::vector<scheduler::executor_model> fast_devices(std::size_t devices, bool with_pool) {
  std::vector<scheduler::executor_model> models(devices, {.seconds_per_unit = 1e-7, .claim_seconds = 1e-6});
  if (with_pool) models.push_back({.seconds_per_unit = 1e-5});
  return models;
}

inline source_set text_of(std::mt19937& random, std::size_t bytes) {
  source_set sources;
  std::string text(bytes, 'w');
  for (char& c : text) c = random() % 6 == 0 ? ' ' : 'w';
  sources.add_memory(text.substr(0, bytes / 3));
  sources.add_memory("");
  sources.add_memory(text.substr(bytes / 3));
  return sources;
}

/// Runs the devices beside a pool, and checks that every byte is committed once.
inline std::vector<executor_report> check_run(std::mt19937& random,
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
  // Short time limits only for devices that hang, because others may be late on a busy machine.
  if (std::any_of(devices.begin(), devices.end(), [](const auto& each) { return each->hangs(); }))
    how.late_chunk_seconds = how.late_commit_seconds = 0.02;
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
  std::uint64_t of_devices = 0;
  for (std::size_t i = 0; i < devices.size(); ++i) of_devices += reports[i].units;
  CHECK(control.gpu_units_done == of_devices);
  CHECK(units == sources.bytes());
  return reports;
}

}  // namespace duomap::test::scheduler_device_test
