#include "gpu/feed/staging.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace duomap::gpu {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

class staging::transfer {
 public:
  transfer(const char* from, std::uint64_t bytes, char* to, staging_read read, std::uint64_t piece_bytes)
    : from_(from),
      bytes_(bytes),
      to_(to),
      read_(std::move(read)),
      piece_bytes_(piece_bytes),
      pieces_((bytes + piece_bytes - 1) / piece_bytes) {}

 private:
  friend class staging;

  const char* from_;
  std::uint64_t bytes_;
  char* to_;
  staging_read read_;
  std::uint64_t piece_bytes_;
  std::uint64_t pieces_;
  // Guarded by the staging's mutex.
  std::uint64_t begun_ = 0;
  std::uint64_t done_ = 0;
  std::exception_ptr failure_;
};

staging::lane::~lane() {
  for (const slot& one : slots_) {
    if (!one.buffer) continue;
    try {
      one.buffer->wait();
    } catch (const error&) {
      // A device that cannot be waited for reads nothing any more.
    }
  }
}

double staging::lane::carry(const char* from, std::uint64_t bytes, char* to, const staging_read& read,
                            std::uint64_t buffer_bytes) {
  slot& mine = slots_[next_];
  next_ = (next_ + 1) % slots_.size();
  if (mine.buffer) mine.buffer->wait();
  const double begin = seconds_now();
  if (mine.bytes < bytes) {
    mine.buffer.reset();
    mine.bytes = 0;
    mine.buffer = target_.make_buffer(buffer_bytes);
    mine.bytes = buffer_bytes;
  }
  read(from, bytes, mine.buffer->data());
  const double end = seconds_now();
  mine.buffer->send(bytes, to);
  return end - begin;
}

staging::staging(staging_target& target, unsigned threads, std::uint64_t piece_bytes)
  : target_(target), most_threads_(threads), piece_bytes_(piece_bytes), own_(target), demand_(threads) {
  expects(threads > 0 && piece_bytes > 0, "staging takes a thread and a piece at least");
}

staging::~staging() {
  {
    const std::lock_guard held(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (std::thread& one : threads_) one.join();
}

std::shared_ptr<staging::transfer> staging::start(const char* from, std::uint64_t bytes, char* to,
                                                  staging_read read) {
  // Below a piece of 1 MiB, waking a thread costs more than it saves. A buffer of as many: a small input
  // takes no large one, and blocks of one size reuse theirs. Two such pieces are for two threads: one alone
  // reads 4.8 GB/s on an H200's host, by which a device would be taken to be slower than 16 cores.
  const std::uint64_t least = std::min(std::uint64_t{1} << 20, piece_bytes_);
  if (bytes <= std::min(2 * least, piece_bytes_) && threads_.empty()) {
    auto one = std::make_shared<transfer>(from, bytes, to, std::move(read), bytes);
    own_.carry(from, bytes, to, one->read_, std::min((bytes + least - 1) / least * least, piece_bytes_));
    one->begun_ = one->done_ = one->pieces_;
    return one;
  }
  // The first pieces are small, so that the device has something to copy while the rest is read.
  const std::uint64_t most = threads_.empty() ? std::max(piece_bytes_ / 4, least) : piece_bytes_;
  const std::uint64_t share = (bytes + most_threads_ - 1) / most_threads_;
  auto one = std::make_shared<transfer>(from, bytes, to, std::move(read), std::clamp(share, least, most));
  const auto threads = static_cast<std::size_t>(std::min<std::uint64_t>(one->pieces_, most_threads_));
  {
    const std::lock_guard held(mutex_);
    if (waiting_.empty()) demand_.begins(seconds_now());
    waiting_.push_back(one);
  }
  changed_.notify_all();
  while (threads_.size() < threads) {
    threads_.emplace_back([this, number = static_cast<unsigned>(threads_.size())] { work(number); });
  }
  return one;
}

void staging::wait(transfer& one) {
  std::unique_lock held(mutex_);
  sent_.wait(held, [&] { return one.done_ == one.pieces_; });
  if (one.failure_) std::rethrow_exception(one.failure_);
}

void staging::drop(transfer& one) {
  std::unique_lock held(mutex_);
  const auto dropped = std::erase_if(waiting_, [&](const auto& each) { return each.get() == &one; });
  if (dropped > 0 && waiting_.empty()) demand_.runs_dry(seconds_now());
  one.pieces_ = one.begun_;
  sent_.wait(held, [&] { return one.done_ == one.pieces_; });
}

std::optional<unsigned> staging::threads_needed() const {
  const std::lock_guard held(mutex_);
  return demand_.measured();
}

void staging::work(unsigned number) {
  std::exception_ptr failure;
  try {
    target_.enter_thread();
  } catch (...) {
    failure = std::current_exception();
  }
  lane mine(target_);
  std::unique_lock held(mutex_);
  while (true) {
    changed_.wait(held, [&] { return ending_ || (!waiting_.empty() && number < demand_.threads()); });
    if (ending_) break;
    if (failure && !waiting_.front()->failure_) waiting_.front()->failure_ = failure;
    carry_next(held, mine);
  }
}

/// Carries the next piece of the oldest transfer, without the mutex.
void staging::carry_next(std::unique_lock<std::mutex>& held, lane& on) {
  const std::shared_ptr<transfer> one = waiting_.front();
  const std::uint64_t at = one->begun_++ * one->piece_bytes_;
  if (one->begun_ == one->pieces_) {
    waiting_.pop_front();
    if (waiting_.empty()) demand_.runs_dry(seconds_now());
  }
  // What follows a failure is not needed any more.
  if (!one->failure_) {
    held.unlock();
    std::exception_ptr failure;
    double seconds = 0;
    try {
      seconds = on.carry(one->from_ + at, std::min(one->piece_bytes_, one->bytes_ - at), one->to_ + at,
                         one->read_, piece_bytes_);
    } catch (...) {
      failure = std::current_exception();
    }
    held.lock();
    if (failure && !one->failure_) one->failure_ = failure;
    if (!failure && demand_.read(seconds, seconds_now())) changed_.notify_all();
  }
  if (++one->done_ == one->pieces_) sent_.notify_all();
}

}  // namespace duomap::gpu
