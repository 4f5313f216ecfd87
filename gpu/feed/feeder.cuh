// Copies chunks to a device, from where they lie if their pages can be locked, else through page-locked
// buffers.
#pragma once

#include "gpu/feed/page_locks.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace duomap::gpu {

/// The way of one GPU's chunks to its memory. Used by one thread.
class feeder {
 public:
  /// `on`: where copies are queued; must outlive the feeder.
  feeder(std::shared_ptr<page_locks> locks, const stream& on) : locks_(std::move(locks)), on_(on) {}
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;
  /// Waits for its copies, because the memory they read goes away.
  ~feeder() { check_release(cudaStreamSynchronize(on_.get()), "waiting for copies at their end"); }

  /// Queues a copy. What lies in locked pages must stay unchanged until the stream has passed; the rest has
  /// been read when this returns.
  void copy(const char* from, std::uint64_t bytes, char* to);

  /// How the bytes went: nothing to say when all were copied from where they lie.
  [[nodiscard]] std::vector<std::string> notes(const std::string& device) const;

 private:
  // Enough to copy 24 GB/s; six copy 28. The CPU's workers may want the cores too.
  static constexpr unsigned staging_threads = 4;
  // Two pieces of 2 MB for each thread: one is filled while the other is on its way. Copies of this size run
  // near full speed.
  static constexpr std::uint64_t piece_bytes = std::uint64_t{2} << 20;
  struct staging_thread {
    pinned_buffer memory{2 * piece_bytes};
    std::array<event, 2> copied;
    unsigned next = 0;
  };

  void stage_piece(staging_thread& with, const char* from, std::uint64_t bytes, char* to);
  void stage(const char* from, std::uint64_t bytes, char* to);

  std::shared_ptr<page_locks> locks_;
  const stream& on_;
  std::vector<std::unique_ptr<staging_thread>> stages_;  // made when something has to be staged
  std::uint64_t direct_bytes_ = 0;
  std::uint64_t staged_bytes_ = 0;
};

}  // namespace duomap::gpu
