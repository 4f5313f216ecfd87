// Runs the threads that read ranges into page-locked buffers, and sends each full buffer to the device.
#include "gpu/feed/staging.hpp"

#include "core/error.hpp"
#include "core/own_thread.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace duomap::gpu {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t to) {
  return (bytes + to - 1) / to * to;
}

// Below a piece of 1 MiB, waking a thread costs more than it saves. When the caller carries a small range,
// the buffer has one or two MiB, so that later ranges of this size can reuse it.
constexpr std::uint64_t least_piece_bytes = std::uint64_t{1} << 20;

// The least bytes of a part, which take 16 us to read.
constexpr std::uint64_t least_part_bytes = std::uint64_t{128} << 10;

// A range has several pieces, so that the device copies one while threads read the next.
constexpr std::uint64_t pieces_of_a_range = 4;

}  // namespace

class staging_transfer {
 public:
  staging_transfer(const char* from, std::uint64_t bytes, char* to, staging_read read,
                   std::uint64_t piece_bytes)
    : from_(from), to_(to), read_(std::move(read)), piece_bytes_(piece_bytes), bytes_(bytes) {}

 private:
  friend class staging;

  const char* from_;
  char* to_;
  staging_read read_;
  std::uint64_t piece_bytes_;
  // Guarded by the staging's mutex.
  std::uint64_t bytes_;       // the range's bytes, without those that were left out
  std::uint64_t opened_ = 0;  // bytes of pieces that were opened
  std::uint64_t passed_ = 0;  // bytes of opened pieces that were sent or left out
  bool left_out_ = false;     // no thread reads or sends the rest of the range
  std::exception_ptr failure_;
};

staging::staging(staging_target& target, unsigned threads, const staging_sizes& sizes)
  : target_(target), most_threads_(threads), sizes_(sizes), demand_(threads) {
  expects(threads > 0 && sizes.piece_bytes > 0 && sizes.buffers > 0 && sizes.part_bytes > 0,
          "staging takes a thread, a buffer and a byte at least");
}

staging::~staging() {
  {
    const std::lock_guard held(mutex_);
    ending_ = true;
    waiting_.clear();
    filling_.reset();
  }
  changed_.notify_all();
  for (kept_thread& one : threads_) one.join();
  for (const slot& one : slots_) {
    if (!one.buffer) continue;
    try {
      one.buffer->wait();
    } catch (const error&) {
      // The exception is dropped: a device that reports an error here reads nothing any more.
    }
  }
}

std::shared_ptr<staging::transfer> staging::start(const char* from, std::uint64_t bytes, char* to,
                                                  staging_read read) {
  const std::uint64_t least = std::min(least_piece_bytes, sizes_.piece_bytes);
  if (bytes <= std::min(2 * least, sizes_.piece_bytes) && threads_.empty()) {
    auto one = std::make_shared<transfer>(from, bytes, to, std::move(read), bytes);
    carry_alone(from, bytes, to, one->read_, std::min(rounded_up(bytes, least), sizes_.piece_bytes));
    one->opened_ = one->passed_ = bytes;
    return one;
  }
  const std::uint64_t share = rounded_up((bytes + pieces_of_a_range - 1) / pieces_of_a_range, least);
  auto one =
      std::make_shared<transfer>(from, bytes, to, std::move(read), std::min(share, sizes_.piece_bytes));
  const std::uint64_t parts = (bytes + sizes_.part_bytes - 1) / sizes_.part_bytes;
  const auto threads = static_cast<std::size_t>(std::min<std::uint64_t>(parts, most_threads_));
  {
    const std::lock_guard held(mutex_);
    if (is_dry()) demand_.begins(seconds_now());
    waiting_.push_back(one);
  }
  changed_.notify_all();
  while (threads_.size() < threads) {
    try {
      threads_.emplace_back([this, number = static_cast<unsigned>(threads_.size())] { work(number); });
    } catch (const std::system_error& none_left) {
      if (!threads_.empty()) break;  // the threads that have started are enough
      const std::lock_guard held(mutex_);
      leave_out_rest(*one);
      no_thread("to feed a device", none_left);
    }
  }
  return one;
}

/// Reads and sends a whole range on the caller's thread, while no threads have started. Two slots take turns.
void staging::carry_alone(const char* from, std::uint64_t bytes, char* to, const staging_read& read,
                          std::uint64_t buffer_bytes) {
  slot& mine = take_slot(2);
  idle_.push_back(&mine);
  make_ready(mine, buffer_bytes);
  read(from, bytes, mine.buffer->data());
  mine.buffer->send(bytes, to);
}

/// Returns the idle slot that was sent first, if at least `least_idle` slots are idle, else a new slot. A
/// thread that loses its core keeps its slot for milliseconds, so there may be an additional slot for each
/// thread.
staging::slot& staging::take_slot(std::size_t least_idle) {
  if (idle_.size() < least_idle) {
    idle_.reserve(slots_.size() + 1);  // push_back() then allocates nothing when a slot becomes idle again
    return slots_.emplace_back();
  }
  slot& taken = *idle_.front();
  idle_.erase(idle_.begin());
  return taken;
}

/// Waits until the device has read the slot's buffer, and makes the buffer at least `bytes` bytes large.
void staging::make_ready(slot& into, std::uint64_t bytes) {
  if (into.buffer) into.buffer->wait();
  if (into.bytes >= bytes) return;
  into.buffer.reset();
  into.bytes = 0;
  into.buffer = target_.make_buffer(bytes);
  into.bytes = bytes;
}

void staging::wait(transfer& one) {
  lock held(mutex_);
  sent_.wait(held, [&] { return one.passed_ == one.bytes_; });
  if (one.failure_) std::rethrow_exception(one.failure_);
}

void staging::drop(transfer& one) {
  lock held(mutex_);
  leave_out_rest(one);
  sent_.wait(held, [&] { return one.passed_ == one.bytes_; });
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
  lock held(mutex_);
  while (true) {
    changed_.wait(held, [&] {
      return ending_ || ((filling_ || (!waiting_.empty() && !opening_)) && number < demand_.threads());
    });
    if (ending_) break;
    if (failure) {
      const std::shared_ptr<transfer> one = filling_ ? filling_->of : waiting_.front();
      fail(*one, failure);
    } else if (filling_) {
      read_part(held, number);
    } else {
      open_piece(held);
    }
  }
}

/// Opens the next piece of the oldest range, so that the threads read it. Makes its slot ready without
/// holding the mutex, while other threads still read the piece before.
void staging::open_piece(lock& held) {
  const std::shared_ptr<transfer> of = waiting_.front();
  std::shared_ptr<piece> one;
  try {
    one = std::make_shared<piece>();
    one->of = of;
    one->at = of->opened_;
    one->bytes = std::min(of->piece_bytes_, of->bytes_ - of->opened_);
    one->part_bytes = std::clamp(rounded_up((one->bytes + most_threads_ - 1) / most_threads_, 64),
                                 std::min(least_part_bytes, sizes_.part_bytes), sizes_.part_bytes);
    one->parts = (one->bytes + one->part_bytes - 1) / one->part_bytes;
    one->taken.resize(one->parts);
    one->into = &take_slot(std::max(sizes_.buffers - 1, 1u));
  } catch (const std::bad_alloc&) {
    return fail(*of, std::make_exception_ptr(out_of_memory("no host memory to feed a device with")));
  }
  of->opened_ += one->bytes;
  if (of->opened_ == of->bytes_) waiting_.pop_front();
  opening_ = true;
  held.unlock();
  std::exception_ptr failure;
  try {
    make_ready(*one->into, sizes_.piece_bytes);
  } catch (...) {
    failure = std::current_exception();
  }
  held.lock();
  if (failure) fail(*of, failure);
  opening_ = false;
  if (ending_ || of->left_out_) {
    if (is_dry()) demand_.runs_dry(seconds_now());
    passed(*one);
  } else {
    filling_ = std::move(one);
  }
  changed_.notify_all();
}

/// Returns the part with the thread's own number, else the last part that no thread has begun. So a core
/// writes lines that its cache still has: two H200 got 2 GB of a cached file in 25.6 ms instead of 30.0
/// (decision 15).
std::uint64_t staging::take_part(piece& of, unsigned number) {
  std::uint64_t part = number;
  if (part >= of.parts || of.taken[part]) {
    part = of.parts - 1;
    while (of.taken[part]) --part;
  }
  of.taken[part] = true;
  ++of.begun;
  return part;
}

/// Reads a part of the piece without holding the mutex, and sends the piece if all other parts are done.
void staging::read_part(lock& held, unsigned number) {
  const std::shared_ptr<piece> one = filling_;
  const std::uint64_t at = take_part(*one, number) * one->part_bytes;
  const double begin = seconds_now();
  if (one->begun == one->parts) {
    filling_.reset();
    if (is_dry()) demand_.runs_dry(begin);
  }
  held.unlock();
  std::exception_ptr failure;
  try {
    one->of->read_(one->of->from_ + one->at + at, std::min(one->part_bytes, one->bytes - at),
                   one->into->buffer->data() + at);
  } catch (...) {
    failure = std::current_exception();
  }
  const double end = seconds_now();
  held.lock();
  if (failure) {
    fail(*one->of, failure);
  } else if (demand_.read(end - begin, end)) {
    changed_.notify_all();
  }
  if (++one->done == one->parts) send(held, *one);
}

/// Sends a piece that all threads have finished reading, unless its range was left out.
void staging::send(lock& held, piece& full) {
  if (!full.of->left_out_) {
    held.unlock();
    std::exception_ptr failure;
    try {
      full.into->buffer->send(full.bytes, full.of->to_ + full.at);
    } catch (...) {
      failure = std::current_exception();
    }
    held.lock();
    if (failure) fail(*full.of, failure);
  }
  passed(full);
}

/// Lets no thread begin more of the range. Parts being read are still read, but not sent.
void staging::leave_out_rest(transfer& one) {
  const bool was_dry = is_dry();
  one.left_out_ = true;
  one.bytes_ = one.opened_;
  std::erase_if(waiting_, [&](const auto& each) { return each.get() == &one; });
  if (filling_ && filling_->of.get() == &one) {
    const std::shared_ptr<piece> rest = std::exchange(filling_, nullptr);
    rest->parts = rest->begun;
    // If threads still read parts of the piece, the thread that finishes the last part counts the piece.
    if (rest->done == rest->parts) passed(*rest);
  }
  if (!was_dry && is_dry()) demand_.runs_dry(seconds_now());
  sent_.notify_all();  // the caller now waits for fewer bytes
}

/// Stores the first failure of the range, and leaves the rest of the range out.
void staging::fail(transfer& one, std::exception_ptr why) {
  if (!one.failure_) one.failure_ = std::move(why);
  leave_out_rest(one);
}

/// Whether no thread could begin a part, either now or as soon as the slot that is being prepared is ready.
bool staging::is_dry() const { return waiting_.empty() && !filling_ && !opening_; }

/// Counts a piece that was sent or left out, and makes its slot idle.
void staging::passed(piece& one) {
  idle_.push_back(one.into);
  one.of->passed_ += one.bytes;
  sent_.notify_all();
}

}  // namespace duomap::gpu
