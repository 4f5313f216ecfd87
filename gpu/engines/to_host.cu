#include "core/error.hpp"
#include "core/own_thread.hpp"
#include "gpu/engines/bring_to_host.cuh"
#include "gpu/engines/to_host.cuh"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/feed/stay_on.hpp"
#include "gpu/runtime/check.cuh"

#include <algorithm>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace duomap::gpu {
namespace {

constexpr std::uint64_t buffer_bytes = std::uint64_t{2} << 20;
// Fewer bytes are copied by the driver while the caller waits, which costs less than waking a thread.
constexpr std::uint64_t least_bytes = std::uint64_t{256} << 10;
// Each thread brings some 2 GB/s to untouched memory. More threads would take cores from the feeding threads.
constexpr unsigned most_threads = 8;
constexpr unsigned buffers_per_thread = 3;

[[nodiscard]] unsigned copying_threads() { return std::clamp(usable_cores() / 2, 1u, most_threads); }

void queue(void* to, const void* from, std::uint64_t bytes, const stream& on) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, on.get()),
        "copying results from the device");
}

}  // namespace

to_host::~to_host() {
  {
    const std::lock_guard held(mutex_);
    ending_ = true;
  }
  queued_.notify_all();
  for (kept_thread& one : threads_) one.join();
}

void to_host::start() {
  check(cudaGetDevice(&device_), "asking for the current device");
  while (threads_.size() < copying_threads()) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& none_left) {
      if (!threads_.empty()) break;  // the threads that have started are enough
      no_thread("to bring a device's emits to the host", none_left);
    }
  }
}

std::unique_ptr<to_host::piece> to_host::take_idle() {
  {
    std::unique_lock held(mutex_);
    if (in_use_ == threads_.size() * buffers_per_thread)
      emptied_.wait(held, [&] { return in_use_ < threads_.size() * buffers_per_thread; });
    if (failure_) std::rethrow_exception(failure_);
    if (!idle_.empty()) {
      ++in_use_;
      auto one = std::move(idle_.back());
      idle_.pop_back();
      return one;
    }
  }
  auto one = std::make_unique<piece>();
  one->buffer = std::make_unique<pinned_buffer>(buffer_bytes);
  const std::lock_guard held(mutex_);
  ++in_use_;
  return one;
}

void to_host::copy(void* to, const void* from, std::uint64_t bytes, const stream& on) {
  if (bytes < least_bytes) {
    queue(to, from, bytes, on);
    on.wait();
    return;
  }
  if (threads_.empty()) start();
  for (std::uint64_t at = 0; at < bytes; at += buffer_bytes) {
    std::unique_ptr<piece> next = take_idle();
    next->to = static_cast<char*>(to) + at;
    next->bytes = std::min(buffer_bytes, bytes - at);
    try {
      queue(next->buffer->as<void>(), static_cast<const char*>(from) + at, next->bytes, on);
      next->arrived.record(on);
    } catch (...) {
      const std::lock_guard held(mutex_);
      --in_use_;
      throw;
    }
    const std::lock_guard held(mutex_);
    on_its_way_.push_back(std::move(next));
    queued_.notify_one();
  }
}

void to_host::wait() {
  std::unique_lock held(mutex_);
  emptied_.wait(held, [&] { return in_use_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void to_host::work() {
  stay_on(cores_);
  std::exception_ptr failure;
  try {
    use_gpu(device_);
  } catch (...) {
    failure = std::current_exception();
  }
  std::unique_lock held(mutex_);
  while (true) {
    queued_.wait(held, [&] { return ending_ || !on_its_way_.empty(); });
    if (on_its_way_.empty()) return;
    auto one = std::move(on_its_way_.front());
    on_its_way_.pop_front();
    if (failure && !failure_) failure_ = failure;
    const bool wanted = !failure_ && !ending_;
    held.unlock();
    try {
      // Waits even for bytes that nobody wants, because the device writes to the buffer until then.
      one->arrived.wait();
      if (wanted) std::memcpy(one->to, one->buffer->as<void>(), one->bytes);
    } catch (...) {
      failure = std::current_exception();
    }
    held.lock();
    if (failure && !failure_) failure_ = failure;
    idle_.push_back(std::move(one));
    --in_use_;
    emptied_.notify_all();
  }
}

void bring_to_host(std::initializer_list<device_bytes> all, std::vector<unsigned> cores, const stream& on) {
  to_host copies(std::move(cores));
  for (const device_bytes& one : all) copies.copy(one.to, one.from, one.bytes, on);
  copies.wait();
}

}  // namespace duomap::gpu
