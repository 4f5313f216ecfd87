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

/// Brings the chunks of one GPU to its memory. Threads read a chunk into page-locked buffers, from the file
/// if there is one, and the device copies from the buffers. The device copies memory that a page_lock holds
/// from where it lies. A GPU whose memory already holds the input copies it from there.
///
/// The feeder does not page-lock other input on the way, because the driver blocks the copies of other
/// threads meanwhile: 22 GB/s would arrive instead of 52. Nor does it copy bytes out of a file's mapping,
/// because making and removing the page tables costs more than reading the file. Decision 15 has the figures.
///
/// Used by one thread, whose current device must be the stream's device.
class feeder {
 public:
  /// A transfer under way; null: all its copies have been queued.
  using transfer = std::shared_ptr<staging_transfer>;

  /// `on`: the stream of the copies. `devices`: the number of devices that share the machine's cores. `gate`:
  /// all reading of input passes through it. `on` and `gate` must outlive the feeder.
  feeder(const stream& on, unsigned devices, const feed_options& options, read_gate& gate);
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;
  /// Remembers for the next run how many threads this device needed.
  ~feeder();

  /// Begins to bring `bytes` > 0 bytes to `to`, in device memory. The bytes must stay unchanged until the
  /// stream has passed the copies that wait() waits for.
  [[nodiscard]] transfer start(const char* from, std::uint64_t bytes, char* to);

  /// Returns when all copies of a transfer have been queued. Throws any exception of reading and copying.
  void wait(const transfer& one);

  /// Drops a transfer as staging::drop() does (gpu/feed/staging.hpp).
  void drop(const transfer& one);

  /// Sentences for the run's report about slow paths that the feeder took; empty if there were none.
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
