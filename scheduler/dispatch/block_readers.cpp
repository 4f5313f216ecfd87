// Runs the reading threads and exchanges their blocks under one mutex.
#include "scheduler/dispatch/block_readers.hpp"

#include <system_error>
#include <utility>

namespace duomap::scheduler {

block_readers::block_readers(unsigned threads, read_call read, block_memory* memory)
  : read_(std::move(read)),
    memory_(memory),
    most_ready_(std::size_t{threads} + threads / 2 + 2),
    working_(threads) {
  for (unsigned i = 0; i < threads; ++i) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
      const std::lock_guard lock(mutex_);
      working_ -= threads - i;
      break;
    }
  }
}

block_readers::~block_readers() { stop(); }

std::optional<std::uint32_t> block_readers::take(block& into, bool wait) {
  std::unique_lock lock(mutex_);
  const auto settled = [&] {
    return stopped_ || failure_ != nullptr || !blocks_.empty() || working_ == 0;
  };
  if (wait) ready_.wait(lock, settled);
  if (stopped_) return std::nullopt;
  if (failure_) std::rethrow_exception(failure_);
  if (blocks_.empty()) return std::nullopt;
  std::swap(into, blocks_.front().bytes);
  const std::uint32_t source = blocks_.front().source;
  // A taker's first block brings no memory in exchange.
  if (blocks_.front().bytes.capacity() > 0) spare_.push_back(std::move(blocks_.front().bytes));
  blocks_.pop_front();
  lock.unlock();
  taken_.notify_one();
  return source;
}

void block_readers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  taken_.notify_all();
  ready_.notify_all();
}

void block_readers::work() {
  try {
    std::optional<std::uint32_t> source;
    do {
      block into(memory_);
      if (!begin_block(into)) break;
      source = read_(into);
      end_block(std::move(into), source);
    } while (source);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    --working_;
  }
  // If reading has failed, this also wakes the threads that wait for room.
  taken_.notify_all();
  ready_.notify_all();
}

/// Waits until there is room for another block. False: no more blocks are wanted.
bool block_readers::begin_block(block& into) {
  std::unique_lock lock(mutex_);
  taken_.wait(lock, [&] { return stopped_ || failure_ || blocks_.size() + being_read_ < most_ready_; });
  if (stopped_ || failure_) return false;
  ++being_read_;
  if (!spare_.empty()) {
    into = std::move(spare_.back());
    spare_.pop_back();
  }
  return true;
}

void block_readers::end_block(block&& read, std::optional<std::uint32_t> source) {
  {
    const std::lock_guard lock(mutex_);
    --being_read_;
    if (source) blocks_.push_back({std::move(read), *source});
  }
  ready_.notify_one();
}

}  // namespace duomap::scheduler
