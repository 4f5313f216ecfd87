#include "gpu/device/background_start.hpp"

#include "core/device_provider.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/device_start.hpp"
#include "gpu/device/driver_query.hpp"
#include "gpu/device/in_process.hpp"

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

// On an H200 a context takes up to 0.17 s, after the devices have been found (decision 52).
constexpr double context_seconds = 0.15;
constexpr double discovery_seconds = 0.1;

// A process that ends while the driver hangs waits no longer than that.
constexpr std::chrono::seconds longest_wait{10};

// Page-locked memory for the first run, on a thread of its own. Its pages are made while the first context
// is: made after it, they were not all there when a run began to feed the GPU (decision 52).
class first_memory {
 public:
  first_memory() {
    try {
      thread_ = std::jthread([context_on = context_on_.get_future()]() mutable {
        std::vector<huge_pages> pages = make_first_pages();
        if (const std::optional<int> index = context_on.get()) lock_first_pages(*index, std::move(pages));
      });
    } catch (const std::system_error&) {
      // The system has no thread left: the first run makes its memory.
    }
  }
  first_memory(const first_memory&) = delete;
  first_memory& operator=(const first_memory&) = delete;
  ~first_memory() {
    if (!is_told_) context_on_.set_value(std::nullopt);
  }

  // That GPU has a context.
  void lock(int index) {
    if (!std::exchange(is_told_, true)) context_on_.set_value(index);
  }

 private:
  std::promise<std::optional<int>> context_on_;
  bool is_told_ = false;
  std::jthread thread_;  // joined first
};

// Never destroyed, because its thread may outlive what the end of the process destroys.
class starter {
 public:
  background_start begin(std::span<const int> only, std::size_t most) {
    const std::lock_guard held(mutex_);
    if (begun_at_ && (state_ != background_start::ended || has_begun(only, most))) return state_;
    note_use_of_cuda();
    only_.assign(only.begin(), only.end());
    most_ = most;
    expected_seconds_ = whole_start();
    begun_at_ = clock::now();  // and not while the new thread reads it
    state_ = background_start::going_on;
    try {
      std::thread([this] { start_all(); }).detach();
    } catch (const std::system_error&) {
      // The system has no thread left: runs start their devices by themselves, or do without.
      discovered_ = has_no_thread_ = true;
      state_ = background_start::ended;
    }
    return state_;
  }

  [[nodiscard]] double seconds_left() {
    const std::lock_guard held(mutex_);
    return begun_at_ ? seconds_of_this_left() : whole_start();
  }

  // Until a GPU without a context has one.
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
    // One that took too long is not waited for again.
    if (begun_at_ && !hangs_) hangs_ = !changed_.wait_for(held, longest_wait, [this] { return discovered_; });
  }

  // Makes no context that nobody will use.
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

  // What is late by some time is expected to take that time again.
  [[nodiscard]] double seconds_of_this_left() const {
    return std::max(std::abs(expected_seconds_ - seconds_since_begin()), 1e-3);
  }

  // Whether a start that goes on gives that GPU a context, if its GPUs are those that nobody has found yet.
  [[nodiscard]] bool is_coming(int index) const {
    const auto place =
        only_.empty() ? static_cast<std::ptrdiff_t>(index) : std::ranges::find(only_, index) - only_.begin();
    return static_cast<std::size_t>(place) < std::min(most_, only_.empty() ? every_device : only_.size());
  }

  [[nodiscard]] double seconds_since_begin() const {
    return std::chrono::duration<double>(clock::now() - *begun_at_).count();
  }

  // Whether the starts that have ended gave a context to `most` of `only`, or to all, or tried to.
  [[nodiscard]] bool has_begun(std::span<const int> only, std::size_t most) const {
    if (has_no_thread_) return true;
    const std::vector<int> wanted = wanted_of(only);
    const auto begun = std::count_if(wanted.begin(), wanted.end(), [&](int index) {
      return in_process(index).has_context || tried_.contains(index);
    });
    return static_cast<std::size_t>(begun) >= std::min(most, wanted.size());
  }

  // Those that have a context already come first.
  [[nodiscard]] static std::vector<int> wanted_of(std::span<const int> only) {
    std::vector<int> all;
    for (const device_info& one : discover().devices) {
      if (only.empty() || std::ranges::find(only, one.index) != only.end()) all.push_back(one.index);
    }
    std::stable_partition(all.begin(), all.end(),
                          [](int index) { return in_process(index).has_context.load(); });
    return all;
  }

  void start_all() {
    const bool none = discover().devices.empty();
    if (!discovered_) {
      // CUDA's own handlers, which take the driver down, are registered by now, so that this one is called
      // before them.
      static_cast<void>(std::atexit([] {
        // A forked child inherits this, but not the thread.
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
      if (!in_process(index).has_context) {
        tried_.insert(index);
        if (!memory && took_ == 0) memory.emplace();
        if (!make_context(index)) continue;
        if (memory) memory->lock(index);
        make_memory_pool();
        in_process(index).has_context = true;
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
  std::optional<clock::time_point> begun_at_;  // written with mutex_ held and before a thread begins
  std::vector<int> only_;                      // the same
  std::size_t most_ = 0;                       // the same
  double expected_seconds_ = 0;                // the same
  bool has_no_thread_ = false;                 // guarded by mutex_, as the next three
  bool discovered_ = false;                    // and written by one thread only
  bool hangs_ = false;
  background_start state_ = background_start::going_on;
  std::set<int> tried_;  // by the thread of a start, and read when none goes on
  std::atomic<double> took_{0};
  std::atomic<bool> ending_{false};  // no further device is begun
};

// The end of a process destroys what the thread that ends it has for itself before it calls any handler, also
// those that CUDA registers while it starts.
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
  return in_process(device_index).has_context ? 0 : starter::of_this_process().seconds_left(device_index);
}

}  // namespace duomap::gpu
