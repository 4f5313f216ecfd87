// The seam between a GPU's executor, which moves chunks, and the engines, which know how to map and reduce
// one. host only
#pragma once

#include "core/chunk.hpp"
#include "core/engine_kind.hpp"

#include <string>
#include <vector>

namespace duomap::gpu {

/// An engine at work for one task on one stream of one device, behind calls per chunk. Used by one thread.
class engine {
 public:
  virtual ~engine() = default;

  [[nodiscard]] virtual engine_kind kind() const noexcept = 0;

  /// Queues map and reduce of a chunk behind what is already on the engine's stream, and returns without
  /// waiting. The chunk's bytes are in device memory, followed by the padding that the record format asks for
  /// (gpu/record/chunk_padding.hpp), and stay there until finish_oldest() has returned for it; source and
  /// offset are those of the input. Throws device_out_of_memory when nothing of the chunk was queued.
  virtual void enqueue(const chunk& resident) = 0;

  /// Waits for the oldest chunk that is not finished, and repeats what had no room: afterwards it is counted
  /// as a whole. Throws device_lost, and out_of_memory when a single tile of it does not fit into the memory
  /// that the engine may use; what was counted of the chunk is then part of no result.
  virtual void finish_oldest() = 0;

  /// Called with no chunk open. Brings the reduced emits to host memory, as a host_partial: they survive the
  /// device. Throws device_lost when they cannot be had; then everything since the last commit is lost, and
  /// nothing before.
  virtual void commit() = 0;

  /// Called with no chunk open, for measurements: forgets everything since the last commit.
  virtual void forget() = 0;

  /// What the run's report should say of how it went, each a sentence.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  /// What it did so far, of chunks that are finished.
  [[nodiscard]] virtual engine_figures figures() const { return {}; }
};

}  // namespace duomap::gpu
