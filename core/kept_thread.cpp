// Keeps idle threads in a list, and gives them new work.
#include "core/kept_thread.hpp"

#include <sched.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace duomap {
namespace {

// No value if the system has more CPUs than a cpu_set_t can name.
std::optional<cpu_set_t> affinity() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (::sched_getaffinity(0, sizeof cpus, &cpus) != 0) return std::nullopt;
  return cpus;
}

// Binds the calling thread to these CPUs. Earlier work may have bound it to others.
void take_affinity(const std::optional<cpu_set_t>& cpus) {
  const std::optional<cpu_set_t> mine = affinity();
  if (cpus && mine && !CPU_EQUAL(&*cpus, &*mine))
    static_cast<void>(::sched_setaffinity(0, sizeof *cpus, &*cpus));
}

}  // namespace

/// The thread behind a kept_thread. It is never destroyed, because it sleeps until the process ends.
class kept_thread::thread {
 public:
  /// Returns the idle thread whose work ended last, or a new one.
  static thread* take() {
    idle_threads& idle = idle_threads::of_process();
    {
      const std::lock_guard held(idle.mutex);
      if (idle.last != nullptr) return std::exchange(idle.last, idle.last->before_);
    }
    return new thread;
  }

  /// Keeps a thread whose work has ended.
  static void keep(thread* one) noexcept {
    idle_threads& idle = idle_threads::of_process();
    const std::lock_guard held(idle.mutex);
    one->before_ = std::exchange(idle.last, one);
  }

  void begin(std::function<void()> work) {
    {
      const std::lock_guard held(mutex_);
      work_ = std::move(work);
      cpus_ = affinity();
    }
    changed_.notify_all();
  }

  void wait() noexcept {
    std::unique_lock held(mutex_);
    changed_.wait(held, [&] { return work_ == nullptr; });
  }

 private:
  struct idle_threads {
    static idle_threads& of_process() {
      static auto& all = *new idle_threads;
      return all;
    }

    std::mutex mutex;
    thread* last = nullptr;  // guarded by mutex
  };

  thread() {
    std::thread([this] { do_all_work(); }).detach();
  }

  [[noreturn]] void do_all_work() noexcept {
    std::unique_lock held(mutex_);
    while (true) {
      changed_.wait(held, [&] { return work_ != nullptr; });
      held.unlock();
      take_affinity(cpus_);
      work_();
      held.lock();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  thread* before_ = nullptr;  // the next older idle thread; idle_threads::mutex guards it
  std::mutex mutex_;
  std::condition_variable changed_;
  // mutex_ guards these members. While there is work, only the thread itself uses them.
  std::function<void()> work_;
  std::optional<cpu_set_t> cpus_;
};

kept_thread::kept_thread(std::function<void()> work) : its_(thread::take()) { its_->begin(std::move(work)); }

void kept_thread::give_back::operator()(thread* one) const noexcept {
  one->wait();
  thread::keep(one);
}

}  // namespace duomap
