#include "core/error.hpp"
#include "core/own_thread.hpp"
#include "gpu/engines/custom/placed_output.cuh"
#include "gpu/runtime/check.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace duomap::gpu {

// A copy of rows to the host. The copy treats the device's rows as one row, bytes [0, bytes).
class placed_output::transfer {
 public:
  transfer(const char* from, std::uint64_t rows, const host_rows& to, const event& ready)
    : from_(from), to_(to), bytes_(rows * to.row_bytes), ready_(ready) {}

 private:
  friend class placed_output;
  const char* from_;
  host_rows to_;
  std::uint64_t bytes_;
  const event& ready_;
  // Guarded by the mutex of placed_output.
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  std::exception_ptr failure_;
};

struct placed_output::piece {
  std::shared_ptr<transfer> of;
  std::uint64_t begin;
  std::uint64_t bytes;
};

// The two page-locked buffers of one thread, used in turn.
class placed_output::lane {
 public:
  /// Queues the copy of a piece into the free buffer.
  void fetch(const piece& one) {
    slot& mine = slots_[fetched_ % slots_.size()];
    if (!mine.buffer) mine.buffer.emplace(piece_bytes);
    one.of->ready_.make_wait(on_);
    check(cudaMemcpyAsync(mine.buffer->as<char>(), one.of->from_ + one.begin, one.bytes,
                          cudaMemcpyDeviceToHost, on_.get()),
          "copying output from the device");
    mine.fetched.record(on_);
    mine.part = one;
    ++fetched_;
  }

  /// Copies the older of the fetched pieces to its place in host memory.
  void place(read_gate& gate) {
    const slot& mine = slots_[placed_ % slots_.size()];
    mine.fetched.wait();
    const host_rows& to = mine.part->of->to_;
    gate.pass([&] {
      const char* from = mine.buffer->as<char>();
      for (std::uint64_t at = mine.part->begin, end = at + mine.part->bytes; at < end;) {
        const std::uint64_t row = at / to.row_bytes;
        const std::uint64_t column = at % to.row_bytes;
        // Without room between the rows, all rows are copied as one.
        const std::uint64_t count =
            to.stride == to.row_bytes ? end - at : std::min(end - at, to.row_bytes - column);
        std::memcpy(to.data + row * to.stride + column, from, count);
        from += count;
        at += count;
      }
    });
  }

  [[nodiscard]] std::uint64_t pieces() const noexcept { return fetched_ - placed_; }

  piece release() {
    slot& mine = slots_[placed_++ % slots_.size()];
    return *std::exchange(mine.part, std::nullopt);
  }

 private:
  struct slot {
    std::optional<pinned_buffer> buffer;
    std::optional<piece> part;
    event fetched;
  };

  std::array<slot, 2> slots_;
  stream on_;  // the first to be destroyed: waits for queued copies before buffers are released
  std::uint64_t fetched_ = 0;
  std::uint64_t placed_ = 0;
};

placed_output::placed_output(read_gate& gate, unsigned threads) : gate_(gate), most_threads_(threads) {
  check(cudaGetDevice(&device_), "asking for the current device");
}

placed_output::~placed_output() {
  {
    const std::lock_guard held(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  waiting_or_end_.notify_all();
  for (kept_thread& one : threads_) one.join();
}

std::shared_ptr<placed_output::transfer> placed_output::start(const char* from, std::uint64_t rows,
                                                              const host_rows& to, const event& ready) {
  auto one = std::make_shared<transfer>(from, rows, to, ready);
  if (one->bytes_ == 0) return one;
  const std::uint64_t useful = (one->bytes_ + piece_bytes - 1) / piece_bytes;
  while (threads_.size() < std::min<std::uint64_t>(most_threads_, useful)) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error& none_left) {
      if (!threads_.empty()) break;  // the threads that have started are enough
      no_thread("to bring a device's output to the host", none_left);
    }
  }
  {
    const std::lock_guard held(mutex_);
    waiting_.push_back(one);
  }
  waiting_or_end_.notify_all();
  return one;
}

std::optional<placed_output::piece> placed_output::take() {
  if (waiting_.empty()) return std::nullopt;
  transfer& first = *waiting_.front();
  piece next{waiting_.front(), first.begun_, std::min(piece_bytes, first.bytes_ - first.begun_)};
  first.begun_ += next.bytes;
  if (first.begun_ == first.bytes_) waiting_.pop_front();
  return next;
}

void placed_output::wait(transfer& one) {
  std::unique_lock held(mutex_);
  placed_.wait(held, [&] { return one.ended_ == one.bytes_; });
  if (one.failure_) std::rethrow_exception(one.failure_);
}

void placed_output::end(const piece& one, std::exception_ptr failure) {
  const std::lock_guard held(mutex_);
  one.of->ended_ += one.bytes;
  if (failure && !one.of->failure_) one.of->failure_ = std::move(failure);
  if (one.of->ended_ == one.of->bytes_) placed_.notify_all();
}

void placed_output::work() {
  std::optional<lane> mine;
  std::exception_ptr broken;
  try {
    use_gpu(device_);
    mine.emplace();
  } catch (...) {
    broken = std::current_exception();  // each piece that this thread takes fails with this error
  }
  while (true) {
    const std::uint64_t on_their_way = mine ? mine->pieces() : 0;
    std::optional<piece> next;
    {
      std::unique_lock held(mutex_);
      if (on_their_way == 0) waiting_or_end_.wait(held, [&] { return ending_ || !waiting_.empty(); });
      next = take();
    }
    if (!next && on_their_way == 0) return;
    if (next) {
      try {
        if (broken) std::rethrow_exception(broken);
        mine->fetch(*next);
      } catch (...) {
        end(*next, std::current_exception());
      }
    }
    // While one buffer has a piece under way, the other buffer can take the next piece.
    if (!mine || mine->pieces() == 0 || (next && mine->pieces() < 2)) continue;
    std::exception_ptr failure;
    try {
      mine->place(gate_);
    } catch (...) {
      failure = std::current_exception();
    }
    end(mine->release(), failure);
  }
}

}  // namespace duomap::gpu
