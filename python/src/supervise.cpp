// Runs work on a thread, looks for signals every 50 ms, and recognises forked processes.
#include "supervise.hpp"

#include "errors.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <thread>

namespace duomap::python {

namespace nb = nanobind;

void supervise(run_control& control, nb::handle progress, const std::function<void()>& work) {
  constexpr std::chrono::milliseconds period{50};
  std::packaged_task<void()> task(work);
  std::future<void> done = task.get_future();
  std::thread worker(std::move(task));
  std::optional<nb::python_error> raised;
  const auto tell = [&] {
    if (!raised && !progress.is_none()) {
      progress(control.units_done.load(std::memory_order_relaxed),
               control.units_total.load(std::memory_order_relaxed));
    }
  };
  const auto look = [&] {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      tell();
    } catch (nb::python_error& error) {
      raised.emplace(std::move(error));
      control.cancelled.store(true, std::memory_order_relaxed);
    }
  };
  while (true) {
    {
      const nb::gil_scoped_release free;
      if (done.wait_for(period) == std::future_status::ready) break;
    }
    if (!raised) look();
  }
  worker.join();
  if (!raised) look();
  if (raised) throw std::move(*raised);
  done.get();
}

void require_own_process() {
  static std::atomic<pid_t> first{0};
  const pid_t here = getpid();
  pid_t ran = 0;
  if (first.compare_exchange_strong(ran, here) || ran == here) return;
  throw forked_process(
      "process " + std::to_string(here) + " was forked from process " + std::to_string(ran) +
      " after that had run duomap, and threads and GPUs do not come along; start processes by 'spawn' or "
      "'forkserver' (multiprocessing.set_start_method), or run duomap only after the fork");
}

}  // namespace duomap::python
