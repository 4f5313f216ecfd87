#include "gpu/feed/feeder.cuh"
#include "gpu/runtime/check.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <thread>

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
  const std::uint64_t pieces = (bytes + piece_bytes - 1) / piece_bytes;
  const auto threads = static_cast<std::size_t>(std::min<std::uint64_t>(pieces, staging_threads));
  while (stages_.size() < threads) stages_.push_back(std::make_unique<staging_thread>());

  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  std::atomic<std::uint64_t> next{0};
  std::vector<std::exception_ptr> failures(threads);
  const auto work = [&](std::size_t thread) {
    try {
      check(cudaSetDevice(device), "using a device on a staging thread");
      for (std::uint64_t i = next++; i < pieces; i = next++) {
        const std::uint64_t at = i * piece_bytes;
        stage_piece(*stages_[thread], from + at, std::min(piece_bytes, bytes - at), to + at);
      }
    } catch (...) {
      failures[thread] = std::current_exception();
      next = pieces;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t thread = 1; thread < threads; ++thread) helpers.emplace_back(work, thread);
    work(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void feeder::stage_piece(staging_thread& with, const char* from, std::uint64_t bytes, char* to) {
  const unsigned i = with.next++ % 2;
  char* const piece = with.memory.as<char>() + i * piece_bytes;
  with.copied[i].wait();
  std::memcpy(piece, from, bytes);
  check(cudaMemcpyAsync(to, piece, bytes, cudaMemcpyHostToDevice, on_.get()),
        "copying staged input to the device");
  with.copied[i].record(on_);
}

std::vector<std::string> feeder::notes(const std::string& device) const {
  if (staged_bytes_ == 0) return {};
  return {device + ": " + std::to_string(staged_bytes_) + " of " +
          std::to_string(staged_bytes_ + direct_bytes_) +
          " bytes of input were copied twice, through page-locked buffers, because " + locks_->refusal()};
}

}  // namespace duomap::gpu
