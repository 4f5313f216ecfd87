// The interface between the scheduler, which knows no task, and the backends, which know no other backend.
// host only
#pragma once

#include "core/chunk.hpp"
#include "core/engine_kind.hpp"
#include "core/executor_traits.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// The times of a chunk that finish() reports, in seconds; 0 if not known. Copies of several chunks do not
/// overlap, nor do their computations: the time that a chunk waited for the previous one is not counted.
struct chunk_report {
  std::uint64_t units = 0;
  double copy_seconds = 0;
  double compute_seconds = 0;
  /// When the copy and the computation ended, in seconds of std::chrono::steady_clock; 0 where not known.
  double copy_ended = 0;
  double compute_ended = 0;
};

/// The progress of a device's start.
enum class start_progress {
  ready,     ///< prepare() need not wait for it, or says why there is no device
  going_on,  ///< another thread starts it
  none,      ///< there is no such device
};

/// Runs one task on one CPU pool or one GPU, chunk by chunk: one virtual call per chunk over templates per
/// record.
///
/// Life: drive() is called once, or never if other executors did all work while this one was held back.
/// During drive() each worker's thread calls submit() and finish() any number of times. After it the typed
/// backend (core/backend.hpp) hands over its partial.
///
/// An executor is a pool or a device (executor_traits.hpp). A chunk that a pool has finished is safe, and an
/// exception of a pool ends the run. A device has one worker; a chunk that it has finished is safe once
/// commit() has returned. After device_lost (core/error.hpp), or out_of_memory from finish() or commit(),
/// other executors do all its chunks since the last commit. Then no function is called any more, and the
/// partial must not contain those chunks. After out_of_memory from submit() the chunk was not taken, and may
/// come again, smaller.
class executor {
 public:
  virtual ~executor() = default;

  /// For reports: "cpu", "gpu 0 (NVIDIA H200)".
  [[nodiscard]] virtual std::string name() const = 0;

  /// Threads of control that take chunks: cores for a CPU pool, 1 for a GPU.
  [[nodiscard]] virtual unsigned workers() const noexcept = 0;

  /// Chunks one worker may have submitted and not finished: 1 where submit() does the work, more where copy
  /// and compute overlap. A chunk's bytes must stay valid until it is finished.
  [[nodiscard]] virtual unsigned depth() const noexcept = 0;

  /// The executor's kind, and its properties before drive().
  [[nodiscard]] virtual executor_traits traits() const noexcept = 0;

  /// Devices: estimated seconds that prepare() takes if it is called now. Any thread may ask.
  [[nodiscard]] virtual double start_seconds() const noexcept { return 0; }

  /// After drive(): sentences for the run's report.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  /// After drive(): the figures of a device's engine.
  [[nodiscard]] virtual engine_figures figures() const { return {}; }

  /// Calls body(worker) once for each worker, concurrently if it can, on its own threads; returns when all
  /// have returned, rethrowing the first exception. Bodies must not wait for each other.
  virtual void drive(const std::function<void(unsigned worker)>& body) = 0;

  /// Devices: begins to start the device beside the run, unless a start has begun before. Called on the
  /// worker's own thread until it is ready.
  virtual start_progress begin_start() { return start_progress::ready; }

  /// Devices: starts the device, so that the first submit() need not, and no chunk waits meanwhile. Called at
  /// most once, on the worker's own thread, when begin_start() is `ready`.
  virtual void prepare(unsigned /*worker*/) {}

  /// Takes a chunk. Called only on the worker's own thread, with fewer than depth() chunks open.
  virtual void submit(unsigned worker, const chunk& part) = 0;

  /// Pools: after submit() threw, the place of map in the chunk's source, in units; nothing if it is not
  /// known.
  [[nodiscard]] virtual std::optional<std::uint64_t> failed_at(unsigned /*worker*/) const { return {}; }

  /// Waits for the worker's oldest open chunk. Called only on the worker's own thread, with a chunk open.
  virtual chunk_report finish(unsigned worker) = 0;

  /// Devices: forgets the newest open chunk, if no part of it has been mapped. Other executors will do it,
  /// because the device is slow. Its bytes are not read any more. False when it is too late. Called on the
  /// worker's own thread.
  virtual bool take_back(unsigned /*worker*/) { return false; }

  /// Makes everything this worker has finished independent of its device. Called on the worker's own thread.
  virtual void commit(unsigned worker) = 0;

  /// Devices: whether abandon() may be called when a call has not returned for far too long.
  [[nodiscard]] virtual bool can_be_abandoned() const noexcept { return false; }

  /// The device has timed out: called on another thread than the worker's, while a call of the worker hangs.
  /// Returns the number of commits that count; a commit() that has not returned either counts already or
  /// never will. Afterwards the executor reads no chunk's bytes and writes no placed output; reads and writes
  /// that have begun are waited for. The partial has the chunks of these commits. The hanging call may return
  /// at any time, and the executor lives until it has.
  virtual std::uint64_t abandon() { return 0; }
};

}  // namespace duomap
