// Makes an executor that follows a script.
#pragma once

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/scheduler/support.hpp"
#include "tests/support/threaded_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_execute_test {

/// How an executor behaves, besides its work.
struct script {
  unsigned workers = 1;
  unsigned depth = 1;
  /// Called with the number of the call, from 1 over all workers; may throw or yield.
  std::function<void(int)> on_submit = [](int) {
  };
  std::function<void(int)> on_finish = [](int) {
  };
  std::function<void(int)> on_commit = [](int) {
  };
  std::function<void()> on_drive = [] {
  };
};

/// Records the chunks it finishes, and every call that the scheduler must not make.
class scripted_executor final : public executor {
 public:
  explicit scripted_executor(script does) : does_(std::move(does)), workers_(does_.workers) {}

  [[nodiscard]] std::string name() const override { return "scripted"; }
  [[nodiscard]] unsigned workers() const noexcept override { return does_.workers; }
  [[nodiscard]] unsigned depth() const noexcept override { return does_.depth; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::pool}; }

  void drive(const std::function<void(unsigned worker)>& body) override {
    ++drives;
    does_.on_drive();
    test::threaded_pool(does_.workers).run_workers([&](unsigned worker) {
      workers_[worker].thread = std::this_thread::get_id();
      body(worker);
    });
  }

  void submit(unsigned worker, const chunk& part) override {
    worker_state& mine = state_of(worker);
    if (mine.open.size() >= does_.depth) complain("more chunks open than depth()");
    if (part.size == 0) complain("an empty chunk");
    does_.on_submit(++submits);
    mine.open.emplace_back(part, test::see(part));
  }

  chunk_report finish(unsigned worker) override {
    worker_state& mine = state_of(worker);
    if (mine.open.empty()) {
      complain("finish() without an open chunk");
      return {};
    }
    does_.on_finish(++finishes);
    auto [part, seen] = std::move(mine.open.front());
    mine.open.pop_front();
    if (part.bytes().text() != seen.text) complain("a chunk's bytes changed while it was open");
    mine.finished.push_back(std::move(seen));
    return {.units = part.size};
  }

  void commit(unsigned worker) override {
    worker_state& mine = state_of(worker);
    if (!mine.open.empty()) complain("commit() with a chunk open");
    does_.on_commit(++commits);
    mine.committed = true;
  }

  [[nodiscard]] std::vector<seen_chunk> finished() const {
    std::vector<seen_chunk> all;
    for (const worker_state& each : workers_)
      all.insert(all.end(), each.finished.begin(), each.finished.end());
    return all;
  }
  [[nodiscard]] std::uint64_t units() const {
    std::uint64_t sum = 0;
    for (const seen_chunk& each : finished()) sum += each.text.size();
    return sum;
  }
  /// Calls that broke the scheduler's promises; empty if there were none.
  [[nodiscard]] const std::string& complaints() const noexcept { return complaints_; }

  std::atomic<int> drives = 0;
  std::atomic<int> submits = 0;
  std::atomic<int> finishes = 0;
  std::atomic<int> commits = 0;

 private:
  struct worker_state {
    std::thread::id thread;
    std::deque<std::pair<chunk, seen_chunk>> open;
    std::vector<seen_chunk> finished;
    bool committed = false;
  };

  worker_state& state_of(unsigned worker) {
    worker_state& mine = workers_.at(worker);
    if (mine.thread != std::this_thread::get_id()) complain("a call on another thread than the worker's own");
    if (mine.committed) complain("a call after commit()");
    return mine;
  }
  void complain(const std::string& what) {
    const std::lock_guard lock(mutex_);
    complaints_ += what + "; ";
  }

  script does_;
  std::vector<worker_state> workers_;
  std::mutex mutex_;
  std::string complaints_;
};

/// Sets `failed` and throws at call number `call`.
inline std::function<void(int)> throw_at(int call, std::atomic<bool>& failed) {
  return [call, &failed](int number) {
    if (number != call) return;
    failed = true;
    throw std::runtime_error("it failed");
  };
}

/// Makes an executor wait until another has failed, so that work is left.
inline std::function<void(int)> wait_for(const std::atomic<bool>& failed) {
  return [&failed](int) {
    while (!failed) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
}

inline void nap(int number) {
  if (number % 16 == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  } else {
    std::this_thread::yield();
  }
}

}  // namespace duomap::test::scheduler_execute_test
