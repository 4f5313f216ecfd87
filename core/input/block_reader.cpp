// Reads a stream part by part. Cuts each part behind its last whole record, and puts the rest in front of the
// next part.
#include "core/input/block_reader.hpp"

#include "core/config.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace duomap {

namespace {

// Bytes of room in front of a part, for the rest of the previous part.
constexpr std::uint64_t usual_tail = torture ? 2 : std::uint64_t{64} << 10;

}  // namespace

block_reader::block_reader(std::unique_ptr<byte_stream> stream, const boundary& records,
                           std::uint64_t target_bytes, std::string name)
  : stream_(std::move(stream)), records_(records), target_bytes_(target_bytes), name_(std::move(name)) {
  expects(stream_ != nullptr, "a block reader needs a stream");
  expects(target_bytes_ > 0, "blocks of no bytes never reach the end");
}

bool block_reader::next(block& into) { return next(into, nullptr); }

bool block_reader::next(block& into, const std::function<void()>& pass_on) {
  const std::uint64_t number = calls_++;
  std::unique_ptr<stream_part> part;
  std::uint64_t size = 0;
  std::exception_ptr
      failure;  // is thrown in its turn, so that the caller gets the first failure in the stream
  try {
    if (pass_on && !has_long_record()) part = stream_->take_part(target_bytes_);
    if (part) {
      pass_on();
      size = read_apart(into, *part);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  return in_turn(number, [&] {
    if (failure) std::rethrow_exception(failure);
    return part ? join(into, size) : next_in_order(into);
  });
}

template <class Call>
bool block_reader::in_turn(std::uint64_t number, const Call& call) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return turn_ == number || failure_ != nullptr; });
  if (failure_) std::rethrow_exception(failure_);
  lock.unlock();
  bool found = false;
  std::exception_ptr failure;
  try {
    found = call();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  failure_ = failure;
  ++turn_;
  long_record_ = tail_.size() > target_bytes_;
  lock.unlock();
  changed_.notify_all();
  if (failure) std::rethrow_exception(failure);
  return found;
}

bool block_reader::has_long_record() {
  const std::lock_guard lock(mutex_);
  return long_record_;
}

/// Reads a part without waiting for the parts before it. Returns the number of bytes.
std::uint64_t block_reader::read_apart(block& into, stream_part& part) {
  try {
    into.clear(usual_tail);
    into.reserve(part.most_bytes());
  } catch (const std::bad_alloc&) {
    throw out_of_memory(name_ + ": out of memory for " + std::to_string(part.most_bytes()) +
                        " decompressed bytes; give fewer threads or free memory");
  }
  return part.read(into.data());
}

/// Makes a block of the previous block's rest and of the `size` bytes that read_apart() has read.
bool block_reader::join(block& into, std::uint64_t size) {
  into.resize(size);
  try {
    into.prepend({tail_.data(), tail_.size()});
  } catch (const std::bad_alloc&) {
    no_room(tail_.size(), tail_.size() + size);
  }
  std::uint64_t used = into.size();
  const std::uint64_t cut = begin_records(into, used) ? records_.last_start({into.data(), used}) : 0;
  return hand_out(into, used, cut);
}

bool block_reader::next_in_order(block& into) {
  std::uint64_t used = tail_.size();
  into.clear();
  grow(into, used, std::max<std::uint64_t>(target_bytes_, 2 * used));
  if (used != 0) {
    std::memcpy(into.data(), tail_.data(), used);
  }

  std::uint64_t cut = 0;
  do {
    // All `used` bytes belong to one unfinished record. They are scanned again only when they have doubled,
    // so all scans of a record of n bytes together read less than 2 n bytes.
    const std::uint64_t goal = std::max<std::uint64_t>(target_bytes_, 2 * used);
    while (used < goal && !ended_) used += read_more(into, used, goal);
    if (begin_records(into, used)) cut = ended_ ? used : records_.last_start({into.data(), used});
  } while (cut == 0 && !ended_);
  return hand_out(into, used, cut);
}

/// Reads more bytes behind the first `used` ones. Returns the number of new bytes.
std::uint64_t block_reader::read_more(block& into, std::uint64_t used, std::uint64_t goal) {
  if (const auto part = stream_->take_part(goal - used)) {
    grow(into, used, used + part->most_bytes());
    return part->read(into.data() + used);
  }
  grow(into, used, goal);
  const std::uint64_t count = stream_->read(into.data() + used, goal - used);
  ended_ = count == 0;
  return count;
}

/// Drops the bytes in front of the first record, such as the header in front of rows. Returns false if no
/// record has begun yet, so that the reader must read on.
bool block_reader::begin_records(block& into, std::uint64_t& used) {
  if (started_) return true;
  const std::uint64_t start = records_.first_start({into.data(), used}, 0, used);
  started_ = start < used;
  if (!started_ && !ended_) return false;
  used -= start;
  offset_ += start;
  std::memmove(into.data(), into.data() + start, used);
  return true;
}

/// Makes a block of the first `cut` bytes, and keeps the other `used - cut` bytes for the next block.
bool block_reader::hand_out(block& into, std::uint64_t used, std::uint64_t cut) {
  try {
    tail_.assign(into.data() + cut, into.data() + used);
  } catch (const std::bad_alloc&) {
    throw out_of_memory(name_ + ": out of memory for the " + std::to_string(used - cut) +
                        " bytes already read of the record at byte " + std::to_string(offset_ + cut) +
                        "; give fewer threads or free memory");
  }
  into.resize(cut);
  into.set_offset(offset_);
  offset_ += cut;
  return cut != 0;
}

void block_reader::grow(block& into, std::uint64_t used, std::uint64_t capacity) {
  try {
    into.reserve(capacity);
  } catch (const std::bad_alloc&) {
    no_room(used, capacity);
  }
}

void block_reader::no_room(std::uint64_t used, std::uint64_t capacity) const {
  throw out_of_memory(name_ + ": out of memory: the record at byte " + std::to_string(offset_) +
                      " is already " + std::to_string(used) + " bytes long, and no block of " +
                      std::to_string(capacity) +
                      " bytes could be had; is this the right record format for this input?");
}

}  // namespace duomap
