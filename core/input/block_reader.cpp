#include "core/input/block_reader.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace duomap {

block_reader::block_reader(std::unique_ptr<byte_stream> stream, const boundary& records,
                           std::uint64_t target_bytes, std::string name)
  : stream_(std::move(stream)), records_(records), target_bytes_(target_bytes), name_(std::move(name)) {
  expects(stream_ != nullptr, "a block reader needs a stream");
  expects(target_bytes_ > 0, "blocks of no bytes never reach the end");
}

bool block_reader::next(block& into) {
  std::uint64_t used = tail_.size();
  grow(into, used, std::max(target_bytes_, 2 * used));
  if (used != 0) {
    std::memcpy(into.data(), tail_.data(), used);
  }

  std::uint64_t cut = 0;
  do {
    // `used` bytes belong to one unfinished record. Looking at them again only after as many new ones keeps
    // the scans of a record of n bytes below 2 n in sum.
    const std::uint64_t goal = std::max(target_bytes_, 2 * used);
    grow(into, used, goal);
    while (used < goal && !ended_) {
      const std::uint64_t count = stream_->read(into.data() + used, goal - used);
      used += count;
      ended_ = count == 0;
    }
    if (!started_) {
      // What stands in front of the first record, such as the header of rows, belongs to no block.
      const std::uint64_t start = records_.first_start({into.data(), used}, 0, used);
      started_ = start < used;
      if (!started_ && !ended_) continue;
      used -= start;
      offset_ += start;
      std::memmove(into.data(), into.data() + start, used);
    }
    cut = ended_ ? used : records_.last_start({into.data(), used});
  } while (cut == 0 && !ended_);

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
    throw out_of_memory(name_ + ": out of memory: the record at byte " + std::to_string(offset_) +
                        " is already " + std::to_string(used) + " bytes long, and no block of " +
                        std::to_string(capacity) +
                        " bytes could be had; is this the right record format for this input?");
  }
}

}  // namespace duomap
