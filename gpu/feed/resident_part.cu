#include "core/feeder_threshold.hpp"
#include "gpu/feed/device_memory.hpp"
#include "gpu/feed/feeder.cuh"
#include "gpu/feed/read_gate.hpp"
#include "gpu/feed/resident_part.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/error.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

namespace duomap::gpu {
namespace {

// Device memory that stays free for broadcast arrays, for results, and for the next buffers of other resident
// parts.
constexpr std::uint64_t reserve_bytes = std::uint64_t{256} << 20;

// The extra room of a buffer that grows, because a part that has grown once will grow again.
constexpr std::uint64_t growth(std::uint64_t bytes) { return bytes / 16; }

// Kernels load four floats at a time.
constexpr std::uintptr_t load_bytes = 16;

}  // namespace

std::uint64_t resident_part::most_bytes() const {
  std::uint64_t free = 0;
  std::uint64_t total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for free device memory");
  return bytes_.size() + free - std::min(free, reserve_bytes);
}

std::uint64_t resident_part::hold(const chunk& part) {
  if (part.data == nullptr || part.size == 0) {
    part_ = part;
    part_.data = part.size == 0 ? bytes_.as<char>() : nullptr;
    return 0;
  }
  if (can_use_in_place(part)) {
    bytes_ = {};
    begin_ = end_ = 0;
    part_ = part;
    return 0;
  }
  const bool on_device = gpu_of(part.data).has_value();
  const std::uint64_t end = part.offset + part.size;
  if (bytes_.size() == 0 || part.offset != begin_ || part.size + read_padding > bytes_.size())
    make_room(part);
  // While copies are missing, the buffer counts as empty.
  const std::uint64_t kept_begin = std::exchange(begin_, part.offset);
  const std::uint64_t kept_end = std::exchange(end_, part.offset);
  std::uint64_t copied = 0;
  const auto bring = [&](std::uint64_t from, std::uint64_t to) {
    if (from >= to) return;
    copy(part.data + (from - part.offset), to - from, bytes_.as<char>() + (from - part.offset));
    if (!on_device) copied += to - from;
  };
  bring(part.offset, kept_begin);
  bring(kept_end, end);
  end_ = std::max(end, kept_end);
  part_ = part;
  part_.data = bytes_.as<char>();
  return copied;
}

bool resident_part::can_use_in_place(const chunk& part) const {
  int here = 0;
  check(cudaGetDevice(&here), "asking for the current device");
  return gpu_of(part.data) == here && reinterpret_cast<std::uintptr_t>(part.data) % load_bytes == 0;
}

// Makes a buffer for the part. Bytes of the part that the old buffer holds move to their place in the new
// one, and [begin_, end_) then says where they are.
void resident_part::make_room(const chunk& part) {
  const std::uint64_t end = part.offset + part.size;
  const bool grows = bytes_.size() > 0;
  std::uint64_t kept_begin = std::min(std::max(part.offset, begin_), end);
  std::uint64_t kept_end = std::max(kept_begin, std::min(end, end_));
  device_buffer room;
  try {
    try {
      room = device_buffer(part.size + (grows ? growth(part.size) : 0) + read_padding, on_);
    } catch (const device_out_of_memory&) {
      if (!grows) throw;
      // There is no memory for both buffers, so the old buffer is freed first and all bytes are copied again.
      bytes_ = {};
      on_.wait();
      kept_begin = kept_end = part.offset;
      room = device_buffer(part.size + read_padding, on_);
    }
  } catch (const device_out_of_memory&) {
    bytes_ = {};
    part_ = {};
    begin_ = end_ = 0;
    throw;
  }
  if (kept_begin < kept_end) {
    check(cudaMemcpyAsync(room.as<char>() + (kept_begin - part.offset),
                          bytes_.as<char>() + (kept_begin - begin_), kept_end - kept_begin,
                          cudaMemcpyDeviceToDevice, on_.get()),
          "moving resident data");
  } else {
    kept_begin = kept_end = part.offset;
  }
  bytes_ = std::move(room);
  begin_ = kept_begin;
  end_ = kept_end;
}

void resident_part::copy(const char* from, std::uint64_t bytes, char* to) const {
  if (bytes >= feeder_threshold) {
    read_gate always_open;  // nothing closes it, because a loop is never given up
    feeder feed(on_, 1, {}, always_open);
    feed.wait(feed.start(from, bytes, to));
    on_.wait();
  } else {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, on_.get()), "copying resident data");
    on_.wait();
  }
}

}  // namespace duomap::gpu
