#include "scheduler/execute.hpp"

#include "core/config.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>

namespace duomap::scheduler {
namespace {

// What one worker has done. Written by that worker only.
struct alignas(cache_separation) worker_tally {
  std::uint64_t chunks = 0;
  std::uint64_t units = 0;
  double seconds = 0;
};

/// One worker's loop: keeps up to depth() chunks open; its taker keeps the bytes of as many.
class worker_loop {
 public:
  worker_loop(work& all, executor& on, unsigned worker, run_control* control, worker_tally& tally)
    : all_(all),
      on_(on),
      worker_(worker),
      control_(control),
      tally_(tally),
      taker_(on.depth(), on.claim_bytes()) {}

  void run() {
    const auto start = std::chrono::steady_clock::now();
    while (const auto part = all_.next(taker_)) {
      on_.submit(worker_, *part);
      ++submitted_;
      if (submitted_ - tally_.chunks == on_.depth()) finish_oldest();
    }
    while (tally_.chunks < submitted_) finish_oldest();
    on_.commit(worker_);
    tally_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  void finish_oldest() {
    const chunk_report report = on_.finish(worker_);
    ++tally_.chunks;
    tally_.units += report.units;
    if (control_ != nullptr) control_->units_done.fetch_add(report.units, std::memory_order_relaxed);
  }

  work& all_;
  executor& on_;
  unsigned worker_;
  run_control* control_;
  worker_tally& tally_;
  work::taker taker_;
  std::uint64_t submitted_ = 0;
};

executor_report drive(work& all, executor& on, run_control* control) {
  std::vector<worker_tally> tallies(on.workers());
  on.drive([&](unsigned worker) {
    try {
      worker_loop(all, on, worker, control, tallies[worker]).run();
    } catch (...) {
      all.stop();  // the others need not finish what will be thrown away
      throw;
    }
  });
  executor_report report{.name = on.name(), .workers = on.workers()};
  for (const worker_tally& tally : tallies) {
    report.chunks += tally.chunks;
    report.units += tally.units;
    report.busy_seconds += tally.seconds;
  }
  return report;
}

}  // namespace

std::vector<executor_report> execute(work& all, std::span<executor* const> executors, run_control* control) {
  if (control != nullptr) control->units_total.store(all.known_units(), std::memory_order_relaxed);
  std::vector<executor_report> reports(executors.size());
  std::vector<std::exception_ptr> failures(executors.size());
  const auto drive_one = [&](std::size_t i) {
    try {
      reports[i] = drive(all, *executors[i], control);
    } catch (...) {
      failures[i] = std::current_exception();
      all.stop();  // also when it failed before its first worker ran
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < executors.size(); ++i) threads.emplace_back(drive_one, i);
    if (!executors.empty()) drive_one(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return reports;
}

}  // namespace duomap::scheduler
