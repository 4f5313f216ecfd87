// Brings chunks to a device.
#pragma once

#include "gpu/feed/feed_options.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace duomap::gpu {

class read_gate;
class staging_transfer;
class stream;

/// The way of one GPU's chunks to its memory: threads read them, from the file where there is one, into
/// page-locked buffers, which the device copies from. What a page_lock holds it copies from where it lies.
///
/// What lies in a GPU's memory already is copied from there, by that GPU.
///
/// Other input is not page-locked on the way, because copies of other threads wait in the driver meanwhile:
/// 22 GB/s would arrive instead of 52. Nor are bytes copied out of the mapping, because making and removing
/// its page tables costs more than reading the file. Decision 15 has the figures.
///
/// Used by one thread, with the device current that the stream is on.
class feeder {
 public:
  /// Null: all of it has been queued.
  using transfer = std::shared_ptr<staging_transfer>;

  /// `on`: where copies are queued. `devices`: how many share the machine's cores. `gate`: what all reading
  /// goes through. `on` and `gate` must outlive the feeder.
  feeder(const stream& on, unsigned devices, const feed_options& options, read_gate& gate);
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;
  /// Remembers for the next run how many threads were needed.
  ~feeder();

  /// Begins to bring `bytes` > 0 bytes to `to`, in device memory. They must stay unchanged until the stream
  /// has passed what wait() waits for.
  [[nodiscard]] transfer start(const char* from, std::uint64_t bytes, char* to);

  /// Returns when all copies of a transfer have been queued. Throws what reading and copying throws.
  void wait(const transfer& one);

  /// See staging::drop() (gpu/feed/staging.hpp).
  void drop(const transfer& one);

  /// What went slower than it should; nothing to say when nothing did.
  [[nodiscard]] std::vector<std::string> notes(const std::string& device) const;

 private:
  class buffer;
  class copies;
  struct carriers;

  const stream& on_;
  read_gate& gate_;
  std::unique_ptr<carriers> carriers_;
};

}  // namespace duomap::gpu
