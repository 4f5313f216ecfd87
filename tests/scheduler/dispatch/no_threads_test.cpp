// Tests scheduler/dispatch/execute.cpp when the system starts no thread for a device.
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/support.hpp"
#include "tests/support/no_more_threads.hpp"
#include "tests/support/own_process.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_no_threads_test {
namespace {

/// Keeps the chunks that it gets. A "device" of this class does the same as a pool.
class keeping_executor : public executor {
 public:
  explicit keeping_executor(executor_kind kind) : kind_(kind) {}
  [[nodiscard]] std::string name() const override { return kind_ == executor_kind::pool ? "pool" : "device"; }
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }
  [[nodiscard]] unsigned depth() const noexcept override { return 1; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {kind_, 1000}; }
  void drive(const std::function<void(unsigned)>& body) override { body(0); }
  void submit(unsigned, const chunk& part) override { kept.push_back(see(part)); }
  chunk_report finish(unsigned) override { return {.units = kept.back().text.size()}; }
  void commit(unsigned) override {}

  std::vector<seen_chunk> kept;

 private:
  executor_kind kind_;
};

/// A device that needs a thread, like a GPU; the system refuses the thread.
class device_of_own_thread final : public keeping_executor {
 public:
  device_of_own_thread() : keeping_executor(executor_kind::device) {}
  void drive(const std::function<void(unsigned)>& body) override {
    refuse_threads();
    std::thread([&] { body(0); }).join();
  }
};

/// A device whose task needs a thread during its work; the system refuses the thread.
class device_that_fails final : public keeping_executor {
 public:
  device_that_fails() : keeping_executor(executor_kind::device) {}
  void submit(unsigned, const chunk&) override {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
  }
};

}  // namespace

TEST_CASE("own process: a device without a thread leaves its work to the others", "[.][own-process]") {
  source_set sources;
  sources.add_memory(std::string(5000, ' '));
  const input from = sources.take();
  const space_boundary records(10);
  keeping_executor device(executor_kind::device), pool(executor_kind::pool);
  std::vector<executor*> both{&device, &pool}, solo{&device};
  run_control control;
  scheduler::chunk_source todo(from, records, {}, &control), again(from, records, {}, &control);
  refuse_threads();
  const auto reports = scheduler::execute(todo, both, &control, {}).executors;
  require_tiles(pool.kept, sources.contents(), records);
  CHECK(device.kept.empty());
  CHECK(reports[0].trouble.starts_with("the system started no thread for device ("));
  CHECK(reports[0].trouble.ends_with("; the others have done its work"));
  CHECK_THROWS_AS(scheduler::execute(again, solo, &control, {}), error);
}

TEST_CASE("own process: a device that has no thread of its own leaves its work to the others",
          "[.][own-process]") {
  source_set sources;
  sources.add_memory(std::string(5000, ' '));
  const input from = sources.take();
  const space_boundary records(10);
  device_of_own_thread device;
  keeping_executor pool(executor_kind::pool);
  std::vector<executor*> both{&device, &pool};
  run_control control;
  scheduler::chunk_source todo(from, records, {}, &control);
  const auto reports = scheduler::execute(todo, both, &control, {}).executors;
  require_tiles(pool.kept, sources.contents(), records);
  CHECK(device.kept.empty());
  CHECK(reports[0].trouble.starts_with("the system started no thread for device ("));
}

TEST_CASE("a device that has begun ends the run when a thread is refused to its task", "[scheduler]") {
  source_set sources;
  sources.add_memory(std::string(5000, ' '));
  const input from = sources.take();
  const space_boundary records(10);
  device_that_fails device;
  std::vector<executor*> solo{&device};
  run_control control;
  scheduler::chunk_source todo(from, records, {}, &control);
  CHECK_THROWS_AS(scheduler::execute(todo, solo, &control, {}), std::system_error);
}

TEST_CASE("a device for which the system starts no thread leaves its work to the others", "[scheduler]") {
  if (!threads_can_be_refused) return;
  for (const char* name :
       {"own process: a device without a thread leaves its work to the others",
        "own process: a device that has no thread of its own leaves its work to the others"}) {
    check_own_process(name);
  }
}

}  // namespace duomap::test::scheduler_no_threads_test
