#include "gpu/feeder.cuh"

#include <algorithm>
#include <cstring>

#include "gpu/check.cuh"

namespace duomap::gpu {

void feeder::copy(const char* from, std::uint64_t bytes, char* to) {
  while (bytes > 0) {
    const page_locks::span part = locks_->lock(from, bytes);
    if (part.locked) {
      check(cudaMemcpyAsync(to, from, part.bytes, cudaMemcpyHostToDevice, on_.get()),
            [&] { return "copying " + std::to_string(part.bytes) + " bytes of input to the device"; });
      direct_bytes_ += part.bytes;
    } else {
      stage(from, part.bytes, to);
      staged_bytes_ += part.bytes;
    }
    from += part.bytes;
    to += part.bytes;
    bytes -= part.bytes;
  }
}

void feeder::stage(const char* from, std::uint64_t bytes, char* to) {
  if (!ring_) ring_.emplace();
  for (std::uint64_t at = 0; at < bytes; at += piece_bytes) {
    const std::uint64_t size = std::min(piece_bytes, bytes - at);
    const unsigned i = ring_->next++ % pieces;
    char* const piece = ring_->memory.as<char>() + i * piece_bytes;
    ring_->copied[i].wait();
    std::memcpy(piece, from + at, size);
    check(cudaMemcpyAsync(to + at, piece, size, cudaMemcpyHostToDevice, on_.get()), "copying staged input to the device");
    ring_->copied[i].record(on_);
  }
}

std::vector<std::string> feeder::notes(const std::string& device) const {
  if (staged_bytes_ == 0) return {};
  return {device + ": " + std::to_string(staged_bytes_) + " of " + std::to_string(staged_bytes_ + direct_bytes_) +
          " bytes of input were copied twice, through page-locked buffers, because " + locks_->refusal()};
}

}  // namespace duomap::gpu
