// Brings chunks to a device.
#pragma once

#include "core/input/mapping_reader.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/feed/staging.hpp"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace duomap::gpu {

/// The way of one GPU's chunks to its memory: threads read them, from the file where there is one, into
/// page-locked buffers, which the device copies from.
///
/// Page-locking the input where it lies was measured against this and is not done. On an H200 with driver
/// 580 and 16 cores, for a mapping of 4.2 GB of cached file that is seen for the first time: locking 26 to 36
/// ms per GB and not faster with several threads, larger windows or pages populated before; copies wait in
/// the driver meanwhile, so that 18 to 24 GB/s arrive; unlocking and unmapping take 8 to 15 ms per GB more.
/// This way 53 GB/s arrive, 55.3 being the link's speed, which locked pages reach from the second time on;
/// and 36 GB/s from a file on tmpfs that nobody has read since it was written, because the kernel then moves
/// each page to another list.
///
/// Used by one thread, with the device current that the stream is on.
class feeder {
 public:
  using transfer = std::shared_ptr<staging::transfer>;

  /// `on`: where copies are queued; must outlive the feeder. `devices`: how many share the machine's cores.
  feeder(const stream& on, unsigned devices, const feed_options& options);

  /// Begins to bring `bytes` > 0 bytes to `to`, in device memory. They must stay unchanged until the stream
  /// has passed what wait() waits for.
  [[nodiscard]] transfer start(const char* from, std::uint64_t bytes, char* to);

  /// Returns when all copies of a transfer have been queued. Throws what reading and copying throws.
  void wait(const transfer& one) { staging_.wait(*one); }

  /// What went slower than it should; nothing to say when nothing did.
  [[nodiscard]] std::vector<std::string> notes(const std::string& device) const;

 private:
  class buffer;

  /// The device, for the staging threads.
  class copies final : public staging_target {
   public:
    copies(const stream& on, const feed_options& options);
    void enter_thread() override;
    std::unique_ptr<staging_buffer> make_buffer(std::uint64_t bytes) override;
    [[nodiscard]] std::string refusal() const;

   private:
    const stream& on_;
    std::vector<unsigned> cores_;
    bool refuse_locked_;
    int device_ = 0;
    mutable std::mutex mutex_;
    std::string refusal_;  // guarded by mutex_
  };

  copies copies_;
  staging staging_;
  std::shared_ptr<const mapping_reader> reader_;  // of the mapping that the last chunk was in
};

}  // namespace duomap::gpu
