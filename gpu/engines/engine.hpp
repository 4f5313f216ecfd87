// The interface between a GPU's executor, which moves chunks, and the engines, which map and reduce them.
// host only
#pragma once

#include "core/chunk.hpp"
#include "core/engine_kind.hpp"

#include <string>
#include <vector>

namespace duomap::gpu {

/// An engine that runs one task on one stream of one device: one virtual call per chunk. Used by one thread.
class engine {
 public:
  virtual ~engine() = default;

  [[nodiscard]] virtual engine_kind kind() const noexcept = 0;

  /// Queues map and reduce of a chunk behind the earlier work of the engine's stream, and returns without
  /// waiting. The chunk's bytes are in device memory, followed by the padding that the record format needs
  /// (gpu/record/chunk_padding.hpp). They stay there until finish_oldest() has returned for the chunk. The
  /// chunk's source and offset are those of the input. Throws device_out_of_memory if nothing was queued.
  virtual void enqueue(const chunk& resident) = 0;

  /// Waits for the oldest unfinished chunk, and repeats the parts that lacked room, until all emits of the
  /// chunk are counted. Throws device_lost. Throws out_of_memory if a single tile does not fit into the
  /// memory that the engine may use. After either exception, no result contains any of the chunk's emits.
  virtual void finish_oldest() = 0;

  /// Called when no chunk is open. Brings the reduced emits to host memory as a host_partial, so that they
  /// survive the device. Throws device_lost on failure: the results since the last commit are then lost,
  /// earlier results are not.
  virtual void commit() = 0;

  /// Called when no chunk is open, for measurements: drops everything since the last commit.
  virtual void forget() = 0;

  /// Sentences about the run, for its report.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  /// Figures of the finished chunks.
  [[nodiscard]] virtual engine_figures figures() const { return {}; }
};

}  // namespace duomap::gpu
