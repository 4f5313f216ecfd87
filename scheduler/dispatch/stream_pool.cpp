// Decides which worker reads which stream, and keeps passed blocks in order.
#include "scheduler/dispatch/stream_pool.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {

stream_pool::turn stream_pool::take(block& into, bool wait) {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    // The last reader of a stream reads on, as long as the others have blocks.
    if (passed_.size() < most_passed()) {
      if (auto stream = free_stream(true)) return {.stream = std::move(stream)};
    }
    if (!passed_.empty()) return {.source = take_oldest(into)};
    if (auto stream = free_stream(false)) return {.stream = std::move(stream)};
    if (in_use_ == 0 || !wait) return {};
    any_waited_ = true;
    ++waiting_;
    changed_.wait(lock);
    --waiting_;
  }
  return {};
}

std::optional<std::uint32_t> stream_pool::pass_on(block& into, std::uint32_t source) {
  {
    const std::lock_guard lock(mutex_);
    const std::size_t most = most_passed();
    if (stopped_ || most == 0) return source;
    passed_.push_back({std::move(into), source});
    if (spare_.empty()) {
      into = block(memory_);
    } else {
      into = std::move(spare_.back());
      spare_.pop_back();
    }
    if (passed_.size() > most) return take_oldest(into);
  }
  changed_.notify_one();
  return std::nullopt;
}

/// The number of blocks that may wait for a worker.
std::size_t stream_pool::most_passed() const {
  // More blocks are passed on than workers wait for, so that some are ready while the reader maps a block
  // itself.
  constexpr std::size_t ahead = 2;
  if (!any_waited_ || !unopened_.empty()) return 0;
  return waiting_ + ahead;
}

/// A stream that nobody reads; with `mine_only` a stream that the caller read last.
std::unique_ptr<stream_pool::open_stream> stream_pool::free_stream(bool mine_only) {
  // Open streams come first, so that no more are open than there are workers.
  const auto mine = std::find_if(idle_.begin(), idle_.end(), [](const auto& one) {
    return one->last_reader == std::this_thread::get_id();
  });
  std::unique_ptr<open_stream> stream;
  if (mine != idle_.end()) {
    stream = std::move(*mine);
    idle_.erase(mine);
  } else if (mine_only) {
    return nullptr;
  } else if (!idle_.empty()) {
    stream = std::move(idle_.front());
    idle_.pop_front();
  } else if (!unopened_.empty()) {
    stream = std::make_unique<open_stream>(open_stream{unopened_.front(), nullptr});
    unopened_.pop_front();
  } else {
    return nullptr;
  }
  stream->last_reader = std::this_thread::get_id();
  ++in_use_;
  return stream;
}

/// Returns the block's source.
std::uint32_t stream_pool::take_oldest(block& into) {
  std::swap(into, passed_.front().bytes);
  const std::uint32_t source = passed_.front().source;
  // The first block that a worker gives back has no memory that could be reused.
  if (passed_.front().bytes.capacity() > 0) spare_.push_back(std::move(passed_.front().bytes));
  passed_.pop_front();
  return source;
}

void stream_pool::release(std::unique_ptr<open_stream> stream, bool ended) {
  {
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (!ended) idle_.push_back(std::move(stream));
  }
  // This wakes all waiters, because they must learn when the last stream has ended.
  changed_.notify_all();
}

void stream_pool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

}  // namespace duomap::scheduler
