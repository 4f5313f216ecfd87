// Decides which worker reads which stream, and keeps the order of blocks that readers pass on.
#include "scheduler/dispatch/stream_pool.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {

stream_pool::turn stream_pool::take(block& into, bool wait) {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    // The last reader of a stream goes on reading it, as long as the other workers have blocks.
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

/// The number of passed blocks that may lie ready for workers.
std::size_t stream_pool::most_passed() const {
  // There are two more blocks than waiting workers, so that some are ready while the reader maps a block
  // itself.
  constexpr std::size_t ahead = 2;
  if (!any_waited_ || !unopened_.empty()) return 0;
  return waiting_ + ahead;
}

/// A stream that nobody reads. With `mine_only`: a stream that the caller was the last to read.
std::unique_ptr<stream_pool::open_stream> stream_pool::free_stream(bool mine_only) {
  // Streams that are open come first, so that no more streams are open than there are workers.
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

/// Exchanges `into` for the oldest passed block, and returns the block's source.
std::uint32_t stream_pool::take_oldest(block& into) {
  std::swap(into, passed_.front().bytes);
  const std::uint32_t source = passed_.front().source;
  // A worker's first block brings no memory in exchange.
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
  // This wakes all waiting workers, because each must learn that the last stream has ended.
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
