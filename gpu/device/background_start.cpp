// Starts the process's GPUs on a thread, and lets the process end safely meanwhile.
#include "gpu/device/background_start.hpp"

#include "core/device_provider.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/device_start.hpp"
#include "gpu/device/driver_query.hpp"
#include "gpu/device/gpu_state.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::gpu {
namespace {

using clock = std::chrono::steady_clock;

// On an H200 a context takes up to 0.17 s after the devices have been found (decision 52).
constexpr double context_seconds = 0.15;
constexpr double discovery_seconds = 0.1;

// If the driver hangs, the end of the process waits this long and then goes on.
constexpr std::chrono::seconds longest_wait{10};

// Allocates page-locked memory for the first run, on a thread of its own. The thread allocates the pages
// while the first context is being made. When the allocation began after the context, a run began to feed the
// GPU before all pages were there (decision 52).
class first_memory {
 public:
  first_memory() {
    try {
      thread_ = std::jthread([context_on = context_on_.get_future()]() mutable {
        std::vector<huge_pages> pages = make_first_pages();
        if (const std::optional<int> index = context_on.get()) lock_first_pages(*index, std::move(pages));
      });
    } catch (const std::system_error&) {
      // The system gives no further thread, so the first run allocates its memory itself.
    }
  }
  first_memory(const first_memory&) = delete;
  first_memory& operator=(const first_memory&) = delete;
  ~first_memory() {
    if (!is_told_) context_on_.set_value(std::nullopt);
  }

  // Page-locks the allocated pages. Call it when the GPU has a context.
  void lock(int index) {
    if (!std::exchange(is_told_, true)) context_on_.set_value(index);
  }

 private:
  std::promise<std::optional<int>> context_on_;
  bool is_told_ = false;
  std::jthread thread_;  // the last member, so that the thread is joined before the others go
};

// Starts the GPUs. The object is never destroyed, because its thread may outlive the process's static
// objects.
class starter {
 public:
  background_start begin(std::span<const int> only, std::size_t most) {
    const std::lock_guard held(mutex_);
    if (begun_at_ && (state_ != background_start::ended || has_begun(only, most))) return state_;
    note_use_of_cuda();
    only_.assign(only.begin(), only.end());
    most_ = most;
    expected_seconds_ = whole_start();
    begun_at_ = clock::now();  // before the new thread reads it
    state_ = background_start::going_on;
    try {
      std::thread([this] { start_all(); }).detach();
    } catch (const std::system_error&) {
      // The system gives no further thread, so runs start their devices themselves, or run without devices.
      discovered_ = has_no_thread_ = true;
      state_ = background_start::ended;
    }
    return state_;
  }

  [[nodiscard]] double seconds_left() {
    const std::lock_guard held(mutex_);
    return begun_at_ ? seconds_of_this_left() : whole_start();
  }

  // Estimates the seconds until a GPU that has no context gets one.
  [[nodiscard]] double seconds_left(int index) {
    const std::lock_guard held(mutex_);
    if (!begun_at_ || state_ != background_start::going_on) return whole_start();
    return seconds_of_this_left() + (is_coming(index) ? 0 : context_seconds);
  }

  [[nodiscard]] bool goes_on() {
    const std::lock_guard held(mutex_);
    return begun_at_ && state_ == background_start::going_on;
  }

  [[nodiscard]] double took() const noexcept { return took_; }

  void wait_until_discovered() {
    std::unique_lock held(mutex_);
    // If the search for GPUs took too long once, later calls do not wait for it.
    if (begun_at_ && !hangs_) hangs_ = !changed_.wait_for(held, longest_wait, [this] { return discovered_; });
  }

  // Lets the start make no further context, because the process ends and no run would use the context.
  void end_with_process() {
    ending_ = true;
    wait_until_discovered();
  }

  void wait_until_ended() {
    std::unique_lock held(mutex_);
    ending_ = true;
    changed_.wait_for(held, longest_wait, [this] { return state_ != background_start::going_on; });
  }

  [[nodiscard]] static starter& of_this_process() {
    static starter* const one = new starter;
    return *one;
  }

 private:
  [[nodiscard]] static double whole_start() {
    return is_discovered() ? context_seconds : discovery_seconds + context_seconds;
  }

  // A start that is late by t seconds is expected to end in another t seconds.
  [[nodiscard]] double seconds_of_this_left() const {
    return std::max(std::abs(expected_seconds_ - seconds_since_begin()), 1e-3);
  }

  // Whether the start under way gives this GPU a context. CUDA has not listed the GPUs yet, so the answer
  // depends only on the GPU's number.
  [[nodiscard]] bool is_coming(int index) const {
    const auto place =
        only_.empty() ? static_cast<std::ptrdiff_t>(index) : std::ranges::find(only_, index) - only_.begin();
    return static_cast<std::size_t>(place) < std::min(most_, only_.empty() ? every_device : only_.size());
  }

  [[nodiscard]] double seconds_since_begin() const {
    return std::chrono::duration<double>(clock::now() - *begun_at_).count();
  }

  // Whether earlier starts made contexts on `most` GPUs of `only`, or on all of `only`. Failed attempts
  // count.
  [[nodiscard]] bool has_begun(std::span<const int> only, std::size_t most) const {
    if (has_no_thread_) return true;
    const std::vector<int> wanted = wanted_of(only);
    const auto begun = std::count_if(wanted.begin(), wanted.end(), [&](int index) {
      return state_of_gpu(index).has_context || tried_.contains(index);
    });
    return static_cast<std::size_t>(begun) >= std::min(most, wanted.size());
  }

  // Lists the wanted GPUs, those with a context first.
  [[nodiscard]] static std::vector<int> wanted_of(std::span<const int> only) {
    std::vector<int> all;
    for (const device_info& one : discover().devices) {
      if (only.empty() || std::ranges::find(only, one.index) != only.end()) all.push_back(one.index);
    }
    std::stable_partition(all.begin(), all.end(),
                          [](int index) { return state_of_gpu(index).has_context.load(); });
    return all;
  }

  void start_all() {
    const bool none = discover().devices.empty();
    if (!discovered_) {
      // CUDA has registered its own exit handlers by now, which shut the driver down. Handlers run in reverse
      // order, so this one runs before them.
      static_cast<void>(std::atexit([] {
        // A forked child inherits this handler, but not the thread that starts the GPUs.
        if (!is_forked_after_cuda()) of_this_process().wait_until_ended();
      }));
      {
        const std::lock_guard held(mutex_);
        discovered_ = true;
      }
      changed_.notify_all();
    }
    std::optional<first_memory> memory;
    std::size_t left = most_;
    for (const int index : wanted_of(only_)) {
      if (ending_ || left == 0) break;
      if (!state_of_gpu(index).has_context) {
        tried_.insert(index);
        if (!memory && took_ == 0) memory.emplace();
        if (!make_context(index)) continue;
        if (memory) memory->lock(index);
        make_memory_pool();
        state_of_gpu(index).has_context = true;
        if (took_ == 0) took_ = seconds_since_begin();
      }
      --left;
    }
    memory.reset();
    {
      const std::lock_guard held(mutex_);
      state_ = none ? background_start::no_device : background_start::ended;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<clock::time_point> begun_at_;  // these four: written under mutex_, before a thread begins
  std::vector<int> only_;
  std::size_t most_ = 0;
  double expected_seconds_ = 0;
  bool has_no_thread_ = false;  // mutex_ guards this and the next three
  bool discovered_ = false;
  bool hangs_ = false;
  background_start state_ = background_start::going_on;
  std::set<int> tried_;  // written by the thread of a start, and read when none runs
  std::atomic<double> took_{0};
  std::atomic<bool> ending_{false};  // true: the start makes no further context
};

// Waits for the start when the main thread ends. A thread's thread-local objects are destroyed before any
// exit handler runs, even before handlers that CUDA registers while it starts.
struct end_of_main_thread {
  end_of_main_thread() = default;
  end_of_main_thread(const end_of_main_thread&) = delete;
  end_of_main_thread& operator=(const end_of_main_thread&) = delete;
  ~end_of_main_thread() {
    if (!is_forked_after_cuda()) starter::of_this_process().end_with_process();
  }
};

}  // namespace

background_start start_in_background(std::span<const int> only, std::size_t most) {
  return starter::of_this_process().begin(only, most);
}

void leave_background() {
  if (::gettid() != ::getpid()) return starter::of_this_process().wait_until_discovered();
  static thread_local const end_of_main_thread waits;
  static_cast<void>(waits);
}

std::optional<double> start_seconds_left() noexcept {
  starter& one = starter::of_this_process();
  return one.goes_on() ? std::optional(one.seconds_left()) : std::nullopt;
}

double background_start_seconds() noexcept { return starter::of_this_process().took(); }

double seconds_until_started(int device_index) {
  return state_of_gpu(device_index).has_context ? 0 : starter::of_this_process().seconds_left(device_index);
}

}  // namespace duomap::gpu
