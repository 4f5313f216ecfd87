// The interface between the scheduler and the backends. The scheduler knows no task, and a backend knows no
// other backend.
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

/// The times of a chunk that finish() reports, in seconds; 0 if not known. The copy time leaves out the wait
/// for the previous chunk's copy, and the computing time the wait for its computation.
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

/// Runs one task on one CPU pool or one GPU, chunk by chunk. A chunk costs one virtual call; its records are
/// mapped by code from templates.
///
/// Life: drive() is called once, or never if other executors did all work while this one was held back.
/// During drive() each worker's thread calls submit() and finish() any number of times. After drive() the
/// backend (core/backend.hpp) hands over its partials.
///
/// An executor is a pool or a device (executor_traits.hpp). A chunk that a pool has finished is safe. An
/// exception of a pool ends the run. A device has one worker, and its finished chunks are safe once commit()
/// has returned. A device fails when a function throws device_lost (core/error.hpp), or when finish() or
/// commit() throws out_of_memory. Then other executors repeat all its chunks since its last commit, no
/// function is called any more, and the partial must not contain those chunks. If submit() throws
/// out_of_memory, the device did not take the chunk. The scheduler may offer it again as a smaller chunk.
class executor {
 public:
  virtual ~executor() = default;

  /// For reports: "cpu", "gpu 0 (NVIDIA H200)".
  [[nodiscard]] virtual std::string name() const = 0;

  /// The number of threads that take chunks: the cores of a CPU pool, 1 for a GPU.
  [[nodiscard]] virtual unsigned workers() const noexcept = 0;

  /// The most chunks that a worker may have open, that is, submitted and not finished. It is 1 if submit()
  /// does the work, and more if copies and computations overlap. The bytes of an open chunk must stay valid.
  [[nodiscard]] virtual unsigned depth() const noexcept = 0;

  /// The executor's kind, and its properties before drive().
  [[nodiscard]] virtual executor_traits traits() const noexcept = 0;

  /// Devices: the estimated seconds of a prepare() that begins now. Any thread may ask.
  [[nodiscard]] virtual double start_seconds() const noexcept { return 0; }

  /// After drive(): sentences for the run's report.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  /// After drive(): the figures of a device's engine.
  [[nodiscard]] virtual engine_figures figures() const { return {}; }

  /// Calls body(worker) once for each worker, on the executor's own threads, at the same time if possible.
  /// Bodies must not wait for each other. Returns when all have returned, and rethrows the first exception.
  virtual void drive(const std::function<void(unsigned worker)>& body) = 0;

  /// Devices: begins to start the device in the background, unless a start has begun already. The worker's
  /// own thread calls it until it returns `ready`.
  virtual start_progress begin_start() { return start_progress::ready; }

  /// Devices: starts the device before the first submit(), so that no chunk waits for the start. Called at
  /// most once, on the worker's own thread, when begin_start() has returned `ready`.
  virtual void prepare(unsigned /*worker*/) {}

  /// Takes a chunk. Called on the worker's own thread only, with fewer than depth() open chunks.
  virtual void submit(unsigned worker, const chunk& part) = 0;

  /// Pools: after submit() threw, the place in the source at which map failed, in units; nothing if not
  /// known.
  [[nodiscard]] virtual std::optional<std::uint64_t> failed_at(unsigned /*worker*/) const { return {}; }

  /// Waits for the worker's oldest open chunk. Called on the worker's own thread only, with an open chunk.
  virtual chunk_report finish(unsigned worker) = 0;

  /// Devices: gives up the newest open chunk, so that other executors map it sooner. From then on its bytes
  /// are not read. False if a part of it has been mapped already. Called on the worker's own thread.
  virtual bool take_back(unsigned /*worker*/) { return false; }

  /// Makes all finished chunks safe, even if the device fails later. Called on the worker's own thread.
  virtual void commit(unsigned worker) = 0;

  /// Devices: whether abandon() may be called while a call hangs.
  [[nodiscard]] virtual bool can_be_abandoned() const noexcept { return false; }

  /// Gives a device up because it has timed out. Another thread calls it while a call of the worker's thread
  /// hangs. Returns the number of commits that count. A commit() that still hangs either counts already or
  /// never will. The partial has the chunks of these commits. abandon() waits for reads and writes that have
  /// begun; afterwards the executor reads no chunk's bytes and writes no placed output. The hanging call may
  /// return at any time, and the executor must live until then.
  virtual std::uint64_t abandon() { return 0; }
};

}  // namespace duomap
