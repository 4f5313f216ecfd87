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
/// Page-locking other input on the way was measured against this and is not done. On H200 hosts with driver
/// 580 and 16 cores, for a mapping of 6.3 GB of cached file: locking takes 32 to 45 ms per GB on one thread
/// and not less on several, unlocking and unmapping 13 to 15. Copies and events of other threads wait in the
/// driver meanwhile: 22 GB/s arrive beside a thread that locks 16 MiB at a time. This way 52 to 53 arrive
/// from the first run on; and 36 from a file on tmpfs that nobody has read since it was written, because the
/// kernel then moves each page to another list.
///
/// Nor are bytes copied out of the mapping: with its page tables there a thread copies 9.4 to 10.5 GB/s where
/// it reads 7.7 to 8.6 from the file, but making them costs 26 ms per GB and removing them 7.
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
